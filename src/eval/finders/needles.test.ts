import { describe, expect, it } from "vitest";
import { lots } from "../chance.ts";
import { Needles } from "./needles.ts";

describe("needles", () => {
  it.each([
    ["inside of words", ["tide", "table"], "the unstable tides", ["table", "tide"]],
    ["one within another", ["she", "he", "hers"], "ushers", ["he", "hers", "she"]],
    ["one that ends in another, where the longer one does not stand", ["abcd", "bc"], "abce", ["bc"]],
    ["signs and other scripts", ["a.b()", "潮", "naïve"], "x = a.b(); 潮汐 naïve", ["a.b()", "naïve", "潮"]],
    ["each once", ["aa"], "aaaa", ["aa"]],
    ["none", ["tide"], "", []],
  ])("are found: %s", (_, words, text, found) => {
    expect(
      new Needles(words)
        .in(text)
        .map((at) => words[at])
        .sort(),
    ).toEqual(found);
  });

  it("are found where a plain search finds them", () => {
    const draw = lots(7);
    const word = (most: number): string =>
      Array.from({ length: 1 + Math.floor(draw() * most) }, () => "abc"[Math.floor(draw() * 3)]).join("");
    for (let run = 0; run < 200; run++) {
      const words = [...new Set(Array.from({ length: 12 }, () => word(5)))];
      const needles = new Needles(words);
      for (const text of [word(30), word(30)]) {
        expect(new Set(needles.in(text).map((at) => words[at]))).toEqual(
          new Set(words.filter((one) => text.includes(one))),
        );
      }
    }
  });
});
