import { describe, expect, it } from "vitest";
import { cutTraits, openingTraits, type Telling, type Traits, typeOf, withMessage } from "./traits.ts";

const code = [{ path: "src/tide.ts", changed: true }];
const test = [{ path: "src/tide.test.ts", changed: true }];
const page = [{ path: "docs/tide.md", changed: true }];
const plan = [{ path: "/home/user/.claude/plans/tide.md", changed: true }];
const read = [{ path: "src/tide.ts", changed: false }];

const prompt = (text: string): Telling => ({ role: "human", part: "text", text });
const answer = (text: string): Telling => ({ role: "assistant", part: "text", text });
const used = (files: Telling["files"]): Telling => ({ role: "tool", part: "call", text: "x", files: files ?? [] });
const ran = (command: string): Telling => ({ role: "tool", part: "call", text: command, commands: [command] });
const came: Telling = { role: "tool", part: "result", text: "ok" };
const refused: Telling = {
  role: "tool",
  part: "result",
  text: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  isError: true,
};
const DONE = answer("That is all.");
const chosen: Telling = { role: "tool", part: "result", tool: "ask_user", text: "User selected: SQLite" };

function traitsOf(messages: readonly Telling[], before: Traits = 0): Traits {
  const [first = prompt(""), ...rest] = messages;
  return rest.reduce(withMessage, openingTraits(first, before, false));
}

const LONG = answer("It adds the offset twice. ".repeat(10));

