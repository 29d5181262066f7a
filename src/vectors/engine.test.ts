import { describe, expect, it } from "vitest";
import { engineName, sumOf } from "./engine.ts";
import { cosine, type Embedding, quantise } from "./static-embedder.ts";

const vector = (...values: readonly number[]): Embedding => {
  const embedding = quantise(Float64Array.from(values));
  if (embedding === undefined) throw new Error("no length");
  return embedding;
};

describe("sumOf", () => {
  it("points where all of them do, each counting the same, and has length 1", () => {
    const sum = sumOf([vector(9, 0), undefined, vector(0, 1)]);
    if (sum === undefined) throw new Error("no sum");
    expect(cosine(sum, vector(1, 1))).toBeCloseTo(1, 4);
    expect(cosine(sum, sum)).toBeCloseTo(1, 2);
  });

  it("is the only one where there is no other, and none where there is none or they cancel out", () => {
    const only = vector(1, 2);
    expect(sumOf([undefined, only])).toBe(only);
    expect(sumOf([])).toBeUndefined();
    expect(sumOf([vector(1, 0), vector(-1, 0)])).toBeUndefined();
  });
});

describe("engineName", () => {
  it.each([
    ["static/0a1b2c3d/2", "static"],
    ["minilm/v2", "minilm"],
    ["plain", "plain"],
  ])("of %s is %s", (id, name) => {
    expect(engineName(id)).toBe(name);
  });
});
