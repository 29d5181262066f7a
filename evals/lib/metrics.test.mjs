import { describe, expect, it } from "vitest";
import { hitAt, interval, mean, ndcgAt, recallAt, reciprocalRank } from "./metrics.mjs";

const GOLD = new Set(["b", "d"]);

describe("what was found, against what was to be found", () => {
  it.each([
    { metric: "hit@1", value: hitAt(["a", "b"], GOLD, 1), expected: 0 },
    { metric: "hit@2", value: hitAt(["a", "b"], GOLD, 2), expected: 1 },
    { metric: "hit of nothing", value: hitAt([], GOLD, 5), expected: 0 },
    { metric: "recall@2", value: recallAt(["a", "b", "d"], GOLD, 2), expected: 0.5 },
    { metric: "recall@3", value: recallAt(["a", "b", "d"], GOLD, 3), expected: 1 },
    { metric: "recall@1 of two", value: recallAt(["b"], GOLD, 1), expected: 0.5 },
    { metric: "reciprocal rank of the third", value: reciprocalRank(["a", "c", "d", "b"], GOLD), expected: 1 / 3 },
    { metric: "reciprocal rank of none", value: reciprocalRank(["a"], GOLD), expected: 0 },
    { metric: "nDCG of both first", value: ndcgAt(["d", "b", "a"], GOLD, 10), expected: 1 },
    { metric: "nDCG of none", value: ndcgAt(["a", "c"], GOLD, 10), expected: 0 },
    // (1 / log2 3) / (1 + 1 / log2 3)
    { metric: "nDCG of one, second", value: ndcgAt(["a", "b", "c"], GOLD, 10), expected: 0.386_85 },
    { metric: "nDCG@1 of two", value: ndcgAt(["b", "a", "d"], GOLD, 1), expected: 1 },
  ])("gives $expected for $metric", ({ value, expected }) => {
    expect(value).toBeCloseTo(expected, 4);
  });
});

describe("interval", () => {
  const half = Array.from({ length: 400 }, (_, at) => at % 2);

  it("is about two standard errors to each side", () => {
    const [from, to] = interval(half);
    expect(mean(half)).toBe(0.5);
    expect(from).toBeCloseTo(0.451, 1);
    expect(to).toBeCloseTo(0.549, 1);
    expect(to - from).toBeGreaterThan(0.08);
    expect(to - from).toBeLessThan(0.12);
  });

  it("is the same for the same values", () => {
    expect(interval(half)).toEqual(interval([...half]));
  });

  it("has no width where all are alike", () => {
    expect(interval([1, 1, 1])).toEqual([1, 1]);
  });
});
