import { ROWS_PER_BLOCK, type TokenTable } from "./token-table.ts";
import { createWordPieces } from "./wordpiece.ts";

/** Pieces of a text that count, from its start: about a thousand characters. */
const MAX_PIECES = 256;

/** A vector of length 1: `values` times `scale`, within the rounding to bytes. */
export interface Embedding {
  readonly values: Int8Array;
  readonly scale: number;
}

/** Turns texts into vectors that point the same way when they mean the same. Needs no model: it is a mean of the table's vectors. */
export interface StaticEmbedder {
  readonly dims: number;
  /** Undefined for a text of which no piece counts. `weights` are those of the table, unless others are given. */
  readonly embed: (text: string, weights?: Float32Array) => Embedding | undefined;
  /** Adds 1 to the count of each piece that occurs in a text. `counts` has a number for each piece of the vocabulary. */
  readonly countPieces: (text: string, counts: Uint32Array) => void;
}

export function createStaticEmbedder(table: TokenTable): StaticEmbedder {
  const { dims, scales } = table;
  const pieces = new Int32Array(MAX_PIECES);
  const sum = new Float64Array(dims);
  const seen = new Uint32Array(table.vocabulary.size);
  const { cut } = createWordPieces(table.vocabulary);
  let round = 0;

  return {
    dims,
    embed: (text, weights = table.weights) => {
      const count = cut(text, pieces);
      sum.fill(0);
      for (let at = 0; at < count; at += 1) {
        const piece = pieces[at] ?? 0;
        const weight = (weights[piece] ?? 0) * (scales[piece] ?? 0);
        if (weight === 0) continue;
        const rows = table.block(Math.floor(piece / ROWS_PER_BLOCK));
        const row = (piece % ROWS_PER_BLOCK) * dims;
        for (let dim = 0; dim < dims; dim += 1) sum[dim] = (sum[dim] ?? 0) + weight * (rows[row + dim] ?? 0);
      }
      return quantise(sum);
    },
    countPieces: (text, counts) => {
      const count = cut(text, pieces);
      round += 1;
      for (let at = 0; at < count; at += 1) {
        const piece = pieces[at] ?? 0;
        if (seen[piece] !== round) counts[piece] = (counts[piece] ?? 0) + 1;
        seen[piece] = round;
      }
    },
  };
}

/**
 * Weights for texts of one's own: less than the table's for a piece that is in many of them. `counts` is how many of `texts`
 * have each piece. The square root keeps words that are common in one store, such as its project's name, from vanishing.
 */
export function weightsFor(table: TokenTable, counts: Uint32Array, texts: number): Float32Array {
  const most = Math.log(1 + texts / HALF_A_TEXT);
  return table.weights.map((weight, piece) => {
    const rarity = Math.log(1 + texts / ((counts[piece] ?? 0) + HALF_A_TEXT));
    return texts === 0 ? weight : weight * Math.sqrt(rarity / most);
  });
}

const HALF_A_TEXT = 0.5;

/**
 * One vector for several texts, each of which counts the same: a prompt and its answer are found better by it than by that
 * of both texts as one. Undefined where there is none, or they cancel each other out.
 */
export function together(embeddings: readonly Embedding[]): Embedding | undefined {
  const sum = new Float64Array(embeddings[0]?.values.length ?? 0);
  for (const { values, scale } of embeddings) {
    for (let dim = 0; dim < sum.length; dim += 1) sum[dim] = (sum[dim] ?? 0) + (values[dim] ?? 0) * scale;
  }
  return quantise(sum);
}

/** Brings a vector to length 1 and to bytes. Undefined for one of no length. */
export function quantise(vector: Float64Array | Float32Array): Embedding | undefined {
  let square = 0;
  let top = 0;
  for (const value of vector) {
    square += value * value;
    top = Math.max(top, Math.abs(value));
  }
  if (!(square > 0)) return undefined;
  const values = new Int8Array(vector.length);
  const step = top / MAX_VALUE;
  for (let dim = 0; dim < values.length; dim += 1) values[dim] = Math.round((vector[dim] ?? 0) / step);
  return { values, scale: Math.fround(step / Math.sqrt(square)) };
}

const MAX_VALUE = 127;

/** From -1 to 1, up to the rounding. */
export function cosine(one: Embedding, other: Embedding): number {
  return dot(one.values, other.values) * one.scale * other.scale;
}

/** Exact: the numbers are whole. Both have the same length. */
export function dot(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let dim = 0; dim < one.length; dim += 1) sum += (one[dim] ?? 0) * (other[dim] ?? 0);
  return sum;
}
