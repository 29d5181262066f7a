import { describe, expect, it } from "vitest";
import { createPieceCounter, weightsBy } from "./own-weights.ts";
import { cosine, createStaticEmbedder } from "./static-embedder.ts";
import { bytesSource, openTokenTable, writeTokenTable } from "./token-table.ts";

const PIECES = ["[UNK]", "tide", "harbour", "common", "rare"];
const table = openTokenTable(
  bytesSource(
    writeTokenTable({
      dims: 4,
      pieces: PIECES,
      weights: Float32Array.of(0, 1, 1, 1, 0.5),
      scales: Float32Array.of(1, 1, 1, 1, 1),
      rows: Int8Array.of(0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9),
    }),
  ),
);
const embedder = createStaticEmbedder(table);
const weightsOver = (texts: readonly string[]): number[] => {
  const counter = createPieceCounter(table, embedder);
  for (const text of texts) counter.add(text);
  return [...(weightsBy(table, counter.factors()) ?? [])];
};
const TEXTS = Array.from({ length: 5_000 }, (_, index) => (index % 100 === 0 ? "common rare" : "common common"));

describe("weights of one's own", () => {
  it("are those of the table where nothing is known yet, and close to them where there is little", () => {
    expect(weightsOver([])).toEqual([...table.weights]);
    expect(weightsOver(["", ""])).toEqual([...table.weights]);
    for (const weight of weightsOver(["common", "rare"]).slice(1, 4)) expect(weight).toBeGreaterThan(0.99);
  });

  it("are less for a piece the more texts it stands in", () => {
    const [, tide = 0, , common = 0, rare = 0] = weightsOver(TEXTS);
    expect(common).toBeLessThan(0.4);
    expect(rare / 0.5).toBeGreaterThan(0.6);
    expect(tide).toBeCloseTo(1, 5);
  });

  it("turn a text towards its rare words", () => {
    const counter = createPieceCounter(table, embedder);
    for (const text of TEXTS) counter.add(text);
    const weights = weightsBy(table, counter.factors());
    const near = (own?: Float32Array): number => {
      const [text, word] = [embedder.embed("common rare", own), embedder.embed("rare", own)];
      return text === undefined || word === undefined ? 0 : cosine(text, word);
    };
    expect(near(weights)).toBeGreaterThan(near() + 0.1);
  });

  it("are the same bytes for the same texts", () => {
    const factors = (texts: readonly string[]) => {
      const counter = createPieceCounter(table, embedder);
      for (const text of texts) counter.add(text);
      return counter.factors();
    };
    expect(factors(TEXTS)).toEqual(factors(TEXTS.toReversed()));
  });

  it.each([
    ["what was not packed", Uint8Array.of(1, 2, 3)],
    [
      "those of another table",
      createPieceCounter({ ...table, weights: table.weights.subarray(0, 3) }, embedder).factors(),
    ],
  ])("are none for %s", (_, packed) => {
    expect(weightsBy(table, packed)).toBeUndefined();
  });
});
