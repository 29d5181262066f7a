import { any5, type Figure, figure, hit1, mean, reciprocal, type Score } from "./figures.ts";

/** Places of first right answers, by id of the question; undefined where there was none. */
export type Ranks = ReadonlyMap<string, Score["rank"]>;

/** What changed from one run to another, by the questions that both asked. */
export interface Comparison {
  readonly questions: number;
  readonly hit1: Figure;
  readonly any5: Figure;
  readonly mrr10: Figure;
  /** Ids of questions with a right answer among the first five now and not before, and the other way round. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
}

export function compareRanks(before: Ranks, after: Ranks): Comparison {
  const ids = [...after.keys()].filter((id) => before.has(id));
  const pairs = ids.map((id) => ({ id, was: { rank: before.get(id) }, is: { rank: after.get(id) } }));
  const change = (of: (score: Pick<Score, "rank">) => number): Figure =>
    figure(
      pairs.map(({ was, is }) => of(is) - of(was)),
      mean,
    );
  return {
    questions: ids.length,
    hit1: change(hit1),
    any5: change(any5),
    mrr10: change(reciprocal),
    won: pairs.filter(({ was, is }) => any5(is) > any5(was)).map(({ id }) => id),
    lost: pairs.filter(({ was, is }) => any5(is) < any5(was)).map(({ id }) => id),
  };
}
