import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WORD_RULES } from "./redact-assignments.ts";
import { wordFinder } from "./redact-words.ts";

const WORDS = ["key", "token", "://", "kind: secret", "$2b$", "-us", "x__"];
const eachWord = wordFinder(WORDS);

function found(text: string): readonly string[] {
  const hits: string[] = [];
  eachWord(text, (at, word) => hits.push(`${at} ${word}`));
  return hits.sort();
}

/** The same by comparing at every place. */
function expected(text: string): readonly string[] {
  const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return WORDS.flatMap((word) =>
    Array.from(small, (_, at) => at)
      .filter((at) => small.startsWith(word, at))
      .map((at) => `${at} ${word}`),
  ).sort();
}

describe("wordFinder", () => {
  it.each(["key", "KEY", "aKeytOkEnkey", "https://a", "kind: Secret token", "$2b$2b$", "é://鍵key", "x_x__", "ke", ""])(
    "finds all words in %j",
    (text) => {
      expect(found(text)).toEqual(expected(text));
    },
  );

  it("finds what comparing at every place finds", () => {
    const part = fc.oneof(
      fc.constantFrom(...WORDS, ...WORDS.map((word) => word.toUpperCase())),
      fc.string({ unit: fc.constantFrom("k", "e", "y", "t", ":", "/", "$", "2", "b", "_", "x", "é", "-", "u", "s") }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        // Cut and joined, so that the letter of one word begins another.
        const text = Array.from(parts.join("")).join("");
        expect(found(text)).toEqual(expected(text));
      }),
    );
  });
});

describe("the words of the rules", () => {
  const words = [...new Set(WORD_RULES.flatMap(({ words }) => words))];

  it("are three small characters or more", () => {
    expect(words.filter((word) => word.length < 3 || /[A-Z]/.test(word))).toEqual([]);
  });

  it("are no beginnings of each other", () => {
    expect(words.filter((word) => words.some((other) => other !== word && other.startsWith(word)))).toEqual([]);
  });

  it("begin what the pattern of their rule matches", () => {
    expect(WORD_RULES.filter(({ pattern }) => !pattern.sticky).map(({ source }) => source)).toEqual([]);
  });
});
