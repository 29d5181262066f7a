import type { Clause, ObservationFilter, Place, Store } from "../store/store.ts";

/**
 * A word this frequent is not read out: its newest pieces stand for all. Reading costs a quarter of a microsecond a
 * piece, so this bounds a query's work whatever the size of the store.
 */
const READ_LIMIT = 20_000;
/** Scoring costs twice as much a piece. */
const SCORE_LIMIT = 12_000;
/** Best pieces taken from the index before they are gathered. */
const BEST = 300;

/** What to look for, and where. */
export interface Wanted {
  readonly clauses: readonly Clause[];
  readonly excluded: readonly Clause[];
  readonly places: readonly Place[];
  /** Whether titles of sessions and names of projects count as words of their observations. */
  readonly titles: boolean;
  readonly filter: ObservationFilter;
}

/** Observations to be scored, those that seem best first. */
export interface Candidates {
  readonly observations: readonly number[];
  readonly isExact: boolean;
  /** Clauses that were found at all, the rarest first. */
  readonly clauses: readonly Clause[];
}

interface Known {
  readonly clause: Clause;
  readonly count: number;
  readonly sessions: ReadonlySet<number>;
}

/** How often each clause occurs, the rarest first. */
async function lookUp(store: Store, wanted: Wanted): Promise<Known[]> {
  const known: Known[] = [];
  for (const clause of wanted.clauses) {
    const count = await store.words.count(clause, wanted.places, READ_LIMIT + 1);
    const sessions = wanted.titles ? await store.words.sessionsWith(clause) : [];
    known.push({ clause, count, sessions: new Set(sessions) });
  }
  return known.sort((a, b) => a.count - b.count);
}

/** Observations in which every clause occurs: in one of the messages, or in the title or project of the session. */
export async function havingAll(store: Store, wanted: Wanted): Promise<Candidates> {
  const known = await lookUp(store, wanted);
  const clauses = known.map((one) => one.clause);
  if (known.some((one) => one.count === 0 && one.sessions.size === 0))
    return { observations: [], isExact: true, clauses };
  // A word of many titles stands for many observations, however rare it is elsewhere.
  const [start, ...others] = known.toSorted((a, b) => weight(a) - weight(b));
  if (start === undefined) return { observations: [], isExact: true, clauses };

  const best = (
    await store.words.best({ clauses, places: wanted.places }, "all", { limit: BEST, scan: SCORE_LIMIT })
  ).map((match) => match.observation);
  const isExact = start.count <= READ_LIMIT;
  let all: readonly number[] = isExact
    ? union(
        await store.words.observationsWith(start.clause, wanted.places, READ_LIMIT),
        await store.words.openingOf([...start.sessions]),
      )
    : unique(best);
  for (const other of others) all = await keep(store, wanted, all, other);
  all = await narrow(store, wanted, all);
  const passing = new Set(all);
  const first = unique(best).filter((observation) => passing.has(observation));
  return { observations: unique([...first, ...all.toReversed()]), isExact, clauses };
}

/** Observations in which some of the clauses occur, the rarer ones above all. */
export async function havingSome(store: Store, wanted: Wanted): Promise<Candidates> {
  const known = (await lookUp(store, wanted)).filter((one) => one.count > 0 || one.sessions.size > 0);
  const clauses = known.map((one) => one.clause);
  const inText = known.filter((one) => one.count > 0).map((one) => one.clause);
  const found: number[] = [];
  const take = async (which: readonly Clause[], how: "any" | "pairs"): Promise<void> => {
    if (which.length === 0) return;
    const matches = await store.words.best({ clauses: which, places: wanted.places }, how, {
      limit: BEST,
      scan: SCORE_LIMIT,
    });
    found.push(...matches.map((match) => match.observation));
  };
  if (inText.length > 1) await take(inText.slice(0, 4), "pairs");
  await take(inText.slice(0, 3), "any");
  if (isRestrictive(wanted.filter)) {
    // The best of all may lie outside the filter; inside it, the newest are looked at as well.
    for (const clause of inText.slice(0, 4)) {
      found.push(...(await store.words.observationsWith(clause, wanted.places, READ_LIMIT)).toReversed());
    }
  }
  found.push(...(await store.words.openingOf(known.flatMap((one) => [...one.sessions]).slice(0, 200))));
  return { observations: await narrow(store, wanted, unique(found)), isExact: false, clauses };
}

async function keep(
  store: Store,
  wanted: Wanted,
  observations: readonly number[],
  other: Known,
): Promise<readonly number[]> {
  if (observations.length === 0) return observations;
  const having = new Set(await store.words.among(observations, other.clause, wanted.places));
  if (other.sessions.size === 0) return observations.filter((observation) => having.has(observation));
  const sessions = await store.words.sessionsOf(observations);
  return observations.filter((observation, at) => having.has(observation) || other.sessions.has(sessions[at] ?? 0));
}

async function narrow(store: Store, wanted: Wanted, observations: readonly number[]): Promise<readonly number[]> {
  let passing = await store.observations.narrow(observations, wanted.filter);
  for (const clause of wanted.excluded) {
    const having = new Set(await store.words.among(passing, clause, wanted.places));
    passing = passing.filter((observation) => !having.has(observation));
  }
  return passing;
}

function weight(one: Known): number {
  return one.count + one.sessions.size * 100;
}

function isRestrictive(filter: ObservationFilter): boolean {
  const { subagents: _, excludeSessions: __, ...rest } = filter;
  return Object.keys(rest).length > 0;
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return unique([...a, ...b]).sort((x, y) => x - y);
}

function unique(values: readonly number[]): number[] {
  return [...new Set(values)];
}
