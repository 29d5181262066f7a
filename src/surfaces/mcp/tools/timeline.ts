import * as z from "zod";
import { YoreError } from "../../../core/errors.ts";
import type { Trace, TraceCandidate } from "../../../core/trace.ts";
import type { TimelineReply, TimelineRequest } from "../../../service/yore.ts";
import { emptyStoreWords } from "../empty.ts";
import { dateRange, projectArgument, shortText, wholeNumber } from "../filters.ts";
import { ENTRY_COST, entryRecord } from "../lines.ts";
import { composeReply, formatCount, joinLines, NO_ROOM, REPLY_CHARS, staleWords, warningRecords } from "../reply.ts";
import { define, READS, type ToolContext } from "../tool.ts";

const schema = () =>
  z.strictObject({
    observation: shortText(),
    session: shortText(),
    at: shortText("2026-06-01"),
    before: wholeNumber(0, 20, "Default 5"),
    after: wholeNumber(0, 20),
    project: projectArgument(),
  });
type Input = z.output<ReturnType<typeof schema>>;

export const timeline = define({
  name: "timeline",
  title: "What happened around",
  description:
    "Step 2 of recall: observations in time order around exactly one of: observation (id), session (id), at (date).",
  annotations: READS,
  isRecall: true,
  searchHint: "memory history chronology before after day session",
  example: { observation: "k3v9m2x7q0ab", before: 5, after: 5 },
  input: schema,
  async handler(input, context) {
    const reply = await context.yore.timeline(await request(input, context));
    const anchor = reply.entries[reply.anchor];
    if (anchor !== undefined && input.at === undefined) context.about(anchor.session.id);
    if (reply.entries.length > 0) return show(input, reply, context);
    const empty = await emptyStoreWords(context.yore, reply.freshness);
    return (
      empty ??
      joinLines(
        "Nothing is recorded there.",
        ...warningRecords(reply.warnings, context),
        staleWords(reply.freshness),
        "Try: another date or more entries before and after; without project; list_sessions shows which days have sessions.",
      )
    );
  },
});

async function request(input: Input, context: ToolContext): Promise<TimelineRequest> {
  const { observation, session, at } = input;
  const given = [observation, session, at].filter((anchor) => anchor !== undefined);
  if (given.length !== 1) {
    throw new YoreError(
      "bad-input",
      `timeline needs exactly one of observation, session and at; ${given.length === 0 ? "none" : given.length} came.`,
      { hint: 'Or: timeline {"session":"<id>"}, timeline {"at":"2026-06-01"}.' },
    );
  }
  return {
    ...(observation !== undefined && { observation }),
    ...(session !== undefined && { session }),
    ...(at !== undefined && { at: (await dateRange(at, "at", context)).from }),
    before: input.before ?? 5,
    after: input.after ?? 5,
    ...(input.project !== undefined && { filter: { project: input.project } }),
  };
}

function show(input: Input, reply: TimelineReply, context: ToolContext): string {
  const records = reply.entries.map((entry, index) => entryRecord(entry, index === reply.anchor, context.timeZone));
  const { from, to } = windowThatFits(records, reply.anchor, REPLY_CHARS - ROOM_FOR_WORDS);
  const entries = reply.entries.slice(from, to);
  const shown = entries.length;
  context.explain(traceOf(input, reply, { from, to }));
  return composeReply({
    nonce: context.nonce(),
    records: records.slice(from, to),
    words: () => ({
      head: joinLines(
        `${shown < records.length ? `${shown} of ` : ""}${entryCount(records.length)} in time order${reply.anchor === -1 ? "" : "; → marks the one asked for"}.`,
        staleWords(reply.freshness),
      ),
      tail: nextSteps(entries, reply.entries[reply.anchor]),
    }),
  });
}

function traceOf({ observation, session, at, project }: Input, reply: TimelineReply, window: Window): Trace {
  const { entries, anchor } = reply;
  return {
    query: `around ${observation ?? session ?? at ?? ""}`,
    filters: project === undefined ? [] : [`project: ${project}`],
    considered: entries.length,
    candidates: entries.map(({ id, title, at: when }, index): TraceCandidate => {
      const isShown = index >= window.from && index < window.to;
      const signals = { ...(anchor !== -1 && { place: index - anchor }), at: new Date(when).toISOString() };
      return { id, title, signals, ...(isShown ? { outcome: "shown" } : { outcome: "cut", why: NO_ROOM }) };
    }),
  };
}

function entryCount(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

function nextSteps(entries: TimelineReply["entries"], anchor: TimelineReply["entries"][number] | undefined): string {
  const [first] = entries;
  const last = entries.at(-1);
  const read = anchor ?? first;
  return joinLines(
    read === undefined
      ? undefined
      : `next: get_observations ids=["${read.id}"] reads it (~${formatCount(read.tokens)} tokens whole)`,
    first === undefined ? undefined : `earlier: timeline observation="${first.id}" before=10 after=0 (${ENTRY_COST})`,
    last === undefined ? undefined : `later: timeline observation="${last.id}" before=0 after=10`,
  );
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The entries around the anchor that fit, dropped one by one from the end that is farther from it. */
function windowThatFits(records: readonly string[], anchor: number, maxChars: number): Window {
  let from = 0;
  let to = records.length;
  let chars = records.reduce((sum, record) => sum + record.length + 1, 0);
  const middle = anchor === -1 ? 0 : anchor;
  while (chars > maxChars && to - from > 1) {
    const dropped = middle - from >= to - 1 - middle ? from++ : --to;
    chars -= (records[dropped]?.length ?? 0) + 1;
  }
  return { from, to };
}

const ROOM_FOR_WORDS = 900;
