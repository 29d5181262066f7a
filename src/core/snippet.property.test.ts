import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needle, snippet } from "./snippet.ts";
import { stem, tokenize } from "./words.ts";

const stemsOf = (text: string): string[] => tokenize(text.normalize("NFC")).map((token) => stem(token.word));

const word = fc.oneof(
  fc.constantFrom(
    "login",
    "rates",
    "limiter",
    "getUserProfile",
    "foo_bar",
    "v2s",
    "C++",
    "Café",
    "配置",
    "한글",
    "ёлка",
  ),
  fc.constantFrom("happy", "possibility", "die", "--flag", "a'b", "😀", "\u0301", "C#", "HTTPServer", "İd", "straße"),
  fc.stringMatching(/^[a-zA-Z]{1,12}$/),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
);
const space = fc.constantFrom(" ", "\n", "  ", ", ", "\n\n", "\t");
const text = fc
  .array(fc.tuple(word, space), { minLength: 1, maxLength: 120 })
  .map((parts) => parts.map(([one, gap]) => one + gap).join(""));
/** A text, and some of its words in a row. */
const textAndNeedle = fc.tuple(text, fc.nat(), fc.integer({ min: 1, max: 3 })).map(([whole, at, count]) => {
  const words = whole.split(/\s+/).filter((one) => tokenize(one).length > 0);
  const from = words.length === 0 ? 0 : at % words.length;
  return { whole, looked: words.slice(from, from + count) };
});

describe("a snippet of a text that has the words", () => {
  it("contains them, marked where they stand", () => {
    fc.assert(
      fc.property(textAndNeedle, fc.integer({ min: 100, max: 300 }), ({ whole, looked }, limit) => {
        fc.pre(looked.length > 0);
        const needles = looked.map((one) => needle(one));
        const made = snippet(whole, needles, limit);
        expect(made.found).toBe(needles.length);
        expect(made.marks.length).toBeGreaterThan(0);
        const wanted = new Set(needles.flatMap((one) => one.stems));
        for (const [start, end] of made.marks) {
          const marked = stemsOf(made.text.slice(start, end));
          expect(marked.some((one) => wanted.has(one))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("contains a phrase of them", () => {
    fc.assert(
      fc.property(textAndNeedle, ({ whole, looked }) => {
        const phrase = looked.slice(0, 2).join(" ");
        fc.pre(stemsOf(phrase).length > 0 && phrase.length < 100);
        const made = snippet(whole, [needle(phrase)], 240);
        const marked = made.marks.map(([start, end]) => stemsOf(made.text.slice(start, end)).join(" "));
        expect(marked.join(" ")).toContain(stemsOf(phrase).join(" "));
      }),
      { numRuns: 150 },
    );
  });

  it("is found in a long text as in a short one", () => {
    fc.assert(
      fc.property(textAndNeedle, ({ whole, looked }) => {
        const needles = looked.map((one) => needle(one.toUpperCase()));
        const filler = `${"0 ".repeat(10_001)}\n`;
        expect(snippet(filler + whole, needles, 240).found).toBe(snippet(whole, needles, 240).found);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a snippet of any text for anything typed", () => {
  it("is one whole line within the limit, with marks in order", () => {
    const typed = fc.array(fc.oneof(word, fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 4 });
    fc.assert(
      fc.property(text, typed, fc.integer({ min: 20, max: 300 }), fc.boolean(), (whole, asked, limit, prefix) => {
        const made = snippet(
          whole,
          asked.map((one) => needle(one, prefix)),
          limit,
        );
        expect(made.text.length).toBeLessThanOrEqual(limit + 2);
        expect(made.text).not.toMatch(/[\n\r\t]/);
        expect(/\p{Surrogate}/u.test(made.text) && !/\p{Surrogate}/u.test(whole)).toBe(false);
        let at = 0;
        for (const [start, end] of made.marks) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(made.text.length);
      }),
      { numRuns: 150 },
    );
  });
});

describe("what long texts are searched by", () => {
  it("is where every word of the same stem begins", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,7}(?:ability|y|ies|ations|ing|ed|ness|ization|ible|e|l|ally)?$/),
        (one) => {
          expect(one.search(needle(one.toUpperCase()).loose)).toBe(0);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
