import { MAX_PIECES, type Place } from "../core/pieces.ts";
import type { Role } from "../core/session.ts";
import type { Clause, Match, ObservationFilter, Occurrences, Store } from "../store/store.ts";

/**
 * A word in more pieces than this is common: its list is not read but asked about single observations, and it is not
 * scored, since scoring goes through the whole list. So a query's work is bounded whatever the size of the store.
 * Finding several words in a row costs more a piece.
 */
const COMMON = 5_000;
const COMMON_IN_A_ROW = 1_500;
/** Pieces of all the words together that are scored. */
const SCORED_PIECES = 8_000;
/** Best pieces taken from the index before they are gathered. */
const BEST = 400;
/** Commoner words that are looked for beside the rarer ones. */
const COMMON_ADDED = 3;
/** Newest pieces taken of those that have several common words. */
const NEWEST = 200;
/** Observations asked about at once, and at most, where a common word has to be looked up in each. */
const BUNCH = 128;
const LOOK_UPS = 1_024;
/** As many as ranking scores, however few were asked for: then every page is cut from one order. */
export const ENOUGH = 128;

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
  /** Where clauses occur, as far as it was looked up: what is sought in several ways is looked up once. */
  readonly known: Map<string, Known>;
  /** Told what has the words and is left out, those that seem best first. */
  readonly onDropped?: (observations: readonly number[], why: DropReason) => void;
}

/** Where it is looked, and what is known of that. */
export type Scope = Pick<Wanted, "places" | "role" | "titles" | "known">;

/**
 * `filter`: it does not pass. `excluded`: it has a word that was not wanted. `folded`: it has all words in its session's
 * title alone, and the session's first observation stands for it.
 */
export type DropReason = "filter" | "excluded" | "folded";

/** Observations to be scored, those that seem best first. */
export interface Candidates {
  readonly observations: readonly number[];
  readonly isExact: boolean;
  /** The best of the matching pieces, by observation, best first. Not all observations have one among them. */
  readonly matches: ReadonlyMap<number, readonly Match[]>;
  /** What the words in the title of a session or the name of its project weigh, by session. */
  readonly titles: ReadonlyMap<number, number>;
}

export interface Known {
  readonly clause: Clause;
  /** Where it occurs; undefined where it is common. */
  readonly found: Occurrences | undefined;
  /** Pieces that have it, counted no further than tells that it is common. */
  readonly pieces: number;
  readonly sessions: ReadonlySet<number>;
}

/** Where each clause occurs, the rarest first. */
async function lookUp(store: Store, wanted: Wanted): Promise<Known[]> {
  const known: Known[] = [];
  for (const clause of wanted.clauses) known.push(await lookUpOnce(store, wanted, clause));
  return known.sort((a, b) => weight(a) - weight(b));
}

async function lookUpOnce(store: Store, wanted: Scope, clause: Clause): Promise<Known> {
  const key = `${clause.prefix === true ? "*" : ""}${clause.text}`;
  const known = wanted.known.get(key) ?? (await lookUpOne(store, wanted, clause));
  wanted.known.set(key, known);
  return known;
}

/** Whether a clause stands anywhere, in a text or a title. */
export async function occurs(store: Store, wanted: Scope, text: string): Promise<boolean> {
  return !isNowhere(await lookUpOnce(store, wanted, { text }));
}

async function lookUpOne(store: Store, { places, role, titles }: Scope, clause: Clause): Promise<Known> {
  const limit = isRow(clause) ? COMMON_IN_A_ROW : COMMON;
  // Counting is quicker than reading, but not where words have to be found in a row.
  const counted = isRow(clause) ? 0 : await store.words.count(clause, places, limit + 1, role);
  const found = counted > limit ? undefined : await store.words.list(clause, places, limit + 1, role);
  const pieces = found?.pieces ?? counted;
  const sessions = new Set(titles ? await store.words.sessionsWith(clause) : []);
  return { clause, pieces, sessions, found: pieces > limit ? undefined : found };
}

/** Whether the index finds it as several words in a row, such as a phrase, a path or a symbol of parts. */
function isRow(clause: Clause): boolean {
  return /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(clause.text);
}

/**
 * Observations in which every clause occurs: in one of the messages, or in the title or project of the session. Of
 * common words at least `need`, or else `enough`, the best and newest, are found.
 */
