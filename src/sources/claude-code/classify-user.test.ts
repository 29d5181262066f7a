import { describe, expect, it } from "vitest";
import { classifyUser } from "./classify-user.ts";

const SUMMARY = "This session is being continued from a previous conversation that ran out of context.";

describe("classifyUser", () => {
  it.each([
    ["fix the tides", {}, "human", "text", "fix the tides"],
    ["  fix  ", {}, "human", "text", "fix"],
    ["<div> as markup", {}, "human", "text", "<div> as markup"],
    ["<command-name>/model</command-name>\n<command-args>opus</command-args>", {}, "human", "text", "/model opus"],
    ["<command-message>ship</command-message>\n<command-name>/ship</command-name>", {}, "human", "text", "/ship"],
    ["<command-message>ship</command-message>", {}, "human", "text", "/ship"],
    ["<bash-input>ls -la</bash-input>", {}, "human", "text", "!ls -la"],
    ["<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>", {}, "tool", "result", "a\nb"],
    ["<local-command-stdout>ok</local-command-stdout>", {}, "tool", "result", "ok"],
    ["<ide_selection>lines</ide_selection>\nwhy?", {}, "human", "text", "why?"],
    ["why?\n<system-reminder>x</system-reminder>", {}, "human", "text", "why?"],
    ["<system-reminder>x</system-reminder>", {}, "system", "notice", "<system-reminder>x</system-reminder>"],
    [
      "[Request interrupted by user for tool use]",
      {},
      "system",
      "notice",
      "[Request interrupted by user for tool use]",
    ],
    ["[Request interrupted by user]\nwait", {}, "human", "text", "wait"],
    ["Continue from where you left off.", {}, "system", "notice", "Continue from where you left off."],
    [
      "Continue from where you left off. And test it.",
      {},
      "human",
      "text",
      "Continue from where you left off. And test it.",
    ],
    ["<task-notification>x</task-notification>", {}, "system", "notice", "<task-notification>x</task-notification>"],
    ['<teammate-message teammate_id="a">x', {}, "system", "notice", '<teammate-message teammate_id="a">x'],
    ["Base directory for this skill: /s", {}, "system", "notice", "Base directory for this skill: /s"],
    [SUMMARY, {}, "summary", "text", SUMMARY],
    ["Half is done.", { isCompactSummary: true }, "summary", "text", "Half is done."],
    ["a skill's text", { isMeta: true }, "system", "notice", "a skill's text"],
    ["typed", { origin: { kind: "human" } }, "human", "text", "typed"],
    ["told", { origin: { kind: "task-notification" } }, "system", "notice", "told"],
    ["told", { promptSource: "system" }, "system", "notice", "told"],
    ["typed", { promptSource: "sdk" }, "human", "text", "typed"],
    ["List the modules.", { isSidechain: true }, "system", "text", "List the modules."],
    ["List the modules.", { agentId: "a1b2c3d" }, "system", "text", "List the modules."],
    [SUMMARY, { isSidechain: true }, "summary", "text", SUMMARY],
  ])("%j on a line with %j", (text, line, role, part, said) => {
    expect(classifyUser(text, line)).toMatchObject({ role, part, text: said });
  });

  it.each(["", "  \n", "<local-command-stdout></local-command-stdout>", "<bash-stdout></bash-stdout>"])(
    "%j says nothing",
    (text) => {
      expect(classifyUser(text, {})).toBeUndefined();
    },
  );

  it.each([
    ["<bash-stdout>a</bash-stdout>", "Bash"],
    ["<local-command-stdout>a</local-command-stdout>", "command"],
  ])("%j is the output of %s", (text, tool) => {
    expect(classifyUser(text, {})?.tool).toBe(tool);
  });
});
