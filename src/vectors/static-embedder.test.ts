import { describe, expect, it } from "vitest";
import {
  cosine,
  createStaticEmbedder,
  dot,
  type Embedding,
  quantise,
  together,
  weightsFor,
} from "./static-embedder.ts";
import { bytesSource, openTokenTable, tokenTable, writeTokenTable } from "./token-table.ts";

// "a" and "b" point in different directions, "c" between them; "d" does not count.
const small = createStaticEmbedder(
  openTokenTable(
    bytesSource(
      writeTokenTable({
        dims: 2,
        pieces: ["[UNK]", "a", "b", "c", "d"],
        weights: Float32Array.of(0, 1, 1, 1, 0),
        scales: Float32Array.of(1, 0.5, 0.25, 1, 1),
        rows: Int8Array.of(9, 9, 100, 0, 0, 100, 70, 70, -100, 0),
      }),
    ),
  ),
);

describe("a text's vector", () => {
  it("has length 1", () => {
    const embedding = embed("a b c c");
    expect(cosine(embedding, embedding)).toBeCloseTo(1, 2);
    expect(numbersOf(embed("a"))).toEqual([1, 0].map((value) => expect.closeTo(value, 6)));
  });

  it("is the mean of its pieces' vectors, each by its scale and weight", () => {
    const [x = 0, y = 0] = numbersOf(embed("a b"));
    expect(x / y).toBeCloseTo(2, 1);
    const [left = 0, right = 0] = numbersOf(embed("a b", Float32Array.of(0, 1, 4, 0, 0)));
    expect(right / left).toBeCloseTo(2, 1);
  });

  it.each([
    ["has no pieces", " "],
    ["has none that is known", "x y"],
    ["has none that counts", "d d"],
  ])("is not there for a text that %s", (_, text) => {
    expect(small.embed(text)).toBeUndefined();
  });

  it("is of the first 256 pieces", () => {
    expect(embed(`${"a ".repeat(256)}${"b ".repeat(256)}`)).toEqual(embed("a"));
  });

  it("is near that of a text that says the same", () => {
    const { embed: embedText } = createStaticEmbedder(tokenTable());
    const near = (one: string, other: string): number => cosine(given(embedText(one)), given(embedText(other)));
    expect(near("users cannot log in", "authentication error at sign-in")).toBeGreaterThan(
      near("users cannot log in", "a recipe for an apple pie"),
    );
    expect(near("speed up the database query", "make SQL faster")).toBeGreaterThan(
      near("speed up the database query", "choose a colour for the button"),
    );
  });
});

describe("numbers as bytes", () => {
  it("keep the direction", () => {
    expect(quantise(Float64Array.of(3, -4, 0))).toEqual({
      values: Int8Array.of(95, -127, 0),
      scale: expect.closeTo(0.8 / 127, 8),
    });
    expect(quantise(Float64Array.of(0, 0))).toBeUndefined();
    expect(quantise(Float64Array.of(Number.NaN, 1))).toBeUndefined();
    expect(dot(Int8Array.of(127, -128), Int8Array.of(127, -128))).toBe(127 * 127 + 128 * 128);
  });
});

describe("weights for texts of one's own", () => {
  it("are less for a piece the more texts have it, and nothing for one that does not count", () => {
    const table = tokenTable();
    const counts = new Uint32Array(table.vocabulary.size);
    const [hello, world, unknown] = [7592, 2088, 100];
    counts[hello] = 10;
    counts[world] = 1000;
    const weights = weightsFor(table, counts, 1000);
    const shares = [hello, world].map((piece) => (weights[piece] ?? 0) / (table.weights[piece] ?? 0));
    expect(shares).toEqual([expect.closeTo(0.775, 3), expect.closeTo(0.302, 3)]);
    expect(weights[unknown]).toBe(0);
  });

  it("are the table's where there are no texts", () => {
    const table = tokenTable();
    expect(weightsFor(table, new Uint32Array(table.vocabulary.size), 0)).toEqual(table.weights);
  });
});

describe("one vector for several texts", () => {
  it("lies between theirs, whatever their length", () => {
    const [x = 0, y = 0] = numbersOf(given(together([embed("a a a a"), embed("b")])));
    expect([x, y]).toEqual([expect.closeTo(Math.SQRT1_2, 2), expect.closeTo(Math.SQRT1_2, 2)]);
  });

  it("is not there for none, nor for opposite ones", () => {
    expect(together([])).toBeUndefined();
    const { values, scale } = embed("a");
    expect(
      together([
        { values, scale },
        { values, scale: -scale },
      ]),
    ).toBeUndefined();
  });
});

describe("the count of texts with a piece", () => {
  it("counts each text once", () => {
    const counts = new Uint32Array(5);
    for (const text of ["a a b", "b", "c x"]) small.countPieces(text, counts);
    expect([...counts]).toEqual([1, 1, 2, 1, 0]);
  });
});

function embed(text: string, weights?: Float32Array): Embedding {
  return given(small.embed(text, weights));
}

function given(embedding: Embedding | undefined): Embedding {
  if (embedding === undefined) throw new Error("There is no vector");
  return embedding;
}

function numbersOf({ values, scale }: Embedding): number[] {
  return Array.from(values, (value) => value * scale);
}
