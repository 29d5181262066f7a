import type { VectorEngine } from "../engine.ts";
import { quantise } from "../static-embedder.ts";
import { tokenTable } from "../token-table.ts";
import { createWordPieces } from "../wordpiece.ts";
import { type ModelPlace, openSentenceModel } from "./open.ts";
import { MINILM_DIMS, MINILM_ID, type Runtime } from "./sentence-model.ts";

export interface MiniLmEngine extends VectorEngine {
  readonly runtime: Runtime;
  readonly close: () => Promise<void>;
}

/** Loads the sentence model. Throws as `openSentenceModel`. */
export async function openMiniLm(place: ModelPlace, runtime?: Runtime): Promise<MiniLmEngine> {
  const model = await openSentenceModel(place, runtime);
  const { cut } = createWordPieces(tokenTable().vocabulary);
  const one = new Int32Array(1);
  return {
    id: MINILM_ID,
    dims: MINILM_DIMS,
    runtime: model.runtime,
    embed: async (texts) => {
      const vectors = [];
      // The model has a vector for nothing, too, which is near to everything that is short.
      for (const text of texts) vectors.push(cut(text, one) === 0 ? undefined : quantise(await model.embed(text)));
      return vectors;
    },
    close: () => model.close(),
  };
}
