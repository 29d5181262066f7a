import { describe, expect, it } from "vitest";
import { decisionsIn, type Saying } from "./decision.ts";

function said(text: string, role: Saying["role"] = "human") {
  return decisionsIn({ role, part: "text", text });
}

describe("what a person states", () => {
  it.each([
    ["We decided to keep SQLite."],
    ["we've agreed on one file per tide"],
    ["I have decided against a cache"],
    ["ok, let's go with option B"],
    ["Let us stick with tabs for now."],
    ["yes, go with the second one"],
    ["We'll go with SQLite"],
    ["I'd go with a file"],
    ["option 2"],
    ["Option B please"],
    ["Decision: no server."],
    ["use SQLite instead of files"],
    ["I think we should use SQLite rather than files"],
    ["please keep the old name instead of the new one"],
    ["use true/false and not on/off"],
    ["I'd rather have one file than two"],
    ["For now we'll leave it as it is"],
    ["A queue is the direction we'll take."],
    ["let's use SQLite"],
    ["ok let's have one file a tide"],
    ["Let's keep the old name for it."],
    ["lets just drop support for Node 16"],
    ["yeah let's move to Postgres"],
    ["let's put it in the store"],
    ["let's do two files"],
    ["Let's try plain SQL"],
    ["I'd rather have a file"],
    ["I would prefer the second one"],
    ["I like the first one better"],
    ["keep the header as it is"],
    ["Please leave the cache as is."],
    ["yes, use the old name"],
    ["yeah keep the table"],
    ["yes, call it tides"],
    ["no, use the old one"],
    ["No, it should be a file."],
    ["no just add the name"],
    ["no, put it there"],
    ["No, offset should be a number"],
  ])("%s", (text) => {
    expect(said(text)).toMatchObject([{ statement: text, by: "person" }]);
  });

  it.each([
    ["Should we go with SQLite?"],
    ["should we use SQLite instead of files, or both?"],
    ["If we go with SQLite, what breaks?"],
    ["What if we decided to use files"],
    ["We haven't decided on a store yet."],
    ["we have not yet decided to use it"],
    ["Could you use SQLite instead of files"],
    ["Why did you go with files"],
    ["Before we decide to use it, measure."],
    ["> We decided to keep SQLite"],
    ["```\nwe decided to keep SQLite\n```"],
    ["2026-01-02 10:00:00 we decided to keep SQLite"],
    ["error: we decided to keep SQLite"],
    ["$ let's go with it"],
    ["the option parser is broken"],
    ["the decision is yours"],
    ["No, I think the comment is wrong"],
    ["no errors any more"],
    ["let's have a look at the store"],
    ["let's keep going"],
    ["Let's use it."],
    ["let's use it to look at the tides"],
    ["let's do it"],
    ["let's do the second test"],
    ["let's do two files if they are small"],
    ["let's try again"],
    ["let's try to run it"],
    ["let's call it a day"],
    ["let's add a test"],
    ["let's look at the store"],
    ["should we keep the header as it is?"],
    ["I'd prefer you to wait"],
    ["I'd rather you asked me first"],
    ["I would like a table"],
    ["keep going"],
    ["keep me posted"],
    ["leave me a note"],
    ["yes, keep going"],
    ["yes, run it"],
    ["No, I want to see the log"],
    ["no, it should not fail"],
    ["no, that should have worked"],
    ["no just run it again"],
    ["we went with the ferry on Monday and it was nice".repeat(20)],
    ["Implement the following plan:\n\n# Option B: a cache\n\nWe decided to use a cache."],
    [`<<yore abcdef12\nWe decided to keep SQLite.\nyore abcdef12>>`],
    ["Wir haben uns für SQLite entschieden."],
    [""],
  ])("is not %j", (text) => {
    expect(said(text)).toEqual([]);
  });

  it.each([
    ["We decided to keep SQLite because it needs no server.", { reason: "it needs no server" }],
    ["Let's go with files, since they can be read.", { reason: "they can be read" }],
    ["Let's go with files. Otherwise nobody can read them.", { reason: "nobody can read them" }],
    ["Use SQLite instead of plain files, because they are slow.", { rejected: "plain files", reason: "they are slow" }],
    ["we decided against a cache", { rejected: "a cache" }],
    ["Let's go with SQLite over Postgres.", { rejected: "Postgres" }],
    ["I'd go with SQLite, not Postgres.", { rejected: "Postgres" }],
    ["no, use blue, no need for a new name", { rejected: "a new name" }],
  ])("with its reason and what was turned down: %s", (text, more) => {
    expect(said(text)).toMatchObject([more]);
  });

  it("does not take long for hostile texts", () => {
    for (const text of ["let's do ".repeat(50_000), "no should ".repeat(50_000), "keep a ".repeat(50_000)])
      expect(said(text)).toEqual([]);
  });

  it("is found among other sentences, and in lists, each once", () => {
    const text = "Nice work.\n- we decided to keep SQLite.\n- why is it slow?\n1. let's stick with tabs";
    expect(said(text).map(({ statement }) => statement)).toEqual([
      "we decided to keep SQLite.",
      "let's stick with tabs",
    ]);
  });
});

