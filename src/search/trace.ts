import type { Trace, TraceCandidate } from "../core/trace.ts";
import type { ObservationFilter, Store, StoredObservation } from "../store/store.ts";
import type { DropReason } from "./candidates.ts";
import { clausesOf } from "./clauses.ts";
import type { Weighed } from "./rank.ts";
import type { SearchInput, SearchOutcome } from "./search.ts";
import { withoutStopWords } from "./stop-words.ts";
import { takeTimeWords } from "./time-words.ts";

/** Of what was weighed and is not on the page that was asked for, so many are told. */
const MOST_BEHIND = 16;
const MOST_BEFORE = 8;

/**
 * How hits came about: the page, then what ranked below it, what came before it, and what had the words and was left
 * out. Asks the word index nothing; what was left out is looked up by its number.
 */
export async function traceSearch(
  store: Store,
  input: SearchInput,
  outcome: SearchOutcome,
  asked: { readonly query: string; readonly filters: readonly string[] },
): Promise<Trace> {
  const { hits, before, behind, ignoredWords, readings, tier, total } = outcome;
  const { offset } = input;
  const earlier = before.slice(-MOST_BEFORE);
  const told = (weighed: readonly Weighed[], from: number, fate: Fate): TraceCandidate[] =>
    weighed.map((one, at) => ({ ...candidate(one, from + at), ...fate }));
  return {
    query: asked.query,
    ...(await understoodOf(input)),
    ...(ignoredWords.length > 0 && { ignored: ignoredWords }),
    tier,
    ...(readings.length > 0 && { readings }),
    filters: asked.filters,
    considered: total,
    candidates: [
      ...told(hits, offset + 1, { outcome: "shown" }),
      ...told(behind.slice(0, MOST_BEHIND), offset + hits.length + 1, {
        outcome: "cut",
        why: "ranks below what was asked for",
      }),
      ...told(earlier, offset - earlier.length + 1, { outcome: "cut", why: "ranks above this page" }),
      ...(await leftOut(store, input, outcome)),
    ],
  };
}

/** As {@link search} understands it. */
async function understoodOf(input: SearchInput): Promise<Pick<Trace, "words" | "time">> {
  const { terms, hint } = await takeTimeWords(input);
  const { kept } = withoutStopWords(terms, { mayBeEmpty: hint !== undefined });
  const words = clausesOf(kept).typed.map(({ text }) => text);
  return { ...(words.length > 0 && { words }), ...(hint !== undefined && { time: hint }) };
}

type Fate = Pick<TraceCandidate, "outcome" | "why">;

function candidate(
  { observation, score, factors }: Weighed,
  rank: number,
): Pick<TraceCandidate, "id" | "title" | "signals"> {
  const { words, places, ...weights } = factors;
  const { match, title, near, session, meaning, literal, recency, time, here, spread, alike } = weights;
  const signals: Record<string, number | string> = { rank };
  if (words !== undefined) signals.words = `${words[0]} of ${words[1]}`;
  if (places !== undefined && places.length > 0) signals.places = places.join(", ");
  for (const [name, value] of Object.entries({
    match,
    title,
    near,
    session,
    meaning,
    literal,
    recency,
    time,
    here,
    spread,
    alike,
  }))
    if (value !== undefined && (name === "match" || round(value) !== 0)) signals[name] = round(value);
  if (match !== undefined) signals.score = round(score);
  return { id: observation.publicId, title: observation.title, signals };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** What is hidden is told of here neither. */
async function leftOut(
  { observations }: Store,
  { filter }: SearchInput,
  { dropped }: SearchOutcome,
): Promise<readonly TraceCandidate[]> {
  if (dropped.length === 0) return [];
  const reasons = new Map(dropped.map(({ observation, why }) => [observation, why]));
  const ids = [...reasons.keys()];
  const { asOf } = filter;
  const valid = new Set(await observations.narrow(ids, { subagents: true, ...(asOf !== undefined && { asOf }) }));
  const told: TraceCandidate[] = [];
  for (const observation of await observations.byIds(ids)) {
    const { id, publicId, title } = observation;
    const fate = { id: publicId, title, signals: {}, outcome: "cut" as const };
    if (valid.has(id)) told.push({ ...fate, why: whyOf(reasons.get(id), observation, filter) });
    else if ((await observations.byPrefix(publicId, 1)).length > 0) told.push({ ...fate, why: "no longer holds" });
  }
  return told;
}

function whyOf(reason: DropReason | undefined, observation: StoredObservation, filter: ObservationFilter): string {
  if (reason === "folded")
    return "only the title of its session has the words: the session's first observation stands for it";
  return reason === "excluded" ? "has a word that was not wanted" : whyNarrowed(observation, filter);
}

/** The first of the filters that it does not pass, of those that can be told from itself. */
function whyNarrowed(observation: StoredObservation, filter: ObservationFilter): string {
  const { agent, at, branch, isSubagent, projectId, session, type } = observation;
  const { since = at, until = at + 1, projects } = filter;
  if (filter.excludeSessions?.includes(session) === true) return "of the session that asks";
  if (projects !== undefined && !projects.includes(projectId)) return "of another project";
  if (filter.withoutProjects?.includes(projectId) === true) return "of a project that was not wanted";
  if (filter.withoutAgents?.includes(agent) === true) return "of an agent that was not wanted";
  if (filter.agent !== undefined && filter.agent !== agent) return "of another agent";
  if (filter.type !== undefined && filter.type !== type) return "of another type";
  if (filter.branch !== undefined && filter.branch !== branch) return "of another branch";
  if (at < since) return "before the time asked for";
  if (at >= until) return "after the time asked for";
  if (isSubagent && !filter.subagents) return "of a subagent";
  return "does not pass a filter";
}
