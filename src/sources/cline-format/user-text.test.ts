import { describe, expect, it } from "vitest";
import { feedbackIn, readUserText } from "./user-text.ts";

const DETAILS = "<environment_details>\n# Current Time\nnow\n</environment_details>";

describe("readUserText", () => {
  it.each<{ what: string; text: string; kind: string; said: string }>([
    { what: "a task", text: "<task>\nhello\n</task>", kind: "human", said: "hello" },
    {
      what: "a task with a file that it names",
      text: '<task>\nread x\n</task>\n\n<file_content path="x">\nsecret\n</file_content>',
      kind: "human",
      said: "read x",
    },
    {
      what: "a task that talks of its own tag",
      text: "<task>\nwhat is </task> for?\n</task>",
      kind: "human",
      said: "what is </task> for?",
    },
    { what: "a task that is not closed", text: "<task>\nhello", kind: "human", said: "hello" },
    {
      what: "an answer with details in the same text",
      text: `<answer>\nyes\n</answer>\n${DETAILS}`,
      kind: "human",
      said: "yes",
    },
    { what: "a prompt of the SDK", text: '<user_input mode="plan">go</user_input>', kind: "human", said: "go" },
    {
      what: "a slash command",
      text: '<user_command slash="team">two</user_command>',
      kind: "human",
      said: "/team two",
    },
    {
      what: "a prompt after a change of mode",
      text: "<mode_notice>The user switched.</mode_notice>\n\ngo",
      kind: "human",
      said: "go",
    },
    {
      what: "instructions before what was typed",
      text: '<explicit_instructions type="new_rule">\nrules\n</explicit_instructions>\n<task>\nmake one\n</task>',
      kind: "human",
      said: "make one",
    },
    {
      what: "a task that was resumed with a message",
      text: "[TASK RESUMPTION] It was interrupted.\n\nNew instructions for task continuation:\n<user_message>\ngo on\n</user_message>",
      kind: "human",
      said: "go on",
    },
    { what: "plain words", text: "what does <answer> do?", kind: "human", said: "what does <answer> do?" },
    {
      what: "plain words with the tag in them",
      text: "use <task>x</task> here",
      kind: "human",
      said: "use <task>x</task> here",
    },
    { what: "a task that was resumed", text: "[TASK RESUMPTION] x", kind: "notice", said: "[TASK RESUMPTION] x" },
    {
      what: "an admonition",
      text: "[ERROR] You did not use a tool",
      kind: "notice",
      said: "[ERROR] You did not use a tool",
    },
    {
      what: "a continued session",
      text: "This session is being continued from a previous conversation. It was about x.",
      kind: "summary",
      said: "This session is being continued from a previous conversation. It was about x.",
    },
  ])("tells $what", ({ text, kind, said }) => {
    expect(readUserText(text)).toEqual({ kind, text: said });
  });

  it.each([
    ["[read_file for 'a.ts'] Result:\nlet a;", "read_file", "let a;"],
    ["[read_file for 'a.ts'] Result:", "read_file", ""],
    ["[execute_command for 'cat <<X\n[a]\nX'] Result:\nok", "execute_command", "ok"],
    ["[new_task completed] Result: done", "new_task", "done"],
    ["[switch_mode to 'ask' because: x] Result:", "switch_mode", ""],
    ["[read_file Result]\n\nold", "read_file", "old"],
    [`[list_files for '.'] Result:\na.ts\n${DETAILS}`, "list_files", "a.ts"],
  ])("takes %j for a result", (text, name, output) => {
    expect(readUserText(text)).toEqual({ kind: "result", name, text: output });
  });

  it.each([
    DETAILS,
    "",
    "  \n",
    "# task_progress RECOMMENDED\n\nkeep a list",
    '<file_content path="x">\nx\n</file_content>',
  ])("tells nothing of %j", (text) => {
    expect(readUserText(text)).toBeUndefined();
  });
});

describe("feedbackIn", () => {
  it.each([
    [
      "The user denied this operation and said:\n<feedback>\nno\n</feedback>",
      false,
      "no",
      "The user denied this operation and said:",
    ],
    [
      "Still running.\nThe user provided feedback:\n<feedback>\nstop\n</feedback>\nok",
      false,
      "stop",
      "Still running.\nThe user provided feedback:\nok",
    ],
    ['{"status":"denied","feedback":"no"}', false, "no", "denied"],
    ["<user_message>\nyes\n</user_message>", true, "yes", ""],
    ["Consider it.\n<feedback>\nshorter\n</feedback>", true, "shorter", ""],
  ])("of %j (asking: %s) is %j", (output, isAsking, words, rest) => {
    expect(feedbackIn(output, isAsking)).toEqual({ words, rest });
  });

  it.each([
    ["<feedback>\npart of a file\n</feedback>", false],
    ["<answer>42</answer>", false],
    ["The user denied this operation.", false],
    ["(tool did not return anything)", true],
    ['{"feedback":', false],
  ])("of %j (asking: %s) is none", (output, isAsking) => {
    expect(feedbackIn(output, isAsking)).toBeUndefined();
  });
});
