import type { DateRange } from "../core/dates.ts";
import type { Match, Store, StoredObservation } from "../store/store.ts";
import type { Candidates } from "./candidates.ts";

/** What a score is made of, as far as it was weighed. */
export interface Factors {
  /** Of the index, for its messages together. */
  readonly match?: number;
  /** Of the words that stand in the title of its session or the name of its project. */
  readonly title?: number;
  /** Lent by the observations before and behind it. */
  readonly near?: number;
  /** Lent by the others of its session. */
  readonly session?: number;
  /** How near it is to the query in meaning, as a cosine. */
  readonly meaning?: number;
  /** That it is of the project, and of the branch, in which the query was asked. */
  readonly here?: number;
  readonly recency?: number;
  /** That it is of the time that the query spoke of. */
  readonly time?: number;
}

/** A message of an observation and what it weighs, by its place in it. */
export interface WeighedMessage {
  readonly message: number;
  readonly weight: number;
}

/** The project, and the branch that is checked out, where a query is asked. */
export interface Here {
  readonly project: number;
  readonly branch?: string;
}

export interface Lexical {
  readonly observation: StoredObservation;
  readonly matches: readonly Match[];
  readonly messages: readonly WeighedMessage[];
  readonly weight: number;
  readonly factors: Factors;
}

/** What was asked is told before what was answered, unless that says clearly more. */
const ASKED = 1.5;
const LENT = 0.2;
/** What stands right before and behind, the title, and the others of the session, of what they weigh. */
const NEAR = 0.25;
const TITLE = 0.3;
const SESSION = 0.05;
/** Each further message of an observation counts half as much as the one before. */
const MESSAGE_DECAY = 0.5;

/**
 * What the word index says of observations: the messages that match, the best counting whole and each further one half
 * as much as the one before, and what the title of the session, the observations beside it and the others of the
 * session lend, to a query of several words. In the order of `ids`.
 */
export async function weigh(
  store: Store,
  ids: readonly number[],
  { matches, titles }: Pick<Candidates, "matches" | "titles">,
  words: number,
): Promise<Lexical[]> {
  if (ids.length === 0) return [];
  const observations = await store.observations.byIds(ids);
  const own = new Map(ids.map((id) => [id, messagesOf(matches.get(id) ?? [])]));
  // Of those that are weighed alone: what more is looked at for a later page must not change the order of this one.
  const match = (id: number | undefined): number => (id === undefined ? 0 : gather(own.get(id) ?? []));
  // What has the one word that is sought is not helped by what stands around it: it may be where that came in first.
  const isLent = words > 1;
  const beside = isLent ? await store.observations.beside(ids) : new Map();
  const sessions = new Map<number, number[]>();
  for (const { id, sessionId } of observations) {
    const known = sessions.get(sessionId);
    if (known === undefined) sessions.set(sessionId, [match(id)]);
    else known.push(match(id));
  }
  for (const weights of sessions.values()) weights.sort((a, b) => b - a);
  return observations.map((observation) => {
    const messages = own.get(observation.id) ?? [];
    const alone = gather(messages);
    const { before, after } = beside.get(observation.id) ?? {};
    const near = NEAR * (match(before) + match(after));
    const title = TITLE * (titles.get(observation.sessionId) ?? 0);
    const session = isLent ? SESSION * othersOf(sessions.get(observation.sessionId) ?? [], alone) : 0;
    return {
      observation,
      matches: matches.get(observation.id) ?? [],
      messages,
      weight: 0.1 + alone + near + title + session,
      factors: {
        match: alone,
        ...(near > 0 && { near }),
        ...(title > 0 && { title }),
        ...(session > 0 && { session }),
      },
    };
  });
}

/** Pieces of one message count once, by the best of them. Best first. */
function messagesOf(sorted: readonly Match[]): readonly WeighedMessage[] {
  const best = new Map<number, number>();
  for (const { message, score } of sorted) if (!best.has(message)) best.set(message, score);
  return [...best].map(([message, weight]) => ({ message, weight }));
}

/**
 * The messages of an observation that bear on the query, best first: those that match, and what was asked. To what was
 * asked its answers lend weight, and it to them; what the observation weighs beyond its words counts for each of them.
 */
export function evidence({ messages, weight: whole }: Lexical): readonly WeighedMessage[] {
  const asked = messages.find(({ message }) => message === 0)?.weight ?? 0;
  const others = messages.filter(({ message }) => message !== 0);
  const best = others[0]?.weight ?? 0;
  const shared = whole - gather(messages);
  return [
    { message: 0, weight: ASKED * (shared + asked + LENT * best) },
    ...others.map(({ message, weight }) => ({ message, weight: shared + weight + LENT * asked })),
  ].sort((a, b) => b.weight - a.weight || a.message - b.message);
}

function gather(messages: readonly WeighedMessage[]): number {
  return messages.reduce((sum, { weight }, at) => sum + weight * MESSAGE_DECAY ** at, 0);
}

/** What the others of a session weigh, each half as much as the one before; `weights` are of all, best first. */
function othersOf(weights: readonly number[], own: number): number {
  const at = weights.indexOf(own);
  return weights.filter((_, index) => index !== at).reduce((sum, weight, index) => sum + weight * 0.5 ** index, 0);
}

const RECENCY_SHARE = 0.2;
const RECENCY_HALF_LIFE_MS = 30 * 86_400_000;
/** Of the time that the query spoke of. */
const THEN = 1.8;

const SAME_PROJECT = 1.15;
const SAME_BRANCH = 1.05;

/** From where and when a query is asked. */
export interface Standpoint {
  readonly now: number;
  /** A time that the query spoke of. */
  readonly hint?: DateRange;
  readonly here?: Here;
}

/** Moves up what is recent, what happened when the query says, and what is of the place where it is asked. */
export function circumstances(
  { at, projectId, branch }: StoredObservation,
  { now, hint, here }: Standpoint,
): Pick<Factors, "recency" | "time" | "here"> {
  const age = Math.max(0, now - at);
  const recency = 1 + RECENCY_SHARE * 2 ** (-age / RECENCY_HALF_LIFE_MS);
  const isThen = hint !== undefined && at >= hint.from && at < hint.to;
  const isHere = here?.project === projectId;
  const isOnBranch = isHere && here.branch !== undefined && here.branch === branch;
  return {
    recency,
    ...(isThen && { time: THEN }),
    ...(isHere && { here: isOnBranch ? SAME_PROJECT * SAME_BRANCH : SAME_PROJECT }),
  };
}
