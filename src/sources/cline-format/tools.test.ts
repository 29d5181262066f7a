import { describe, expect, it } from "vitest";
import { describeCall, readOutput, speechOf } from "./tools.ts";

describe("describeCall", () => {
  it.each<{ name: string; input: unknown; text: string; tool: object }>([
    { name: "read_file", input: { path: "a.ts" }, text: "a.ts", tool: files("a.ts", false) },
    {
      name: "read_file",
      input: { files: [{ path: "a.ts" }] },
      text: 'files: [{"path":"a.ts"}]',
      tool: files("a.ts", false),
    },
    {
      name: "write_to_file",
      input: { absolutePath: "/a.ts", content: "x" },
      text: "/a.ts\nx",
      tool: files("/a.ts", true),
    },
    { name: "apply_diff", input: { path: "a.ts", diff: "-x" }, text: "a.ts\n-x", tool: files("a.ts", true) },
    {
      name: "editor",
      input: { path: "a.ts", old_text: "x", new_text: "y" },
      text: "a.ts\n-x\n+y",
      tool: files("a.ts", true),
    },
    { name: "edit_file", input: { target_file: "a.ts", code_edit: "y" }, text: "a.ts\ny", tool: files("a.ts", true) },
    { name: "list_files", input: { path: "src", task_progress: "- [ ]" }, text: "path: src", tool: {} },
    {
      name: "execute_command",
      input: { command: "ls", requires_approval: true },
      text: "ls",
      tool: { commands: ["ls"] },
    },
    { name: "run_commands", input: { commands: "ls" }, text: "ls", tool: { commands: ["ls"] } },
    {
      name: "run_commands",
      input: { commands: ["ls", { command: "git", args: ["log", "-1"] }, 5] },
      text: "ls\ngit log -1",
      tool: { commands: ["ls", "git log -1"] },
    },
    { name: "list_files", input: undefined, text: "list_files", tool: {} },
    { name: "list_files", input: [1], text: "[1]", tool: {} },
  ])("of $name with $input is $text", ({ name, input, text, tool }) => {
    expect(describeCall(name, undefined, input)).toEqual({ text, tool: { name, ...tool } });
  });

  it("names a tool of a server as other agents do", () => {
    const input = { server_name: "sea", tool_name: "level", arguments: '{"at":"Porto"}' };
    const described = describeCall("use_mcp_tool", "c1", input);
    expect(described).toEqual({ text: "at: Porto", tool: { name: "mcp__sea__level", callId: "c1" } });
  });
});

describe("readOutput", () => {
  it.each([
    ["execute_command", "Command executed in terminal. Exit code: 0\nOutput:\nx", { isError: false, exitCode: 0 }],
    ["execute_command", "Command failed with exit code -1.\nx", { isError: true, exitCode: -1 }],
    ["execute_command", `${"x".repeat(2_000)}\nexit code 1`, { isError: false }],
    ["read_file", "exit code 1", { isError: false }],
    ["read_file", "The tool execution failed with the following error:\nx", { isError: true }],
    ["read_file", '{"status":"error","message":"x"}', { isError: true }],
    ["read_file", '{"status":"ok"}', { isError: false }],
    ["read_file", "{ torn", { isError: false }],
  ])("of %s and %j", (name, output, outcome) => {
    expect(readOutput(name, output)).toEqual({ text: output, ...outcome });
  });

  it("joins the outputs of several runs", () => {
    const output = JSON.stringify([
      { query: "ls", result: "a", success: true },
      { query: "cat b", result: null, error: "ENOENT", success: false },
      { query: "n", result: { lines: 2 }, success: true },
    ]);
    expect(readOutput("run_commands", output)).toEqual({ text: 'ls\na\ncat b\nENOENT\nn\n{"lines":2}', isError: true });
    expect(readOutput("read_files", '[{"other":1}]')).toEqual({ text: '[{"other":1}]', isError: false });
  });
});

describe("speechOf", () => {
  it.each([
    ["attempt_completion", { result: "Done." }, "Done."],
    ["ask_followup_question", { question: "Which?", options: '["a","b"]' }, "Which?\n- a\n- b"],
    ["ask_followup_question", { question: "Which?", follow_up: [{ text: "a" }, "b"] }, "Which?\n- a\n- b"],
    ["ask_followup_question", { question: "Which?", follow_up: '<suggest mode="code">a</suggest>' }, "Which?\n- a"],
    ["plan_mode_respond", undefined, ""],
    ["read_file", { result: "x" }, undefined],
  ])("of %s with %j is %j", (name, input, speech) => {
    expect(speechOf(name, input)).toBe(speech);
  });
});

function files(path: string, changed: boolean): object {
  return { files: [{ path, changed }] };
}
