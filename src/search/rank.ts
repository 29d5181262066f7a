import type { DateRange } from "../core/dates.ts";
import { cutPieces, type Place, placeOf } from "../core/pieces.ts";
import type { Role } from "../core/session.ts";
import { type Needle, needle, type Snippet, snippet } from "../core/snippet.ts";
import type { Clause, Match, Store, StoredMessage, StoredObservation } from "../store/store.ts";
import type { Candidates } from "./candidates.ts";

/** How many of the candidates are scored, and of how many of those the text is looked at. */
const SCORED = 96;
const READ = 20;
const PIECES_READ = 2;

/** Each further message of an observation counts half as much as the one before. */
const MESSAGE_DECAY = 0.5;
/** Each further observation of a session already listed. */
const SESSION_DECAY = 0.85;
const RECENCY_SHARE = 0.2;
const RECENCY_HALF_LIFE_MS = 30 * 86_400_000;
/** Of the time that the query spoke of. */
const THEN = 1.8;
const SNIPPET_CHARS = 240;

/** What a score is the product of, as far as it was weighed. */
export interface Factors {
  /** Of the index, for its messages together. */
  readonly match?: number;
  readonly recency?: number;
  /** That it is of the time that the query spoke of. */
  readonly time?: number;
  /** How literally and how closely together the words stand in it. */
  readonly literal?: number;
  /** That others of its session stand before it. */
  readonly session?: number;
  /** Of how many of the words, and where they stand. */
  readonly words?: readonly [found: number, of: number];
  readonly places?: readonly Place[];
}

export interface Weighed {
  readonly observation: StoredObservation;
  readonly score: number;
  readonly factors: Factors;
}

export interface Ranked extends Weighed {
  readonly message: StoredMessage | undefined;
  readonly snippet: Snippet;
}

export interface Ranks {
  /** The page that was asked for. */
  readonly hits: readonly Ranked[];
  /** What was weighed for other pages, those before it first, each in order. */
  readonly before: readonly Weighed[];
  readonly behind: readonly Weighed[];
}

export interface Ranking {
  readonly places: readonly Place[];
  /** What was typed, for finding it in the text; in the order of the query. */
  readonly typed: readonly Clause[];
  readonly role?: Role;
  /** A time that the query spoke of; moves up what happened then. */
  readonly hint?: DateRange;
  readonly now: number;
}

interface Scored extends Weighed {
  readonly matches: readonly Match[];
}

/**
 * Orders candidates, best first. The first `SCORED` are scored; the rest follow in the order they came, so that
 * paging reaches all of them.
 *
 * score = Σ bm25 of its messages, each half the one before × share of the clauses it has × recency × time hint
 *         × how literally and how closely together the words stand, for the best `READ` of them
 */
