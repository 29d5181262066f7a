import { describe, expect, it } from "vitest";
import { withoutStopWords } from "./stop-words.ts";

describe("withoutStopWords", () => {
  it.each([
    ["leaves out what stands everywhere", ["how", "did", "we", "fix", "the", "login"], ["fix", "login"]],
    ["in any case, before a sign", ["What", "is", "it?", "login"], ["login"]],
    [
      "keeps all where nothing else is left",
      ["to", "be", "or", "not", "to", "be"],
      ["to", "be", "or", "not", "to", "be"],
    ],
    ["keeps what has other signs", ["a'b", "--all", "is_a", "login"], ["a'b", "--all", "is_a", "login"]],
    ["keeps other scripts", ["和", "и", "login"], ["和", "и", "login"]],
    ["of nothing is nothing", [], []],
  ])("%s", (_, words, kept) => {
    const result = withoutStopWords(words.map((text) => ({ text, isPhrase: false })));
    expect(result.kept.map((term) => term.text)).toEqual(kept);
    expect(result.ignored).toEqual(kept.length === words.length ? [] : words.filter((word) => !kept.includes(word)));
  });

  it("keeps what was quoted", () => {
    const terms = [
      { text: "to be", isPhrase: true },
      { text: "the", isPhrase: false },
    ];
    expect(withoutStopWords(terms)).toEqual({ kept: terms.slice(0, 1), ignored: ["the"] });
  });
});
