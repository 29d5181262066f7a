import type { Clause, Store } from "../store/store.ts";
import { cosine, type Embedding } from "../vectors/static-embedder.ts";
import { isSymbol } from "./read.ts";
import type { Lexical } from "./weigh.ts";

/** What a query means, as the vector that an engine makes of it. */
export interface Meaning {
  readonly engine: string;
  readonly vector: Embedding;
}

/** How near observations are to a query in meaning: cosines, of those that have a vector of the same engine. */
export async function cosines(
  store: Store,
  { engine, vector }: Meaning,
  observations: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const vectors = await store.vectors.of(observations, engine);
  return new Map([...vectors].map(([id, own]) => [id, cosine(vector, own)]));
}

/** Of the meaning in what is weighed; the rest are the words. */
const SHARE = 0.4;
const SHARE_OF_TWO_WORDS = 0.2;

/** None where the query is exact: a name, a code or a path is to be found as it stands, and so is a single word. */
export function shareOfMeaning(typed: readonly Clause[]): number {
  if (typed.length < 2 || typed.some(({ text }) => isSymbol(text))) return 0;
  return typed.length === 2 ? SHARE_OF_TWO_WORDS : SHARE;
}

/**
 * Adds what observations mean to what their words weigh. Both are put on one scale, the words by the heaviest, the
 * cosines from the least to the greatest; what has no vector stands where the least does.
 */
export function fuse(
  lexical: readonly Lexical[],
  near: ReadonlyMap<number, number>,
  share: number,
): readonly Lexical[] {
  const heaviest = Math.max(0, ...lexical.map(({ weight }) => weight));
  const values = lexical.flatMap(({ observation }) => near.get(observation.id) ?? []);
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  if (share === 0 || heaviest === 0 || values.length === 0) return lexical;
  return lexical.map((one) => {
    const meaning = near.get(one.observation.id);
    const added = meaning === undefined ? 0 : share * heaviest * (span > 0 ? (meaning - least) / span : 1);
    return {
      ...one,
      weight: (1 - share) * one.weight + added,
      messages: one.messages.map((own) => ({ ...own, weight: (1 - share) * own.weight })),
      factors: { ...one.factors, ...(meaning !== undefined && { meaning }) },
    };
  });
}