export async function rank(
  store: Store,
  { observations, matches }: Pick<Candidates, "observations" | "matches">,
  ranking: Ranking,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Ranks> {
  const scored = await score(store, observations.slice(0, SCORED), matches, ranking);
  const top = spread(await Promise.all(scored.slice(0, READ).map((one) => readOne(store, one, ranking))));
  const ordered = [
    ...top.map((one) => one.observation.id),
    ...scored.slice(READ).map((one) => one.observation.id),
    ...observations.slice(SCORED),
  ];
  const read = new Map(top.map((one) => [one.observation.id, one]));
  const page = ordered.slice(offset, offset + limit);
  const unread = page.filter((id) => !read.has(id));
  for (const one of await score(store, unread, matches, ranking)) {
    read.set(one.observation.id, await readOne(store, one, ranking));
  }
  const weighed: readonly Weighed[] = [...top, ...scored.slice(READ)];
  return {
    hits: page.flatMap((id) => read.get(id) ?? []),
    before: weighed.slice(0, offset),
    behind: weighed.slice(offset + limit),
  };
}

async function score(
  store: Store,
  ids: readonly number[],
  matches: Candidates["matches"],
  ranking: Ranking,
): Promise<Scored[]> {
  if (ids.length === 0) return [];
  return (await store.observations.byIds(ids))
    .map((observation) => {
      const own = matches.get(observation.id) ?? [];
      const match = gather(own);
      const { recency, time } = timeFactors(observation, ranking);
      const factors = { match, recency, ...(time !== undefined && { time }) };
      return { observation, matches: own, factors, score: match * recency * (time ?? 1) };
    })
    .sort(byScore);
}

/** Pieces of one message count once, by the best of them. */
function gather(sorted: readonly Match[]): number {
  const seen = new Set<number>();
  let sum = 0;
  for (const match of sorted) {
    if (seen.has(match.message)) continue;
    sum += match.score * MESSAGE_DECAY ** seen.size;
    seen.add(match.message);
  }
  // What was found by the title of its session alone has a score too.
  return 0.1 + sum;
}

function timeFactors(
  { at }: StoredObservation,
  { now, hint }: Ranking,
): { readonly recency: number; readonly time: number | undefined } {
  const age = Math.max(0, now - at);
  const recency = 1 + RECENCY_SHARE * 2 ** (-age / RECENCY_HALF_LIFE_MS);
  const isThen = hint !== undefined && at >= hint.from && at < hint.to;
  return { recency, time: isThen ? THEN : undefined };
}

async function readOne(store: Store, one: Scored, ranking: Ranking): Promise<Ranked> {
  const needles = ranking.typed.map((clause) => needle(clause.text, clause.prefix));
  const shown = (await matchingPieces(store, one, ranking)).map(({ message, text }) => ({
    message,
    snippet: snippet(text, needles, SNIPPET_CHARS),
  }));
  const best = shown.toSorted((a, b) => b.snippet.found - a.snippet.found || b.snippet.exact - a.snippet.exact)[0];
  if (best === undefined) {
    const title = snippet(one.observation.title, needles, SNIPPET_CHARS);
    return {
      observation: one.observation,
      score: one.score,
      factors: one.factors,
      message: undefined,
      snippet: title,
    };
  }
  const snippets = shown.map((entry) => entry.snippet);
  const literal = literalness(snippets, needles);
  const found = Math.max(...snippets.map((entry) => entry.found));
  const matching = shown.filter((entry) => entry.snippet.found > 0);
  const places = matching.flatMap(({ message }) => placeOf(message.role, message.part) ?? []);
  return {
    observation: one.observation,
    score: one.score * literal,
    factors: { ...one.factors, literal, words: [found, needles.length], places: [...new Set(places)] },
    ...best,
  };
}

/** The best pieces, and where none matched the beginning. */
async function matchingPieces(
  store: Store,
  { observation, matches }: Scored,
  { typed, places, role }: Ranking,
): Promise<{ readonly message: StoredMessage; readonly text: string }[]> {
  const query = { clauses: typed, places, ...(role !== undefined && { role }) };
  const best = matches.length > 0 ? matches : await store.words.piecesIn(observation.id, query, PIECES_READ);
  const wanted = best.length > 0 ? best.slice(0, PIECES_READ) : [{ message: 0, piece: 0 }];
  const found = await Promise.all(
    wanted.map(async ({ message: position, piece }) => {
      const message = await store.observations.messageAt(observation, position);
      if (message === undefined) return [];
      const place = placeOf(message.role, message.part);
      return [
        { message, text: (place === undefined ? undefined : cutPieces(place, message.text)[piece]) ?? message.text },
      ];
    }),
  );
  return found.flat();
}

/**
 * How literally the text says what was typed. A symbol, path or code that stands there as typed outweighs any number
 * of its parts; words that stand together outweigh the same words scattered.
 */
function literalness(snippets: readonly Snippet[], needles: readonly Needle[]): number {
  const count = Math.max(1, needles.length);
  const exact = Math.max(...snippets.map((one) => one.exact)) / count;
  const together = Math.max(...snippets.map((one) => one.together)) / count;
  const found = Math.max(...snippets.map((one) => one.found)) / count;
  const symbols = needles.filter((one) => SYMBOL.test(one.text)).length / count;
  return (0.4 + 0.6 * found) * (1 + 0.3 * exact + 3 * symbols * exact) * (0.8 + 0.4 * together);
}

const SYMBOL = /[^\p{L}\p{N}\s]|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;

/** So that a page of hits is not one conversation. */
function spread(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Map<number, number>();
  return ranked
    .toSorted(byScore)
    .map((one) => {
      const before = seen.get(one.observation.sessionId) ?? 0;
      seen.set(one.observation.sessionId, before + 1);
      if (before === 0) return one;
      const session = SESSION_DECAY ** before;
      return { ...one, score: one.score * session, factors: { ...one.factors, session } };
    })
    .sort(byScore);
}

function byScore(a: { readonly score: number; readonly observation: StoredObservation }, b: typeof a): number {
  return (
    b.score - a.score ||
    b.observation.at - a.observation.at ||
    (a.observation.publicId < b.observation.publicId ? -1 : 1)
  );
}
