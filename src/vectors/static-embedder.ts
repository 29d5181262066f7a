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
