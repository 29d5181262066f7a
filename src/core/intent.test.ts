import { describe, expect, it } from "vitest";
import { requestOf, sentencesOf } from "./intent.ts";

describe("requestOf", () => {
  it.each([
    ["Fix the login", "mend"],
    ["can you fix the login?", "mend"],
    ["Yes please, fix it", "mend"],
    ["Hello. Please resolve the conflict in a.ts", "mend"],
    ["add a flag", "make"],
    ["I'd like to add a flag", "make"],
    ["we need a flag for this", "make"],
    ["let's create the schema", "make"],
    ["implement ClippyCmd", "make"],
    ["ok, now rename the module", "tidy"],
    ["let's also simplify it", "tidy"],
    ["clean up the imports", "tidy"],
    ["remove the old files", "tidy"],
    ["get rid of the old files", "tidy"],
    ["unify both readers", "tidy"],
    ["I'd like to change the name of the store", "tidy"],
    ["change the package name to tide", "tidy"],
    ["set up a check for links", "make"],
    ["I want a table of tides", "make"],
    ["I'd like an export", "make"],
    ["It would be nice to have a table here", "make"],
    ["would be great if we could sort them", "make"],
    ["review the changes", "look"],
    ["why does it drift?", "look"],
    ["can you check whether it fits", "look"],
    ["Implement the following plan:\n\n# Plan: Rename --all to --workspace\n\nadd tests", "tidy"],
    ["Implement the following plan:\n\n# Add a flag", "make"],
    ["bump the version", undefined],
    ["change the colour of the header", undefined],
    ["get it merged", undefined],
    ["I want to go home", undefined],
    ["it looks nice", undefined],
    ["the prefix is long", undefined],
    ["newer clients", undefined],
    ["don't fix the login, it is meant to be so", undefined],
    ["修复登录", undefined],
    ["behebe den Fehler", undefined],
    ["", undefined],
  ])("%j asks to %s", (prompt, intent) => {
    expect(requestOf(prompt).intent).toBe(intent);
  });

  it("takes the first that it asks for", () => {
    expect(requestOf("add a flag. then fix the tests").intent).toBe("make");
  });

  it.each([
    ["the build is broken", true],
    ["it doesn't work", true],
    ["the test fails", true],
    ["the header does not show up", true],
    ["it no longer works", true],
    ["The page hangs after a while", true],
    ["login broke yesterday", true],
    ["the table shows all tides", false],
    ["it works like the other one", false],
    ["Medium: the cache is never emptied", true],
    ["look:\n\nTypeError: x is undefined\n    at a.ts:1", true],
    ["FAILED\n--- FAIL: TestTide (0.00s)", true],
    ["[lint] src/a.go:45:9: not wrapped", true],
    ["3 tests failed", true],
    ["add an error page", false],
    ["there are no errors any more", false],
    ["it is not a bug", false],
    ["without fixing it, tell me why", false],
    ["0 failed", false],
    ["the prefix is wrongly named".replace("wrongly", "oddly"), false],
    ["```\nthe build is broken\n```", false],
    ["> it is broken", false],
  ])("%j tells of trouble: %s", (prompt, tells) => {
    expect(requestOf(prompt).tellsOfTrouble).toBe(tells);
  });

  it("does not take long for hostile texts", () => {
    for (const text of ["a ".repeat(100_000), "(".repeat(50_000), "ok ok ".repeat(20_000), "\n".repeat(100_000)])
      expect(requestOf(text).intent).toBeUndefined();
  });
});

describe("sentencesOf", () => {
  it("leaves out what nobody typed", () => {
    const text = [
      "It fails. Why?",
      "$ npm test",
      "user@host:~/x $ ls",
      "| a | b |",
      "+++ b/a.ts",
      "[error] no",
      "    at run (a.ts:1:2)",
      "- and then, e.g. at night, it stops",
    ].join("\n");
    expect(sentencesOf(text)).toEqual(["It fails.", "Why?", "and then, e.g. at night, it stops"]);
  });
});
