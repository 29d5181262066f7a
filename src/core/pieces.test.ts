import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPieces, MAX_PIECES, PLACES, placeOf } from "./pieces.ts";

describe("placeOf", () => {
  it.each([
    ["human", "text", "prompt"],
    ["assistant", "text", "answer"],
    ["assistant", "thinking", "aside"],
    ["summary", "text", "aside"],
    ["tool", "call", "action"],
    ["tool", "result", "output"],
    ["system", "text", "action"],
    ["system", "notice", undefined],
    ["human", "notice", undefined],
  ] as const)("%s %s stands in %s", (role, part, place) => {
    expect(placeOf(role, part)).toBe(place);
  });
});

describe("cutPieces", () => {
  it.each([
    ["nothing", "prompt", 0, []],
    ["a short prompt", "prompt", 1_200, [1_200]],
    ["a longer one", "answer", 2_500, [1_200, 1_200, 100]],
    ["output in larger pieces", "output", 8_001, [4_000, 4_000, 1]],
  ] as const)("%s", (_, place, length, sizes) => {
    expect(cutPieces(place, "x".repeat(length)).map((piece) => piece.length)).toEqual(sizes);
  });

  it("loses nothing however long the text, in as many pieces as the index can number", () => {
    const texts = fc.tuple(fc.string({ minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 4_000 }));
    fc.assert(
      fc.property(texts, fc.constantFrom(...PLACES), ([unit, times], place) => {
        const text = unit.repeat(times);
        const pieces = cutPieces(place, text);
        expect(pieces.length).toBeLessThanOrEqual(MAX_PIECES);
        expect(pieces.join("") === text).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
