import { YoreError } from "../../src/core/errors.ts";
import { estimateTokens } from "../../src/core/text.ts";
import type {
  Filter,
  Hit,
  ObservationRecord,
  SearchReply,
  SearchRequest,
  SessionSummary,
  Tier,
} from "../../src/service/yore.ts";
import type { FakeData } from "./fake-data.ts";

/** Finds words as they stand, newest first. Dates in the query are understood in ISO form and shown in any. */
export function searchFake(data: FakeData, request: SearchRequest): SearchReply {
  const { words, filters, since, until } = readQuery(request.query);
  if (words.length === 0 && filters.length === 0 && Object.keys(request.filter ?? {}).length === 0) {
    throw new YoreError("bad-input", "There is nothing to search for.", { hint: "Give a word or a filter." });
  }
  const excluded = new Set(request.excludeSessions);
  const candidates = data.sessions
    .filter(({ summary }) => !excluded.has(summary.id) && matches(summary, request.filter))
    .flatMap((session) => session.observations)
    .filter((observation) => passes(observation, request, since, until))
    .sort((a, b) => b.at - a.at);
  const { tier, found } = inTiers(candidates, words);
  const offset = request.offset ?? 0;
  const hits = found.slice(offset, offset + (request.limit ?? 10));
  const shownFilters = [...filters, ...filterWords(request)];
  return {
    query: request.query,
    tier,
    total: found.length,
    totalIsExact: true,
    ignoredWords: [],
    readings: [],
    filters: shownFilters,
    warnings: [],
    hits: hits.map((observation) => toHit(observation, words)),
    offset,
    freshness: data.freshness,
    ...(request.trace === true && {
      trace: {
        query: request.query,
        words,
        tier,
        filters: shownFilters,
        considered: found.length,
        candidates: hits.map(({ id, title }, at) => ({
          id,
          title,
          signals: { rank: offset + at + 1 },
          outcome: "shown" as const,
        })),
      },
    }),
  };
}

/** Whether a session passes a filter; `since` and `until` look at when it ended and began. */
export function matches(session: SessionSummary, filter: Filter = {}): boolean {
  const { project, agent, tag, branch, worktree, since, until } = filter;
  const names = [session.project.id, session.project.name, session.cwd ?? ""];
  return (
    (project === undefined || names.some((name) => name.includes(project))) &&
    (agent === undefined || session.agent === agent) &&
    (tag === undefined || session.tags.includes(tag)) &&
    (branch === undefined || session.branch === branch) &&
    (worktree === undefined || session.worktree === worktree) &&
    (since === undefined || (session.endedAt ?? 0) >= since) &&
    (until === undefined || (session.startedAt ?? 0) < until)
  );
}

export function tokensOf(observation: ObservationRecord): number {
  return estimateTokens(observation.messages.map((message) => message.text).join("\n"));
}

function readQuery(query: string) {
  const dates = [...query.matchAll(/\b(since|until):(?:"([^"]*)"|(\S+))/g)];
  const rest = query.replace(/\b(?:since|until):(?:"[^"]*"|\S+)/g, " ");
  const at = (name: string) => {
    const match = dates.find((date) => date[1] === name);
    const time = Date.parse(match?.[2] ?? match?.[3] ?? "");
    return Number.isNaN(time) ? undefined : time;
  };
  return {
    words: rest.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [],
    filters: dates.map((date) => `${date[1]}: ${date[2] ?? date[3]}`),
    since: at("since"),
    until: at("until"),
  };
}

function passes(
  observation: ObservationRecord,
  { filter }: SearchRequest,
  since = 0,
  until = Number.POSITIVE_INFINITY,
): boolean {
  return (
    observation.at >= since &&
    observation.at < until &&
    (filter?.type === undefined || observation.type === filter.type) &&
    (filter?.role === undefined || observation.messages.some(({ role }) => role === filter.role)) &&
    (filter?.file === undefined || observation.files.some(({ path }) => path.includes(filter.file ?? "")))
  );
}

function inTiers(candidates: readonly ObservationRecord[], words: readonly string[]) {
  const none: readonly ObservationRecord[] = [];
  const tiers: readonly { readonly tier: Tier; readonly found: readonly ObservationRecord[] }[] =
    words.length === 0
      ? [{ tier: "recent", found: candidates }]
      : [
          { tier: "all", found: candidates.filter((one) => words.every((word) => wordsOf(one).has(word))) },
          { tier: "some", found: candidates.filter((one) => words.some((word) => wordsOf(one).has(word))) },
          {
            tier: "prefix",
            found: candidates.filter((one) =>
              words.some((word) => [...wordsOf(one)].some((own) => own.startsWith(word))),
            ),
          },
        ];
  return tiers.find(({ found }) => found.length > 0) ?? { tier: "none" as const, found: none };
}

function wordsOf(observation: ObservationRecord): ReadonlySet<string> {
  const text = [observation.title, ...observation.messages.map((message) => message.text)].join(" ").toLowerCase();
  return new Set(text.match(/[\p{L}\p{N}_]+/gu));
}

function toHit(observation: ObservationRecord, words: readonly string[]): Hit {
  const { id, session, agent, project, at, type, title, messages } = observation;
  const message = messages.find(({ text }) => words.some((word) => text.toLowerCase().includes(word))) ?? messages[0];
  const snippet = message?.text.slice(0, 160) ?? "";
  return {
    id,
    session,
    agent,
    project,
    at,
    type,
    title,
    snippet,
    marks: marksIn(snippet, words),
    message: { id: message?.id ?? "", role: message?.role ?? "assistant" },
    messages: [],
    score: 1,
    tokens: tokensOf(observation),
  };
}

function marksIn(snippet: string, words: readonly string[]): readonly (readonly [number, number])[] {
  return words.flatMap((word) => {
    const start = snippet.toLowerCase().indexOf(word);
    return start === -1 ? [] : [[start, start + word.length] as const];
  });
}

function filterWords({ filter = {} }: SearchRequest): readonly string[] {
  return Object.entries(filter).map(([name, value]) => `${name}: ${value}`);
}
