import type { Place } from "../core/pieces.ts";
import type { Role } from "../core/session.ts";
import type { Clause, Match, ObservationFilter, Store } from "../store/store.ts";

/**
 * A word this frequent is not read out: its newest pieces stand for all. Reading costs a quarter of a microsecond a
 * piece, so this bounds a query's work whatever the size of the store.
 */
const READ_LIMIT = 20_000;
/** Scoring costs three times as much a piece. */
const SCORE_LIMIT = 8_000;
/** Best pieces taken from the index before they are gathered. */
const BEST = 400;

/** What to look for, and where. */
export interface Wanted {
  readonly clauses: readonly Clause[];
  readonly excluded: readonly Clause[];
  readonly places: readonly Place[];
  /** Where others stand in the same places. */
  readonly role?: Role;
  /** Whether titles of sessions and names of projects count as words of their observations. */
  readonly titles: boolean;
  readonly filter: ObservationFilter;
}

/** Observations to be scored, those that seem best first. */
export interface Candidates {
  readonly observations: readonly number[];
  readonly isExact: boolean;
  /** The best of the matching pieces, by observation, best first. Not all observations have one among them. */
  readonly matches: ReadonlyMap<number, readonly Match[]>;
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
    const count = await store.words.count(clause, wanted.places, READ_LIMIT + 1, wanted.role);
    const sessions = wanted.titles ? await store.words.sessionsWith(clause) : [];
    known.push({ clause, count, sessions: new Set(sessions) });
  }
  return known.sort((a, b) => a.count - b.count);
}

/** Observations in which every clause occurs: in one of the messages, or in the title or project of the session. */
export async function havingAll(store: Store, wanted: Wanted): Promise<Candidates> {
  const known = await lookUp(store, wanted);
  if (known.some((one) => one.count === 0 && one.sessions.size === 0)) return NONE;
  // A word of many titles stands for many observations, however rare it is elsewhere.
  const [start, ...others] = known.toSorted((a, b) => weight(a) - weight(b));
  if (start === undefined) return NONE;
  const matches = await bestMatches(store, wanted, known, "all");
  const isExact = (others.length === 0 ? start.count : weight(start)) <= READ_LIMIT;
  const inText = new Set(isExact ? await withClause(store, wanted, start.clause) : matches.keys());
  let all: readonly number[] = [...inText];
  if (isExact && start.sessions.size > 0) {
    const ofSessions = others.length === 0 ? store.words.openingOf : store.words.observationsOf;
    all = union(all, await ofSessions([...start.sessions]));
  }
  for (const other of others) all = await keep(store, wanted, all, other, inText);
  return candidates(await narrow(store, wanted, await withoutBystanders(store, all, inText)), matches, isExact);
}

/** Of what has all words in its session's title alone, the session's first observation stands for the others. */
async function withoutBystanders(
  store: Store,
  observations: readonly number[],
  inText: ReadonlySet<number>,
): Promise<readonly number[]> {
  const titled = observations.filter((observation) => !inText.has(observation));
  if (titled.length === 0) return observations;
  const sessions = await store.words.sessionsOf(titled);
  const openings = new Set(await store.words.openingOf(unique(sessions)));
  return observations.filter((observation) => inText.has(observation) || openings.has(observation));
}

/** Observations in which some of the clauses occur, the rarer ones above all. */
export async function havingSome(store: Store, wanted: Wanted): Promise<Candidates> {
  const known = (await lookUp(store, wanted)).filter((one) => one.count > 0 || one.sessions.size > 0);
  const matches = await bestMatches(store, wanted, known, "pairs");
  const found = [...matches.keys()];
  if (isRestrictive(wanted.filter)) {
    // The best of all may lie outside the filter; inside it, the newest are looked at as well.
    for (const { clause } of known.slice(0, 4)) {
      found.push(...(await withClause(store, wanted, clause)));
    }
  }
  found.push(...(await store.words.openingOf(known.flatMap((one) => [...one.sessions]).slice(0, 200))));
  return candidates(await narrow(store, wanted, unique(found)), matches, false);
}

const NONE: Candidates = { observations: [], isExact: true, matches: new Map() };

/** Those with the best matches first, then the newest. */
function candidates(observations: readonly number[], matches: Candidates["matches"], isExact: boolean): Candidates {
  const passing = new Set(observations);
  const first = [...matches.keys()].filter((observation) => passing.has(observation));
  const rest = observations.toSorted((a, b) => b - a);
  return { observations: unique([...first, ...rest]), isExact, matches };
}

/**
 * The best pieces: of those that have several of the clauses, which costs little however common they are, and of
 * those that have one, for as many of the rarer clauses as can be scored in time.
 */
async function bestMatches(
  store: Store,
  wanted: Wanted,
  known: readonly Known[],
  together: "all" | "pairs",
): Promise<Candidates["matches"]> {
  const inText = known.filter((one) => one.count > 0);
  const clauses = inText.map((one) => one.clause);
  const rare: Clause[] = [];
  let cost = 0;
  for (const one of inText) {
    cost += one.count;
    if (rare.length === 0 || cost <= SCORE_LIMIT) rare.push(one.clause);
  }
  const options = { limit: BEST, scan: SCORE_LIMIT };
  const found: Match[] = [];
  if (clauses.length > 1) {
    const joined = together === "pairs" ? clauses.slice(0, 4) : clauses;
    found.push(
      ...(await store.words.best({ clauses: joined, places: wanted.places, ...roleOf(wanted) }, together, options)),
    );
  }
  if (rare.length > 0)
    found.push(
      ...(await store.words.best({ clauses: rare, places: wanted.places, ...roleOf(wanted) }, "any", options)),
    );
  return byObservation(found);
}

/** A piece that was found both ways counts once, by the better score. */
function byObservation(found: readonly Match[]): Map<number, Match[]> {
  const pieces = new Map<string, Match>();
  for (const match of found) {
    const key = `${match.observation} ${match.message} ${match.piece}`;
    if ((pieces.get(key)?.score ?? 0) < match.score) pieces.set(key, match);
  }
  const grouped = new Map<number, Match[]>();
  for (const match of [...pieces.values()].sort((a, b) => b.score - a.score || b.observation - a.observation)) {
    const own = grouped.get(match.observation);
    if (own === undefined) grouped.set(match.observation, [match]);
    else own.push(match);
  }
  return grouped;
}

/** Those that have the clause in their text, which are noted in `inText`, or in their session's title. */
async function keep(
  store: Store,
  wanted: Wanted,
  observations: readonly number[],
  other: Known,
  inText: Set<number>,
): Promise<readonly number[]> {
  if (observations.length === 0) return observations;
  const having = new Set(await store.words.among(observations, other.clause, wanted.places, wanted.role));
  for (const observation of having) inText.add(observation);
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

function withClause(store: Store, { places, role }: Wanted, clause: Clause): Promise<readonly number[]> {
  return store.words.observationsWith(clause, places, READ_LIMIT, role);
}

/** About how many observations there are to go through. */
function weight(one: Known): number {
  return one.count + one.sessions.size * 20;
}

function roleOf({ role }: Wanted): Pick<Wanted, "role"> {
  return role === undefined ? {} : { role };
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
