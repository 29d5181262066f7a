import type { Embedding } from "./static-embedder.ts";

/** Makes vectors of texts. Those of engines with different ids are never compared. */
export interface VectorEngine {
  /** Its name, a slash, and whatever makes its vectors others: another model, another table, other weights. */
  readonly id: string;
  readonly dims: number;
  /** In the order of the texts; undefined for one in which nothing says anything to the engine. */
  readonly embed: (texts: readonly string[]) => Promise<readonly (Embedding | undefined)[]>;
}

/** What an engine is called in the settings: its id, up to the first slash. */
export function engineName(id: string): string {
  return id.split("/", 1)[0] ?? id;
}