describe("typeOf", () => {
  it.each([
    ["nothing that came of it", [prompt("hello")], "note"],
    ["a word of thanks", [prompt("thanks"), answer("You're welcome!")], "note"],
    ["a command of the harness", [prompt("/exit")], "note"],
    ["a question and its answer", [prompt("why?"), answer("It drifts.")], "discovery"],
    ["an explanation", [prompt("the tide"), LONG], "discovery"],
    ["looking around", [prompt("the tide"), used(read), DONE], "discovery"],
    ["looking at what is to be fixed", [prompt("fix the tide"), used(read), DONE], "discovery"],
    ["planning", [prompt("add a tide"), used(plan), DONE], "discovery"],
    ["a fix", [prompt("fix the tide"), used(code)], "bugfix"],
    ["a fix of a test", [prompt("fix the tide"), used(test)], "bugfix"],
    ["work on what is wrong", [prompt("the tide is broken"), used(code)], "bugfix"],
    ["work on pasted output of a failure", [prompt("--- FAIL: TestTide (0.00s)"), used(code)], "bugfix"],
    ["an addition though something failed before", [prompt("add a retry, it fails at night"), used(code)], "feature"],
    ["an addition", [prompt("add a tide"), used(code)], "feature"],
    ["an addition of tests alone", [prompt("add tests"), used(test)], "change"],
    ["putting in order", [prompt("rename the tide"), used(code)], "refactor"],
    ["a change of pages alone", [prompt("fix the README"), used(page)], "change"],
    ["any other change", [prompt("bump it"), used(code)], "change"],
    ["a change in any language", [prompt("修复登录"), used(code)], "change"],
    [
      "a fix by how it was committed",
      [prompt("修复登录"), used(code), ran('git commit -m "fix: the login"')],
      "bugfix",
    ],
    [
      "a feature by how it was committed",
      [prompt("是"), used(code), ran("git commit -m 'feat(ui): tides'")],
      "feature",
    ],
    [
      "a refactoring by how it was committed",
      [prompt("是"), used(code), ran('git commit -m "refactor: tides"')],
      "refactor",
    ],
    ["a commit alone", [prompt("commit"), ran('git commit -m "fix: the login"')], "change"],
    ["what was done by a command", [prompt("delete it"), ran("rm docs/tide.md")], "change"],
    ["not what a command only looks at", [prompt("what came?"), ran("git merge-base main HEAD"), DONE], "discovery"],
    ["not what happens in a folder for what is temporary", [prompt("try"), ran("rm -rf /tmp/tide"), DONE], "discovery"],
    [
      "not what was checked out there",
      [prompt("try"), ran("git worktree remove --force /private/tmp/tide"), DONE],
      "discovery",
    ],
    ["what broke off before anything was told", [prompt("why?"), answer("Let me look."), used(read), came], "note"],
    ["an edit that was refused", [prompt("rename the tide"), used(code), refused], "note"],
    ["one that was refused and explained", [prompt("rename the tide"), LONG, used(code), refused], "discovery"],
    ["one that was refused after another", [prompt("rename it"), used(code), came, used(code), refused], "refactor"],
    ["a commit that was refused", [prompt("commit"), ran("git commit -m 'x'"), refused], "note"],
    ["an edit whose result did not come", [prompt("rename the tide"), used(code)], "refactor"],
    [
      "an edit that failed and was made again",
      [prompt("rename it"), used(code), { ...refused, text: "no such text" }, used(code), came],
      "refactor",
    ],
    ["a fix by what the agent says of it", [prompt("go on"), used(code), answer("Fixed the drift.")], "bugfix"],
    ["a decision", [prompt("We decided to keep SQLite")], "decision"],
    ["a decision that was acted on", [prompt("let's go with SQLite, fix the schema"), used(code)], "decision"],
    ["a correction", [prompt("no, it should be a file"), LONG], "decision"],
    ["a correction that was worked on", [prompt("no, it should be a file"), used(code)], "decision"],
    ["an answered question", [prompt("plan it"), chosen], "decision"],
    ["an answered question that was worked on", [prompt("add a store"), chosen, used(code)], "feature"],
    ["a preference", [prompt("from now on write tests first")], "preference"],
    ["another", [prompt("I prefer tabs"), used(code)], "preference"],
    ["what should be in general", [prompt("generally there should be a test for each"), used(code)], "preference"],
    ["not what is so in general", [prompt("generally it is fine"), used(code)], "change"],
    ["another yet", [prompt("never use var here"), used(code)], "preference"],
    [
      "a file that a person changed beside it",
      [prompt("look"), { role: "system", part: "notice", text: "x", files: code }],
      "change",
    ],
    ["a summary", [{ role: "summary", part: "text", text: "what came before" }], "discovery"],
    ["what an agent does before anyone has spoken", [answer("x".repeat(300))], "discovery"],
  ] as const)("tells %s", (_, messages, type) => {
    expect(typeOf(traitsOf(messages))).toBe(type);
  });

  it.each([
    ["that was asked to mend something", prompt("fix the tide"), "bugfix"],
    ["that was told of trouble", prompt("the tide is broken"), "bugfix"],
    ["that was asked why something is wrong", prompt("why is the tide broken?"), "discovery"],
    ["that was asked to add something", prompt("add a tide"), "feature"],
    ["that was asked to look", prompt("review the tide"), "discovery"],
  ] as const)("tells the beginning of a turn %s by that", (_, opening, type) => {
    expect(typeOf(cutTraits(traitsOf([opening, used(read)])))).toBe(type);
  });

  it("tells a later part of a turn by what its prompt asked for", () => {
    const whole = cutTraits(traitsOf([prompt("fix the tide"), used(read)]));
    expect(typeOf(withMessage(openingTraits(answer("Now the test."), whole, true), used(code)))).toBe("bugfix");
  });

  it.each([
    ["a choice", "I see two ways. Which one do you want?", "a", "decision"],
    ["approval of a design", "That is the design. Does that look right so far?", "yes", "decision"],
    ["no choice", "Done. Anything else?", "no", "note"],
    ["a choice that is asked back on", "Which one do you want?", "what is the difference?", "note"],
    ["a choice that wants to hear more", "Which one do you want?", "I want to see both", "note"],
    ["a question with two ways", "Should I use a file or a table?", "a file", "decision"],
  ])("tells a short answer to %s", (_, asked, replied, type) => {
    expect(typeOf(openingTraits(prompt(replied), traitsOf([prompt("plan"), answer(asked)]), false))).toBe(type);
  });

  it("keeps a choice open while the harness is told something", () => {
    const asked = traitsOf([prompt("plan"), answer("Which one do you want?")]);
    const between = openingTraits(prompt("/theme"), asked, false);
    expect(typeOf(between)).toBe("note");
    expect(typeOf(openingTraits(prompt("a"), between, false))).toBe("decision");
  });

  it.each([
    ["fix", "The hint is misleading. Want me to fix it?", "bugfix"],
    ["add", "There is no test. Shall I add a flag?", "feature"],
    ["rename", "Shall I rename it?", "refactor"],
    ["go on with", "Shall I go on?", "change"],
  ])("tells work by the offer to %s it that was accepted", (_, offer, type) => {
    const before = traitsOf([prompt("look"), answer(offer)]);
    expect(typeOf(withMessage(openingTraits(prompt("yes please"), before, false), used(code)))).toBe(type);
  });
});