export async function havingAll(store: Store, wanted: Wanted, need: number, enough = ENOUGH): Promise<Candidates> {
  const known = await lookUp(store, wanted);
  if (known.some(isNowhere)) return NONE;
  const [start, ...others] = known;
  if (start === undefined) return NONE;
  const matches = await bestMatches(store, wanted, known, "all", need);
  const isListed = start.found !== undefined && (others.length === 0 || weight(start) <= COMMON);
  const inText = new Set(isListed ? start.found.observations : matches.keys());
  let all: readonly number[] = [...inText];
  if (isListed && start.sessions.size > 0) {
    const ofSessions = others.length === 0 ? store.words.openingOf : store.words.observationsOf;
    all = union(all, await ofSessions([...start.sessions]));
  }
  for (const other of others.filter((one) => one.found !== undefined))
    all = await keep(store, wanted, all, other, inText);
  const common = others.filter((one) => one.found === undefined);
  const { passing, isExact } = await lookInto(
    store,
    wanted,
    candidates(all, matches, true),
    common,
    inText,
    Math.max(need, enough),
  );
  const standing = await withoutBystanders(store, passing, inText);
  drop(wanted, passing, standing, "folded");
  return candidates(standing, matches, isExact && isListed, await titlesOf(store, known));
}

/** Those that pass the filter and have the common words too, in order, until there are enough. */
async function lookInto(
  store: Store,
  wanted: Wanted,
  { observations }: Candidates,
  common: readonly Known[],
  inText: Set<number>,
  need: number,
): Promise<{ readonly passing: readonly number[]; readonly isExact: boolean }> {
  if (common.length === 0) return { passing: await narrow(store, wanted, observations), isExact: true };
  const passing: number[] = [];
  for (let at = 0; at < observations.length; at += BUNCH) {
    if (passing.length >= need || at >= LOOK_UPS) return { passing, isExact: false };
    let bunch = await narrow(store, wanted, observations.slice(at, at + BUNCH));
    for (const other of common) bunch = await keep(store, wanted, bunch, other, inText);
    passing.push(...bunch);
  }
  return { passing, isExact: true };
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
export async function havingSome(store: Store, wanted: Wanted, need: number): Promise<Candidates> {
  const known = (await lookUp(store, wanted)).filter((one) => !isNowhere(one));
  const matches = await bestMatches(store, wanted, known, "pairs", need);
  const found = [...matches.keys()];
  if (isRestrictive(wanted.filter)) {
    // The best of all may lie outside the filter; inside it, the newest are looked at as well.
    for (const one of known.slice(0, 4)) found.push(...(one.found?.observations ?? []));
  }
  found.push(...(await store.words.openingOf(known.flatMap((one) => [...one.sessions]).slice(0, 200))));
  return candidates(await narrow(store, wanted, unique(found)), matches, false, await titlesOf(store, known));
}

const NONE: Candidates = { observations: [], isExact: true, matches: new Map(), titles: new Map() };

/** Those with the best matches first, then the newest. */
function candidates(
  observations: readonly number[],
  matches: Candidates["matches"],
  isExact: boolean,
  titles: Candidates["titles"] = new Map(),
): Candidates {
  const passing = new Set(observations);
  const first = [...matches.keys()].filter((observation) => passing.has(observation));
  const rest = observations.toSorted((a, b) => b - a);
  return { observations: unique([...first, ...rest]), isExact, matches, titles };
}

/**
 * The best pieces of those that have one of the rarer clauses, for as many clauses as can be scored in time, with what
 * the commoner ones that stand in the same pieces add; and where some are common, the newest that have several.
 */
async function bestMatches(
  store: Store,
  wanted: Wanted,
  known: readonly Known[],
  together: "all" | "pairs",
  need: number,
): Promise<Candidates["matches"]> {
  const inText = known.filter((one) => one.pieces > 0);
  const rare: Known[] = [];
  const common: Known[] = [];
  const found: Match[] = [];
  const extent = await store.words.extent();
  let sum = 0;
  for (const one of inText) {
    sum += one.pieces;
    if (one.found === undefined || sum > SCORED_PIECES) common.push(one);
    else if (isRow(one.clause)) {
      const score = rarity(one.pieces, extent);
      found.push(...one.found.newest(BEST).map((match) => ({ ...match, score })));
    } else rare.push(one);
  }
  const { places } = wanted;
  if (rare.length > 0) {
    const query = { clauses: rare.map(({ clause }) => clause), places, ...roleOf(wanted) };
    found.push(...(await store.words.best(query, BEST)));
    for (const { clause, pieces } of common.slice(0, COMMON_ADDED)) {
      const score = rarity(pieces, extent);
      found.push(...(await store.words.beside(query, clause)).map((match) => ({ ...match, score })));
    }
  }
  if (common.length > 0) {
    // Twice and more of what is shown, so that a page goes on where the one before it ended.
    const limit = need > ENOUGH ? need * 4 : NEWEST;
    const clauses = inText.slice(0, together === "pairs" ? 4 : inText.length).map((one) => one.clause);
    // What people and agents said comes before what tools were given and printed.
    for (const [part, score] of [
      [places.filter((place) => SPOKEN.includes(place)), SPOKEN_SCORE],
      [places.filter((place) => !SPOKEN.includes(place)), OTHER_SCORE],
    ] as const) {
      if (part.length === 0) continue;
      const query = { clauses, places: part, ...roleOf(wanted) };
      const newest = await store.words.newest(query, clauses.length > 1 ? together : "all", limit);
      found.push(...newest.map((match) => ({ ...match, score })));
    }
  }
  return byObservation(found);
}

/** A word of a title weighs as much as a match of it in a text. */
async function titlesOf(store: Store, known: readonly Known[]): Promise<Candidates["titles"]> {
  const titles = new Map<number, number>();
  const extent = await store.words.extent();
  for (const { pieces, sessions } of known) {
    const worth = rarity(Math.max(pieces, sessions.size), extent);
    for (const session of sessions) titles.set(session, (titles.get(session) ?? 0) + worth);
  }
  return titles;
}

/** What a match of several words in a row is worth, which is not scored by the index: as much as one of a rare word. */
function rarity(pieces: number, extent: number): number {
  return Math.max(1, Math.log((extent + 1) / (pieces + 0.5)));
}

const SPOKEN: readonly Place[] = ["prompt", "answer"];
/** Below any score that a rarer word gives. */
const SPOKEN_SCORE = 1;
const OTHER_SCORE = 0.5;

/** The word index numbers the messages of an observation with ten bits. */
const MOST_MESSAGES = 1_024;

/** A piece that was found in several ways has their scores together. */
function byObservation(found: readonly Match[]): Map<number, Match[]> {
  const pieces = new Map<number, Match>();
  for (const match of found) {
    const key = (match.observation * MOST_MESSAGES + match.message) * MAX_PIECES + match.piece;
    const known = pieces.get(key);
    pieces.set(key, known === undefined ? match : { ...known, score: known.score + match.score });
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
  const having =
    other.found?.observations ??
    new Set(await store.words.among(observations, other.clause, wanted.places, wanted.role));
  for (const observation of observations) if (having.has(observation)) inText.add(observation);
  if (other.sessions.size === 0) return observations.filter((observation) => having.has(observation));
  const sessions = await store.words.sessionsOf(observations);
  return observations.filter((observation, at) => having.has(observation) || other.sessions.has(sessions[at] ?? 0));
}

/** Those that pass the filter and have nothing that was not wanted, in order. */
export async function narrow(
  store: Store,
  wanted: Wanted,
  observations: readonly number[],
): Promise<readonly number[]> {
  let passing = await store.observations.narrow(observations, wanted.filter);
  drop(wanted, observations, passing, "filter");
  for (const clause of wanted.excluded) {
    const having = new Set(await store.words.among(passing, clause, wanted.places));
    const without = passing.filter((observation) => !having.has(observation));
    drop(wanted, passing, without, "excluded");
    passing = without;
  }
  return passing;
}

function drop({ onDropped }: Wanted, before: readonly number[], after: readonly number[], why: DropReason): void {
  if (onDropped === undefined || before.length === after.length) return;
  const kept = new Set(after);
  onDropped(
    before.filter((observation) => !kept.has(observation)),
    why,
  );
}

const LAST = 1e9;

/** About how many observations there are to go through: a word of many titles stands for many, however rare it is. */
function weight(one: Known): number {
  return (one.found === undefined ? LAST : one.pieces) + one.sessions.size * 20;
}

function roleOf({ role }: Wanted): Pick<Wanted, "role"> {
  return role === undefined ? {} : { role };
}

function isNowhere(one: Known): boolean {
  return one.pieces === 0 && one.sessions.size === 0;
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
