import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearTerms, otherBeginnings } from "./spelling.ts";

describe("distance of words", () => {
  it.each([
    ["cache", "cache", 0],
    ["cache", "cahce", 1],
    ["cache", "cach", 1],
    ["cache", "cachee", 1],
    ["cache", "cacke", 1],
    ["cache", "ahce", 2],
    ["", "ab", 2],
    ["ёлка", "елка", 1],
  ])("%s, %s: %i", (one, other, expected) => {
    expect(editDistance(one, other)).toBe(expected);
    expect(editDistance(other, one)).toBe(expected);
  });
});

describe("near terms of a sorted list", () => {
  const lookIn = (terms: readonly string[]): ((from: string) => string | undefined) => {
    const sorted = [...new Set(terms)].sort();
    return (from) => sorted.find((term) => term >= from);
  };

  it("are those that comparing each of them finds", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "z", "я"), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), word, fc.integer({ min: 1, max: 2 }), (terms, typed, distance) => {
        const near = [...new Set(terms)]
          .filter((term) => term.startsWith(typed.slice(0, 1)) && editDistance(term, typed) <= distance)
          .sort();
        expect(nearTerms(typed, { distance, kept: 1, looks: 1_000 }, lookIn(terms))).toEqual(near);
      }),
      { numRuns: 500 },
    );
  });

  it("are found in a bounded number of looks", () => {
    const terms = Array.from({ length: 26 ** 3 }, (_, at) => `co${(at + 26 ** 3).toString(26)}fig`);
    let looks = 0;
    const look = lookIn(["config", ...terms]);
    const found = nearTerms("confg", { distance: 1, kept: 1, looks: 160 }, (from) => {
      looks += 1;
      return look(from);
    });
    expect(found).toEqual(["config"]);
    expect(looks).toBeLessThan(160);
  });
});

describe("other beginnings of a word", () => {
  it.each(["uathor", "uthor", "nauthor", "suthor", "aauthor"])("of %s", (typed) => {
    expect([...otherBeginnings(typed)]).toContain("author");
  });

  it("are never the word itself", () => {
    expect(otherBeginnings("aab")).not.toContain("aab");
  });
});
