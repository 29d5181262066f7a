import * as z from "zod";
import { OBSERVATION_TYPES, ROLES } from "../../../core/session.ts";
import type { TraceCandidate } from "../../../core/trace.ts";
import type { SearchReply, SearchRequest } from "../../../service/yore.ts";
import { pastTheEnd } from "../cursor.ts";
import { emptyStoreWords } from "../empty.ts";
import { cursorArgument, projectArgument, shortText, wholeNumber } from "../filters.ts";
import { ENTRY_COST, hitRecord } from "../lines.ts";
import { composeReply, formatCount, joinLines, moreWords, NO_ROOM, oneLine, staleWords } from "../reply.ts";
import { define, READS, type ToolContext } from "../tool.ts";

const schema = () =>
  z.strictObject({
    query: z.string().max(1000).exactOptional(),
    project: projectArgument(),
    agent: shortText(),
    type: z.enum(OBSERVATION_TYPES).exactOptional(),
    role: z.enum(ROLES).describe("Who said it").exactOptional(),
    file: shortText(),
    branch: shortText(),
    tag: shortText(),
    since: shortText("Date, or words: last month"),
    until: shortText(),
    limit: wholeNumber(1, 20, "Default 8"),
    cursor: cursorArgument(),
    include_current: z.boolean().exactOptional(),
  });
type Input = z.output<ReturnType<typeof schema>>;

export const search = define({
  name: "search",
  title: "Search past sessions",
  description:
    'Step 1 of recall: find what was said, done and remembered in past coding sessions. Ranked observations with ids, about 50 tokens each. Any text; "phrase", -word. get_observations reads those that matter.',
  annotations: READS,
  isRecall: true,
  searchHint: "memory history past sessions recall remember earlier previous work decision error",
  alwaysLoad: true,
  example: { query: "rate limit retry", since: "last month", limit: 5 },
  input: schema,
  async handler(input, context) {
    const offset = context.paging.start(input);
    const limit = input.limit ?? 8;
    // One more than is shown tells whether there is another page, also where the total is not exact.
    const reply = await context.yore.search({ ...request(input, context), offset, limit: limit + 1, trace: true });
    if (reply.hits.length === 0 && offset > 0) throw pastTheEnd();
    if (reply.hits.length === 0) {
      explain(input, reply, { fitting: 0, limit }, context);
      return nothingFound(input, reply, context);
    }
    return found(input, reply, limit, context);
  },
});

function request(input: Input, context: ToolContext): SearchRequest {
  const { query: _query, since: _since, until: _until, limit: _limit, cursor: _cursor, ...rest } = input;
  const { include_current: _include, ...filter } = rest;
  const excluded = leavesOutCurrent(input, context) ? context.currentSessions : [];
  return {
    query: queryWithDates(input),
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(excluded.length > 0 && { excludeSessions: excluded }),
    ...(context.folder !== undefined && { here: context.folder }),
  };
}

