import type { DateRange } from "../core/dates.ts";
import type { Place } from "../core/pieces.ts";
import type { Role } from "../core/session.ts";
import type { Clause, ObservationFilter, Store, StoredObservation } from "../store/store.ts";
import { type Reading, readAlike } from "./alike.ts";
import { type Candidates, type DropReason, ENOUGH, havingAll, havingSome, type Wanted } from "./candidates.ts";
import { clausesOf } from "./clauses.ts";
import { type Meaning, shareOfMeaning } from "./meaning.ts";
import { MOST_STRICT, merge, nearestTo } from "./merge.ts";
import type { Term } from "./query.ts";
import { type Ranked, type Ranking, type Ranks, rank } from "./rank.ts";
import { withoutStopWords } from "./stop-words.ts";
import { takeTimeWords } from "./time-words.ts";
import type { Here } from "./weigh.ts";

export interface SearchInput {
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly filter: ObservationFilter;
  readonly role?: Role;
  readonly offset: number;
  readonly limit: number;
  readonly now: number;
  readonly timeZone?: string;
  /** Where whoever asks works. Narrows nothing. */
  readonly here?: Here;
  /** Tells what a text means, where there are vectors to compare that with. Asked only where it counts. */
  readonly meaningOf?: (text: string) => Promise<Meaning | undefined>;
  /** Whether what is left out is told. */
  readonly isTraced?: boolean;
}

export interface SearchOutcome extends Ranks {
  readonly tier: "all" | "some" | "prefix" | "similar" | "recent" | "none";
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly ignoredWords: readonly string[];
  /** What was looked for in the place of what is nowhere. */
  readonly readings: readonly Reading[];
  /** What had the words and was left out, at most some of each kind, by its number in the store. */
  readonly dropped: readonly { readonly observation: number; readonly why: DropReason }[];
}

/** As many of each kind are told. */
const MOST_DROPPED = 8;

/** Where the words of a role stand. */
const ROLE_PLACES: Readonly<Record<Role, readonly Place[]>> = {
  human: ["prompt"],
  assistant: ["answer", "aside"],
  tool: ["action", "output"],
  system: ["action"],
  summary: ["aside"],
};
/** Thinking and compaction summaries repeat what was said elsewhere, so they are searched only when asked for. */
const DEFAULT_PLACES: readonly Place[] = ["prompt", "answer", "action", "output"];

const MAX_LISTED = 1_000;

/**
 * A question of so many words is seldom said in full anywhere: those that have some of the words are weighed along with
 * those that have all.
 */
const MANY_WORDS = 3;

/**
 * Finds observations: with all words, else with some, else with words that begin so, else with what is like them. Of a
 * question, all that have some of its words are weighed together. Deterministic: the same store, input and `now` give
 * the same outcome.
 */
export async function search(store: Store, input: SearchInput): Promise<SearchOutcome> {
  const { terms, hint } = await takeTimeWords(input);
  const { kept, ignored } = withoutStopWords(terms, { mayBeEmpty: hint !== undefined });
  const { typed, words, parts, quoted, ignored: ignoredCjk } = clausesOf(kept);
  const hinted = { ...input, ...(hint !== undefined && { hint }) };
  if (typed.length === 0) return listRecent(store, hinted);

  const wanted: Wanted = {
    clauses: typed,
    excluded: input.excluded.map(clauseOf),
    places: input.role === undefined ? DEFAULT_PLACES : ROLE_PLACES[input.role],
    titles: input.role === undefined,
    filter: input.filter,
    known: new Map(),
    // A person's words have a place of their own.
    ...(input.role !== undefined && input.role !== "human" && { role: input.role }),
  };
  const dropped: { readonly observation: number; readonly why: DropReason }[] = [];
  const traced: Wanted = {
    ...wanted,
    onDropped: (observations, why) => {
      const room = MOST_DROPPED - dropped.filter((one) => one.why === why).length;
      dropped.push(...observations.slice(0, Math.max(0, room)).map((observation) => ({ observation, why })));
    },
  };
  const looked = input.isTraced === true ? traced : wanted;
  const need = input.offset + input.limit;
  const isQuestion = words.length >= MANY_WORDS;
  const all = (clauses: readonly Clause[]) =>
    isQuestion
      ? havingAll(store, { ...looked, clauses }, MOST_STRICT, MOST_STRICT)
      : reaching(need, (reach) => havingAll(store, { ...looked, clauses }, reach));
  const some = (clauses: readonly Clause[]) =>
    reaching(need, (reach) => havingSome(store, { ...looked, clauses }, reach));
  const outcome = async (
    tier: SearchOutcome["tier"],
    candidates: Candidates,
    sought: readonly Clause[],
    told: Pick<SearchOutcome, "ignoredWords" | "readings"> = { ignoredWords: ignored, readings: [] },
  ): Promise<SearchOutcome> => {
    const ranking = {
      typed: sought,
      isQuestion,
      places: wanted.places,
      now: input.now,
      ...circumstancesOf(hinted),
      ...(meaning !== undefined && { meaning }),
    };
    return {
      tier,
      total: candidates.observations.length,
      totalIsExact: candidates.isExact,
      ...told,
      dropped,
      ...(await rank(store, candidates, ranking, input)),
    };
  };

  const meaning = shareOfMeaning(typed) === 0 ? undefined : await input.meaningOf?.(textOf(input.terms));
  const asTyped = await all(typed);
  const isFound = asTyped.observations.length > 0;
  if (isFound && !isQuestion) return outcome("all", asTyped, typed);
  const ignoredWords = [...ignored, ...ignoredCjk];
  const byWords = isFound || words === typed ? asTyped : await all(words);
  if (byWords.observations.length > 0 && !isQuestion)
    return outcome("all", byWords, words, { ignoredWords, readings: [] });

  const alike = await readAlike(store, parts, quoted, wanted);
  const { readings, clauses: similar } = alike;
  if (!alike.isAll) {
    const loose = await some(similar);
    // What is near in meaning stands beside what has some of the words, and never for it: of what is nowhere, nothing is near.
    const isNear = isQuestion && meaning !== undefined && loose.observations.length > 0;
    const near = isNear ? await nearestTo(store, looked, meaning, input.here) : [];
    const weighed = isQuestion ? merge(byWords, loose, near) : loose;
    if (weighed.observations.length > 0) {
      const strict = new Set(byWords.observations);
      const isWhole = weighed.observations.every((observation) => strict.has(observation));
      return outcome(isWhole ? "all" : "some", weighed, similar, { ignoredWords, readings });
    }
  }
  const beginnings = [...typed.map(asPrefix), ...alike.beginnings];
  const begun = await some(beginnings);
  if (begun.observations.length > 0) return outcome("prefix", begun, beginnings);
  if (readings.length > 0) {
    const strict = await all(similar);
    const isEnough = strict.observations.length > 0 && !isQuestion;
    const found = isEnough ? strict : merge(strict, await some(similar));
    if (found.observations.length > 0) return outcome("similar", found, similar, { ignoredWords, readings });
  }
  return { tier: "none", total: 0, totalIsExact: true, ignoredWords: ignored, readings: [], dropped, ...NO_RANKS };
}

