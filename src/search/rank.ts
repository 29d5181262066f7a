import type { Snippet } from "../core/snippet.ts";
import { fold } from "../core/words.ts";
import type { Store, StoredMessage, StoredObservation } from "../store/store.ts";
import { type Candidates, ENOUGH } from "./candidates.ts";
import { cosines, fuse, type Meaning, shareOfMeaning } from "./meaning.ts";
import { type Reading, read, type Wording } from "./read.ts";
import {
  circumstances,
  evidence,
  type Lexical,
  type Standpoint,
  type WeighedMessage,
  type Factors as Weights,
  weigh,
} from "./weigh.ts";

/** Of how many of those that are scored the text is looked at. */
const READ = 20;

/** Each further observation of a session already listed; a question may well be answered by several of one. */
const SESSION_DECAY = 0.85;
const SESSION_DECAY_OF_QUESTION = 0.97;
/** What says the same as something that is listed already. */
const ALIKE = 0.6;

/** What a score is made of, as far as it was weighed. */
export interface Factors extends Weights, Pick<Reading, "literal" | "words" | "places"> {
  /** That others of its session stand before it. */
  readonly spread?: number;
  /** That one before it says the same. */
  readonly alike?: number;
}

export interface Weighed {
  readonly observation: StoredObservation;
  readonly score: number;
  readonly factors: Factors;
}

export interface Ranked extends Weighed {
  /** The messages that bear on the query, best first, in the scale of the score. */
  readonly evidence: readonly WeighedMessage[];
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

export interface Ranking extends Wording, Standpoint {
  readonly meaning?: Meaning;
  /** Whether it is of so many words that no text need have them all. */
  readonly isQuestion: boolean;
}

interface Scored extends Lexical {
  readonly score: number;
}

/**
 * Orders candidates, best first. The first `ENOUGH` are scored; the rest follow in the order they came, so that
 * paging reaches all of them.
 *
 * score = weight of the words and of the meaning × recency × time × place
 *         × how literally and how closely together the words stand, for the best `READ` of them
 *         × less for each of the same session before it, and for what says the same again
 */
export async function rank(
  store: Store,
  candidates: Candidates,
  ranking: Ranking,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Ranks> {
  const { observations } = candidates;
  const scored = await score(store, observations.slice(0, ENOUGH), candidates, ranking);
  const decay = ranking.isQuestion ? SESSION_DECAY_OF_QUESTION : SESSION_DECAY;
  const top = spread(await Promise.all(scored.slice(0, READ).map((one) => readOne(store, one, ranking))), decay);
  const ordered = [
    ...top.map((one) => one.observation.id),
    ...scored.slice(READ).map((one) => one.observation.id),
    ...observations.slice(ENOUGH),
  ];
  const known = new Map(top.map((one) => [one.observation.id, one]));
  const page = ordered.slice(offset, offset + limit);
  const unread = page.filter((id) => !known.has(id));
  for (const one of await score(store, unread, candidates, ranking)) {
    known.set(one.observation.id, await readOne(store, one, ranking));
  }
  const weighed: readonly Weighed[] = [...top, ...scored.slice(READ)];
  return {
    hits: page.flatMap((id) => known.get(id) ?? []),
    before: weighed.slice(0, offset),
    behind: weighed.slice(offset + limit),
  };
}

async function score(
  store: Store,
  ids: readonly number[],
  candidates: Candidates,
  ranking: Ranking,
): Promise<Scored[]> {
  const { meaning, typed } = ranking;
  const lexical = await weigh(store, ids, candidates, typed.length);
  const share = shareOfMeaning(typed);
  const near = meaning === undefined || share === 0 ? new Map() : await cosines(store, meaning, ids);
  return fuse(lexical, near, share)
    .map((one) => {
      const factors = circumstances(one.observation, ranking);
      const { recency = 1, time = 1, here = 1 } = factors;
      return { ...one, factors: { ...one.factors, ...factors }, score: one.weight * recency * time * here };
    })
    .sort(byScore);
}

async function readOne(store: Store, one: Scored, wording: Wording): Promise<Ranked> {
  const { observation, matches, factors, score, weight } = one;
  const { message, snippet, ...found } = await read(store, { observation, matches }, wording);
  const { literal = 1 } = found;
  return {
    observation,
    message,
    snippet,
    evidence: evidence(one).map((own) => ({ ...own, weight: (own.weight * score * literal) / weight })),
    score: score * literal,
    factors: { ...factors, ...found },
  };
}

/** So that a page of hits is not one conversation, nor the same words again and again. */
function spread(ranked: readonly Ranked[], decay: number): Ranked[] {
  const ofSession = new Map<number, number>();
  const said = new Set<string>();
  return ranked
    .toSorted(byScore)
    .map((one) => {
      const before = ofSession.get(one.observation.sessionId) ?? 0;
      ofSession.set(one.observation.sessionId, before + 1);
      const words = one.message === undefined ? undefined : sayingOf(one.message);
      const isAlike = words !== undefined && said.has(words);
      if (words !== undefined) said.add(words);
      return lowered(one, {
        ...(before > 0 && { spread: decay ** before }),
        ...(isAlike && { alike: ALIKE }),
      });
    })
    .sort(byScore);
}

function lowered(one: Ranked, factors: Pick<Factors, "spread" | "alike">): Ranked {
  const factor = (factors.spread ?? 1) * (factors.alike ?? 1);
  return { ...one, score: one.score * factor, factors: { ...one.factors, ...factors } };
}

/** Shorter texts are alike by chance. */
const LONG_ENOUGH = 60;
const COMPARED_CHARS = 600;

/** A text but for what differs between repetitions: case, blanks and numbers. Undefined where it is too short to tell. */
function sayingOf({ text }: StoredMessage): string | undefined {
  const start = text.slice(0, COMPARED_CHARS).trim();
  if (start.length < LONG_ENOUGH) return undefined;
  return fold(start).replace(/\d+/g, "0").replace(/\s+/g, " ");
}

function byScore(a: { readonly score: number; readonly observation: StoredObservation }, b: typeof a): number {
  return (
    b.score - a.score ||
    b.observation.at - a.observation.at ||
    (a.observation.publicId < b.observation.publicId ? -1 : 1)
  );
}
