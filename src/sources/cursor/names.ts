import { fieldsOf, numberOf, pairsOf } from "../fields.ts";

/**
 * How often each text was said. Holds few at a time: when it is full it starts anew, in a round of its own, so that
 * names stay unique and memory small.
 */
export interface Tally {
  round: number;
  readonly counts: Map<string, number>;
}

export function newTally(): Tally {
  return { round: 0, counts: new Map() };
}

/** Takes what `dumpTally` gave, or anything else as an empty one. */
export function loadTally(state: unknown): Tally {
  const { round, counts } = fieldsOf(state);
  const known = pairsOf(counts).map(([name, count]): [string, number] => [name, numberOf(count) ?? 1]);
  return { round: numberOf(round) ?? 0, counts: new Map(known) };
}

export function dumpTally({ round, counts }: Tally): unknown {
  return { round, counts: [...counts].map(([name, count]) => [name, String(count)]) };
}

/** A name for what is said now, which no other has: the same text a second time is another one. */
export function nameAnew(tally: Tally, text: string): string {
  const nth = (tally.counts.get(text) ?? 0) + 1;
  if (nth === 1 && tally.counts.size >= MAX_COUNTS) {
    tally.counts.clear();
    tally.round += 1;
  }
  tally.counts.set(text, nth);
  return `${text}${nth === 1 ? "" : `.${nth}`}${tally.round === 0 ? "" : `~${tally.round}`}`;
}

const MAX_COUNTS = 150;
