import { once } from "../core/once.ts";
import type { VectorEngine } from "./engine.ts";
import { weightsBy } from "./own-weights.ts";
import type { StaticEmbedder } from "./static-embedder.ts";
import type { TokenTable } from "./token-table.ts";

export const STATIC = "static";

/** Which vectors of the table these are: another generation weighs the pieces of words otherwise. */
export function staticEngineId({ id }: TokenTable, generation: number): string {
  return `${STATIC}/${id}/${generation}`;
}

/** The generation that an id of this table names. */
export function generationIn({ id }: TokenTable, engine: string): number | undefined {
  const [name, table, generation] = engine.split("/");
  return name === STATIC && table === id && /^\d+$/.test(generation ?? "") ? Number(generation) : undefined;
}

/** The engine that needs no model. `factors`: see `createPieceCounter`; without them, pieces weigh what they do in the table. */
export function createStaticEngine(
  table: TokenTable,
  embedder: StaticEmbedder,
  generation: number,
  factors?: Uint8Array,
): VectorEngine {
  const weights = once(() => (factors === undefined ? undefined : weightsBy(table, factors)));
  return {
    id: staticEngineId(table, generation),
    dims: table.dims,
    embed: async (texts) => texts.map((text) => embedder.embed(text, weights())),
  };
}