// Dates stand before the words, where an open quote among the words cannot swallow them.
function queryWithDates(input: Input): string {
  const dates = (["since", "until"] as const).flatMap((name) => {
    const words = input[name]?.replace(/["“”]/g, " ").trim();
    return words === undefined || words === "" ? [] : [`${name}:"${words}"`];
  });
  return [...dates, ...(input.query === undefined ? [] : [input.query])].join(" ");
}

function leavesOutCurrent(input: Input, context: ToolContext): boolean {
  return input.include_current !== true && context.currentSessions.length > 0;
}

function found(input: Input, reply: SearchReply, limit: number, context: ToolContext): string {
  const hits = reply.hits.slice(0, limit);
  const notes = noteRecords(reply);
  let fitting = 0;
  const text = composeReply({
    nonce: context.nonce(),
    records: [...notes, ...hits.map((hit) => hitRecord(hit, context.timeZone))],
    words: (records) => {
      const shown = Math.max(records - notes.length, 0);
      fitting = shown;
      const next = reply.offset + shown;
      const hasMore = shown < reply.hits.length;
      return {
        head: joinLines(
          `${shownWords(reply, shown)}: ${TIER_WORDS[reply.tier]}.${currentWords(input, context)}`,
          ignoredWords(reply),
          staleWords(reply.freshness),
        ),
        more: hasMore ? moreWords(context.paging.next(input, next)) : undefined,
        tail: nextStep(hits.slice(0, shown)),
      };
    },
  });
  explain(input, reply, { fitting, limit }, context);
  return text;
}

/** Of the hits that were found, those behind the ones that stand in the reply are cut. */
function explain(
  input: Input,
  { trace, hits }: SearchReply,
  { fitting, limit }: { readonly fitting: number; readonly limit: number },
  context: ToolContext,
): void {
  if (trace === undefined) return;
  const current = leavesOutCurrent(input, context) ? ["without: the session that asks"] : [];
  const candidates = trace.candidates.map((one, at): TraceCandidate => {
    if (at < fitting || at >= hits.length) return one;
    return { ...one, outcome: "cut", why: at < limit ? NO_ROOM : `beyond the limit of ${limit}` };
  });
  context.explain({ ...trace, filters: [...trace.filters, ...current], candidates });
}

function shownWords(reply: SearchReply, shown: number): string {
  const total = reply.totalIsExact ? formatCount(reply.total) : `at least ${formatCount(reply.total)}`;
  return `Hits ${reply.offset + 1}–${reply.offset + shown} of ${total}`;
}

const TIER_WORDS: Readonly<Record<SearchReply["tier"], string>> = {
  all: "observations with all the words",
  some: "these have some of the words, not every one all",
  prefix: "nothing has the words as typed; these have words that begin with them",
  similar: "nothing has the words as typed; these have words like them",
  recent: "no words given; the newest observations that pass the filters",
  none: "nothing matched",
};

function currentWords(input: Input, context: ToolContext): string {
  return leavesOutCurrent(input, context) ? " The session that asks is left out (include_current adds it)." : "";
}

function ignoredWords(reply: SearchReply): string | undefined {
  if (reply.ignoredWords.length === 0) return undefined;
  return `Left out of the search because they are everywhere: ${reply.ignoredWords.map((word) => oneLine(word, 40)).join(", ")}.`;
}

function nextStep(hits: SearchReply["hits"]): string | undefined {
  const first = hits[0];
  if (first === undefined) return undefined;
  const all = hits.reduce((sum, hit) => sum + hit.tokens, 0);
  return `next: get_observations ids=["${first.id}"] reads one (~${formatCount(first.tokens)} tokens whole, all ${hits.length} ~${formatCount(all)}; condensed is less); timeline observation="${first.id}" shows what happened around it (${ENTRY_COST})`;
}

async function nothingFound(input: Input, reply: SearchReply, context: ToolContext): Promise<string> {
  const empty = await emptyStoreWords(context.yore, reply.freshness);
  if (empty !== undefined) return empty;
  return composeReply({
    nonce: context.nonce(),
    records: [
      `words: ${oneLine(input.query ?? "(none)", 300)}`,
      ...reply.filters.map((filter) => `filter: ${oneLine(filter, 200)}`),
      ...noteRecords(reply),
    ],
    words: () => ({
      head: joinLines(
        `No observation matches (tier: none).${currentWords(input, context)} What was searched:`,
        staleWords(reply.freshness),
      ),
      tail: joinLines("Try:", ...suggestions(input)),
    }),
  });
}

// In the fence, because a warning may name projects and tags, and a word is read as one that is stored.
function noteRecords(reply: SearchReply): readonly string[] {
  return [
    ...reply.readings.map(({ typed, as }) => `note: nothing has ${oneLine(typed, 60)}; looked for ${oneLine(as, 60)}`),
    ...reply.warnings.slice(0, 5).map((warning) => `note: ${oneLine(warning, 300)}`),
  ];
}

function suggestions(input: Input): readonly string[] {
  const filters = FILTERS.filter((name) => input[name] !== undefined);
  return [
    ...(input.query === undefined
      ? []
      : ["- fewer or other words: the names, errors or files that would stand in the session"]),
    ...(filters.length === 0 ? [] : [`- without ${filters.join(", ")}`]),
    ...(filters.includes("project") ? ["- list_projects for the projects there are"] : []),
    ...(filters.includes("tag") ? ["- list_tags for the tags there are"] : []),
    "- list_sessions to browse by date and project",
  ];
}

const FILTERS = ["project", "agent", "type", "role", "file", "branch", "tag", "since", "until"] as const;
