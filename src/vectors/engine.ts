import { type Embedding, quantise } from "./static-embedder.ts";

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

/** What points where all of them do, each counting the same. Undefined where there is none, or they cancel out. */
export function sumOf(vectors: readonly (Embedding | undefined)[]): Embedding | undefined {
  const given = vectors.filter((vector) => vector !== undefined);
  const [first] = given;
  if (first === undefined || given.length === 1) return first;
  const sum = new Float64Array(first.values.length);
  for (const { values, scale } of given) {
    for (let dim = 0; dim < sum.length; dim += 1) sum[dim] = (sum[dim] ?? 0) + (values[dim] ?? 0) * scale;
  }
  return quantise(sum);
}
