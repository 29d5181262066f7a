import type { Store } from "../store/store.ts";
import { type Candidates, narrow, type Wanted } from "./candidates.ts";
import type { Meaning } from "./meaning.ts";
import type { Here } from "./weigh.ts";

/** Of those that have all words, as many are weighed whatever else there is. */
export const MOST_STRICT = 24;
/** Of those that have some words, as many are weighed before those that have none. */
const MOST_LOOSE = 64;
/** Of what has none of the words, as many that are nearest in meaning are weighed too. */
const MOST_NEAR = 40;
/** Cosine below which what has none of the words is only the least far. */
const NEAR_ENOUGH = 0.3;
/** Vectors that are compared: of the project in which is searched or asked, and of all others. The latest sessions come first. */
const COMPARED = 10_000;

/** Observations near in meaning, the nearest first: of the project where the query is asked, then of all. */
export async function nearestTo(
  store: Store,
  wanted: Wanted,
  meaning: Meaning,
  here: Here | undefined,
): Promise<readonly number[]> {
  const { projects = here === undefined ? undefined : [here.project] } = wanted.filter;
  const request = { limit: MOST_NEAR, most: COMPARED };
  const within = { ...request, ...(projects !== undefined && { projects }) };
  const looks = [within, ...(wanted.filter.projects === undefined && projects !== undefined ? [request] : [])];
  const found = new Map<number, number>();
  for (const look of looks) {
    const { found: nearest } = await store.vectors.nearest(meaning.vector, meaning.engine, look);
    for (const { observation, cosine } of nearest) if (cosine >= NEAR_ENOUGH) found.set(observation, cosine);
  }
  const ordered = [...found].sort(([a, near], [b, far]) => far - near || a - b).map(([observation]) => observation);
  return narrow(store, wanted, ordered.slice(0, MOST_NEAR));
}

/** Those that have all words, those that have some and those near in meaning, weighed as one. */
export function merge(strict: Candidates, loose: Candidates, near: readonly number[] = []): Candidates {
  const { observations } = strict;
  const first = [...observations.slice(0, MOST_STRICT), ...loose.observations.slice(0, MOST_LOOSE), ...near];
  return {
    observations: [...new Set([...first, ...loose.observations, ...observations])],
    isExact: false,
    matches: new Map([...strict.matches, ...loose.matches]),
    titles: new Map([...strict.titles, ...loose.titles]),
  };
}