/** The words as they were asked, for what they mean together. */
function textOf(terms: readonly Term[]): string {
  return terms.map(({ text }) => text).join(" ");
}

/** As many as are asked for. What is looked at for later pages stands behind what was found without them. */
async function reaching(need: number, attempt: (need: number) => Promise<Candidates>): Promise<Candidates> {
  const first = await attempt(ENOUGH);
  if (need <= ENOUGH || first.isExact) return first;
  const more = await attempt(need);
  return {
    ...more,
    observations: [...new Set([...first.observations, ...more.observations])],
    matches: new Map([...more.matches, ...first.matches]),
  };
}

const NO_RANKS: Ranks = { hits: [], before: [], behind: [] };

type Hinted = SearchInput & { readonly hint?: DateRange };

function circumstancesOf({ role, hint, here }: Hinted): Pick<Ranking, "role" | "hint" | "here"> {
  return {
    ...(role !== undefined && { role }),
    ...(hint !== undefined && { hint }),
    ...(here !== undefined && { here }),
  };
}

async function listRecent(store: Store, input: Hinted): Promise<SearchOutcome> {
  const { hint, filter } = input;
  const within: ObservationFilter =
    hint === undefined
      ? filter
      : { ...filter, since: Math.max(hint.from, filter.since ?? 0), until: Math.min(hint.to, filter.until ?? hint.to) };
  const { items, total, isExact } =
    input.excluded.length === 0
      ? { ...(await store.observations.recent(within, input)), isExact: true }
      : await recentWithout(store, within, input);
  return {
    tier: total === 0 ? "none" : "recent",
    total,
    totalIsExact: isExact,
    ignoredWords: [],
    readings: [],
    dropped: [],
    ...NO_RANKS,
    hits: await Promise.all(items.map((observation) => unranked(store, observation))),
  };
}

/** The newest that have none of the excluded words, of as many as can be looked through in time. */
async function recentWithout(
  store: Store,
  filter: ObservationFilter,
  { excluded, offset, limit }: SearchInput,
): Promise<{ readonly items: readonly StoredObservation[]; readonly total: number; readonly isExact: boolean }> {
  const { items, total } = await store.observations.recent(filter, { offset: 0, limit: MAX_LISTED });
  const unwanted = new Set<number>();
  const ids = items.map((observation) => observation.id);
  for (const term of excluded) {
    for (const id of await store.words.among(ids, clauseOf(term), DEFAULT_PLACES)) unwanted.add(id);
  }
  const left = items.filter((observation) => !unwanted.has(observation.id));
  return { items: left.slice(offset, offset + limit), total: left.length, isExact: total <= MAX_LISTED };
}

async function unranked(store: Store, observation: StoredObservation): Promise<Ranked> {
  const message = await store.observations.messageAt(observation, 0);
  const text = (message?.text ?? observation.title).slice(0, 240).replace(/\s+/g, " ");
  return {
    observation,
    message,
    evidence: [],
    score: 0,
    factors: {},
    snippet: { text, marks: [], found: 0, exact: 0, together: 0, inRow: 0 },
  };
}

function clauseOf(term: Term): Clause {
  return { text: term.text };
}

function asPrefix(clause: Clause): Clause {
  return clause.text.length < 3 ? clause : { ...clause, prefix: true };
}
