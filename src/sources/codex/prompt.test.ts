import { describe, expect, it } from "vitest";
import { readUserMessage } from "./prompt.ts";

const AGENTS = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>";
const ENVIRONMENT = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>";

describe("readUserMessage", () => {
  it.each([
    { what: "a prompt", parts: ["fix it"], text: "fix it", injected: [] },
    { what: "a prompt in parts", parts: ["fix", " it"], text: "fix it", injected: [] },
    { what: "injected blocks alone", parts: [AGENTS, ENVIRONMENT], text: "", injected: [AGENTS, ENVIRONMENT] },
    {
      what: "two blocks in one part",
      parts: [`${AGENTS}\n\n${ENVIRONMENT}`],
      text: "",
      injected: [AGENTS, ENVIRONMENT],
    },
    { what: "a prompt behind a block", parts: [`${ENVIRONMENT}\n\nfix it`], text: "fix it", injected: [ENVIRONMENT] },
    { what: "a prompt beside a block", parts: [ENVIRONMENT, "fix it"], text: "fix it", injected: [ENVIRONMENT] },
    { what: "a block without an end", parts: ["<skill>\nname"], text: "", injected: ["<skill>\nname"] },
    {
      what: "a block of a kind that is yet to come",
      parts: ["<goal_context a='1'>\nx\n</goal_context>"],
      text: "",
      injected: ["<goal_context a='1'>\nx\n</goal_context>"],
    },
    {
      what: "a block in capitals",
      parts: ["<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"],
      text: "",
      injected: ["<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"],
    },
    {
      what: "a person's markup",
      parts: ["<div>why is this red?</div>"],
      text: "<div>why is this red?</div>",
      injected: [],
    },
    { what: "a person's open tag", parts: ["<my_tag> what is it?"], text: "<my_tag> what is it?", injected: [] },
    {
      what: "an editor's context",
      parts: ["# Context from my IDE setup:\n\n## Open tabs: a\n\n## My request for Codex:\nfix it\n"],
      text: "fix it",
      injected: [],
    },
    {
      what: "the marker in the middle of a prompt",
      parts: ["what is ## My request for Codex: ?"],
      text: "what is ## My request for Codex: ?",
      injected: [],
    },
  ])("tells $what from what was injected", ({ parts, text, injected }) => {
    const message = readUserMessage(parts.map((part) => ({ type: "input_text", text: part })));
    expect({ text: message.prompt.text, injected: message.injected }).toEqual({ text, injected });
  });

  it.each([
    { block: ENVIRONMENT, cwd: "/w" },
    {
      block: "<environment_context>\nCurrent working directory: /w x\nSandbox mode: read-only\n</environment_context>",
      cwd: "/w x",
    },
    { block: "<environment_context>\n</environment_context>", cwd: undefined },
    { block: "my <cwd>/w</cwd>", cwd: undefined },
  ])("takes the folder from $block", ({ block, cwd }) => {
    expect(readUserMessage([{ type: "input_text", text: block }]).cwd).toBe(cwd);
  });

  it("counts pictures without the tags around them", () => {
    const parts = [
      { type: "input_text", text: "<image name=[Image #1]>" },
      { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      { type: "input_text", text: "</image>" },
      { type: "local_image", path: "/tmp/a.png" },
      { type: "input_text", text: "like these" },
    ];
    expect(readUserMessage(parts).prompt).toEqual({ text: "like these", images: 2 });
  });

  it("knows a compaction summary and a command of the user", () => {
    const summary = "Another language model started to solve this problem and left a summary.";
    const shell =
      "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\n</result>\n</user_shell_command>";
    expect(readUserMessage([summary])).toEqual({ prompt: { text: "", images: 0 }, injected: [], summary });
    expect(readUserMessage([shell]).shell).toEqual({ command: "ls", result: "Exit code: 0\n" });
  });
});
