import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type StaticEmbedder, weightsFor } from "./static-embedder.ts";
import type { TokenTable } from "./token-table.ts";

/** So many texts say as much of how common a piece is as what the table was made from. */
const TEXTS_OF_PRIOR = 500;
/** Factors are kept as bytes. */
const MAX_BYTE = 255;

/** Counts in how many texts each piece of a word occurs. */
export interface PieceCounter {
  readonly add: (text: string) => void;
  /** What the weights of pieces are to be multiplied with, packed. The fewer texts there were, the closer to 1 they are. */
  readonly factors: () => Uint8Array;
}

export function createPieceCounter(table: TokenTable, { countPieces }: StaticEmbedder): PieceCounter {
  const counts = new Uint32Array(table.vocabulary.size);
  let texts = 0;
  return {
    add: (text) => {
      if (text === "") return;
      countPieces(text, counts);
      texts += 1;
    },
    factors: () => {
      const exponent = texts / (texts + TEXTS_OF_PRIOR);
      const bytes = Uint8Array.from(weightsFor(table, counts, texts), (own, piece) => {
        const weight = table.weights[piece] ?? 0;
        return weight === 0 ? MAX_BYTE : Math.max(1, Math.round(MAX_BYTE * (own / weight) ** exponent));
      });
      return deflateRawSync(bytes);
    },
  };
}

/** The table's weights times those factors. Undefined for what are no factors for this table. */
export function weightsBy(table: TokenTable, packed: Uint8Array): Float32Array | undefined {
  const factors = unpacked(packed);
  if (factors?.length !== table.weights.length) return undefined;
  return table.weights.map((weight, piece) => weight * ((factors[piece] ?? 0) / MAX_BYTE));
}

function unpacked(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(packed);
  } catch {
    return undefined;
  }
}
