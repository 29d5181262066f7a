import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "../core/words.ts";
import { parseQuery } from "./query.ts";

/** Words, phrases in quotes, exclusions behind a minus. */
function shown(text: string): string[] {
  const { terms, excluded } = parseQuery(text);
  const show = (term: { text: string; isPhrase: boolean }): string => (term.isPhrase ? `"${term.text}"` : term.text);
  return [...terms.map(show), ...excluded.map((term) => `NOT ${show(term)}`)];
}

describe("words", () => {
  it.each([
    ["words", "fix the login", ["fix", "the", "login"]],
    ["a phrase", 'the "rate limit" hit', ["the", '"rate limit"', "hit"]],
    ["a phrase in typographic quotes", "“rate limit” hit", ['"rate limit"', "hit"]],
    ["a phrase that does not end", 'the "rate limit', ["the", '"rate limit"']],
    ["a quote within a word", 'say"so', ['say"so']],
    ["a lone quote and empty quotes", '" ""', []],
    ["signs alone", "-- ?? ! \u0000", []],
    ["an exclusion", "login -page", ["login", "NOT page"]],
    ["an excluded phrase", 'login -"the page"', ["login", 'NOT "the page"']],
    ["an exclusion alone is meant as typed", "-page", ["-page"]],
    ["a flag is no exclusion", "npm --dry-run -rf -v", ["npm", "--dry-run", "-rf", "-v"]],
    ["a hyphen is no exclusion", "ask-codex POL-358", ["ask-codex", "POL-358"]],
    [
      "what only looks like a filter",
      "status:500 https://a.b/c re:invent",
      ["status:500", "https://a.b/c", "re:invent"],
    ],
    ["a field without a value", "since: login", ["since:", "login"]],
    ["a field's name in a longer word", "xproject:api", ["xproject:api"]],
    ["an excluded filter of another field is an excluded word", "login -type:bugfix", ["login", "NOT type:bugfix"]],
    ["a flag with its value is no exclusion", "plan -target=module.db -x", ["plan", "-target=module.db", "-x"]],
    ["numbers and signs that are no tags", "#123 C# c++ #", ["#123", "C#", "c++"]],
    [
      "symbols",
      "foo.bar() __init__ a'b 61.2% user@example.com",
      ["foo.bar()", "__init__", "a'b", "61.2%", "user@example.com"],
    ],
    ["Chinese", "重跑gen-itgc后", ["重跑gen-itgc后"]],
    ["operators of others are words", "NEAR( a AND b OR NOT c*", ["NEAR(", "a", "AND", "b", "OR", "NOT", "c*"]],
  ])("%s", (_, text, words) => {
    expect(shown(text)).toEqual(words);
  });
});

describe("filters", () => {
  it.each([
    [
      "each field",
      "project:api agent:codex type:bugfix role:tool",
      { project: "api", agent: "codex", type: "bugfix", role: "tool" },
    ],
    ["more of them", "file:src/a.ts branch:main tag:Release", { file: "src/a.ts", branch: "main", tag: "Release" }],
    ["dates", "since:2026-06-01 until:yesterday on:friday", { since: "2026-06-01", until: "yesterday", on: "friday" }],
    ["a value with spaces", 'project:"my app" since:"last month"', { project: "my app", since: "last month" }],
    ["a value with a colon", "branch:fix/a:b", { branch: "fix/a:b" }],
    ["a tag for short", "#Release-2", { tag: "release-2" }],
    ["the last one counts", "project:a project:b", { project: "b" }],
    ["none", "login", {}],
  ])("%s", (_, text, filters) => {
    expect(parseQuery(text).filters).toEqual(filters);
  });

  it("stand beside words", () => {
    expect(shown('login project:api "rate limit" -page')).toEqual(["login", '"rate limit"', "NOT page"]);
  });

  it("keep exclusions exclusions", () => {
    expect(shown("project:api -page")).toEqual(["NOT page"]);
  });

  it.each([
    ["type:nonsense", "type: takes one of decision, bugfix"],
    ["role:user", "role: takes one of human, assistant, tool"],
  ])("%s is a word, and said so", (text, warning) => {
    const query = parseQuery(text);
    expect(query.filters).toEqual({});
    expect(shown(text)).toEqual([text]);
    expect(query.warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ["tag:release", true],
    ["#release", false],
    ["login", false],
  ])("%s: the tag is explicit: %s", (text, isExplicit) => {
    expect(parseQuery(text).tagIsExplicit).toBe(isExplicit);
  });
});

describe("anything typed", () => {
  it("is a query, of which every word has something to look for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const { terms, excluded, warnings } = parseQuery(text);
        for (const term of [...terms, ...excluded]) expect(tokenize(term.text).length).toBeGreaterThan(0);
        expect(warnings).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("loses no word", () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}]{1,8}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        expect(shown(words.join(" "))).toEqual(words);
      }),
    );
  });

  it("may be long", () => {
    expect(parseQuery("word ".repeat(20_000)).terms).toHaveLength(20_000);
    expect(parseQuery('"'.repeat(20_000)).terms).toHaveLength(0);
    expect(parseQuery("-".repeat(20_000)).terms).toHaveLength(0);
  });
});

describe("filters behind a minus", () => {
  it.each([
    ["login -project:api", ["project api"], ["login"]],
    ['-agent:codex -project:"my shop" login -page', ["agent codex", "project my shop"], ["login", "NOT page"]],
    ["-project:api", ["project api"], []],
    ["-project: login", [], ["login", "NOT project:"]],
  ])("%s", (text, without, words) => {
    expect(parseQuery(text).without.map(({ field, value }) => `${field} ${value}`)).toEqual(without);
    expect(shown(text)).toEqual(words);
  });
});
