import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { StaticEmbedder } from "./static-embedder.ts";
import type { TokenTable } from "./token-table.ts";

/** So many texts say as much of how common a piece is as what the table was made from. */
const TEXTS_OF_PRIOR = 500;
/** How far what is rare here counts more than the table has it. The root of it finds better than the whole. */
const STRENGTH = 0.5;
/** Factors are kept as bytes in steps of this. */
const STEP = 1 / 64;
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
      const exponent = (STRENGTH * texts) / (texts + TEXTS_OF_PRIOR);
      const bytes = Uint8Array.from(counts, (count) => {
        const rarity = Math.log(1 + (texts - count + 0.5) / (count + 0.5));
        return Math.min(MAX_BYTE, Math.max(1, Math.round(rarity ** exponent / STEP)));
      });
      return deflateRawSync(bytes);
    },
  };
}

/** The table's weights times those factors. Undefined for what are no factors for this table. */
export function weightsBy(table: TokenTable, packed: Uint8Array): Float32Array | undefined {
  const factors = unpacked(packed);
  if (factors?.length !== table.weights.length) return undefined;
  return table.weights.map((weight, piece) => weight * (factors[piece] ?? 0) * STEP);
}

function unpacked(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(packed);
  } catch {
    return undefined;
  }
}