describe("what an agent decides", () => {
  it.each([
    ["I went with a queue instead of polling.", 1],
    ["Decision: one file per tide", 1],
    ["I chose SQLite because it needs no server.", 1],
    ["I decided to look at the tests.", 0],
    ["We could go with a queue instead of polling.", 0],
  ])("%s", (text, count) => {
    expect(said(text, "assistant")).toHaveLength(count);
  });
});

describe("what is decided while an agent works", () => {
  const result = (tool: string, text: string, isError = false): Saying => ({
    role: "tool",
    part: "result",
    tool,
    text,
    ...(isError && { isError }),
  });

  it.each([
    [
      "a plan is approved",
      result("ExitPlanMode", "User has approved your plan.\n\n## Approved Plan:\n# Plan: Two tides\n"),
      ["Plan approved: Two tides"],
    ],
    ["a plan without a heading", result("exit_plan_mode", "Plan approved by the user."), ["Plan approved"]],
    ["a plan is turned down", result("ExitPlanMode", "The user doesn't want to proceed.", true), []],
    [
      "one is turned down for another",
      result(
        "ExitPlanMode",
        "The user doesn't want to proceed. To tell you how to proceed, the user said:\nuse one file instead of two",
        true,
      ),
      ["use one file instead of two"],
    ],
    [
      "questions are answered",
      result(
        "AskUserQuestion",
        'Your questions have been answered: "Which store?"="SQLite", "Which port?"="None". You can now continue.',
      ),
      ["Which store? SQLite", "Which port? None"],
    ],
    [
      "a question that quotes",
      result("question", 'User has answered your questions: "Is `a = ["b"]` right?"="Yes". You can now continue.'),
      ['Is `a = ["b"]` right? Yes'],
    ],
    [
      "a question is asked back",
      result("AskUserQuestion", 'Your questions have been answered: "Which store?"="what is usual?".'),
      [],
    ],
    ["an option is selected", result("ask_user", "User selected: SQLite"), ["SQLite"]],
    [
      "an answer is told line by line",
      result("AskUser", "1. [question] Which store?\n[answer] SQLite"),
      ["Which store? SQLite"],
    ],
    [
      "an answer is told as JSON",
      result("request_user_input", '{"answers":{"store":{"answers":["SQLite"]}}}'),
      ["store SQLite"],
    ],
    ["any other tool says so", result("Bash", 'User selected: "a"="b"'), []],
  ])("where %s", (_, message, statements) => {
    expect(decisionsIn(message).map(({ statement }) => statement.trim())).toEqual(statements);
  });

  it("names the answers that were not chosen", () => {
    const offered = new Map([["Which store?", ["SQLite", "A file"]]]);
    const message = result("AskUserQuestion", 'Your questions have been answered: "Which store?"="SQLite".');
    expect(decisionsIn(message, offered)).toMatchObject([{ rejected: "A file" }]);
  });
});
