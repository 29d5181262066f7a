import * as z from "zod";
import { neutralise } from "../../../core/fence.ts";
import { ROLES } from "../../../core/session.ts";
import { formatDay } from "../../../core/time.ts";
import type { Trace, TraceCandidate } from "../../../core/trace.ts";
import type { Annotation, SessionReply, SessionRequest } from "../../../service/yore.ts";
import { pastTheEnd } from "../cursor.ts";
import { cursorArgument, wholeNumber } from "../filters.ts";
import { join, listSome, sessionRecord } from "../lines.ts";
import { indent, messageBlock } from "../record.ts";
import { clip, composeReply, countOf, formatCount, moreWords, NO_ROOM, oneLine } from "../reply.ts";
import { define, READS, type ToolContext } from "../tool.ts";

const schema = () =>
  z.strictObject({
    session: z.string().min(1).max(200),
    roles: z.array(z.enum(ROLES)).min(1).max(5).exactOptional(),
    offset: wholeNumber(0, 1_000_000, "First message"),
    limit: wholeNumber(1, 50, "Default 20"),
    cursor: cursorArgument(),
  });
type Input = z.output<ReturnType<typeof schema>>;

export const getSession = define({
  name: "get_session",
  title: "Read a session",
  description: "Metadata, note and messages of one session, in pages. session: id, unique prefix of 8+, or alias.",
  annotations: READS,
  isRecall: true,
  searchHint: "memory conversation transcript messages turns",
  example: { session: "0197f2c4", roles: ["human", "assistant"] },
  input: schema,
  async handler(input, context) {
    const offset = input.cursor === undefined ? (input.offset ?? 0) : context.paging.start(input);
    const reply = await context.yore.session(request(input, offset));
    if (reply.messages.length === 0 && offset > 0) throw pastTheEnd();
    context.about(reply.session.id);
    const hasNote = reply.session.hasNote && offset === 0;
    const note = hasNote ? (await context.yore.annotations({ session: input.session })).note : undefined;
    return show(input, reply, note, context);
  },
});

function request(input: Input, offset: number): SessionRequest {
  return {
    session: input.session,
    ...(input.roles !== undefined && { roles: input.roles }),
    // What a harness injected is among the notices, which stay out unless they are asked for.
    ...(input.roles?.includes("system") === true && { everything: true }),
    offset,
    limit: input.limit ?? 20,
  };
}

function show(input: Input, reply: SessionReply, note: Annotation | undefined, context: ToolContext): string {
  const head = `${sessionHead(reply, context.timeZone)}${note === undefined ? "" : noteBlock(note, context.timeZone)}`;
  const messages = reply.messages.map((message) => messageBlock(message, context.timeZone, MESSAGE_CHARS));
  let fitting = 0;
  const text = composeReply({
    nonce: context.nonce(),
    records: [head, ...messages],
    words: (records) => {
      const shown = Math.max(records - 1, 0);
      fitting = shown;
      const next = reply.offset + shown;
      return {
        head: `${pageWords(reply, shown)}.`,
        more: next < reply.total ? moreWords(context.paging.next(input, next)) : undefined,
        tail: "next: context_for_session condenses the whole session (~2,000 tokens, or the budget that is given); get_observations reads a part of it in full",
      };
    },
  });
  context.explain(traceOf(input, reply, fitting));
  return text;
}

/** The observations that the page's messages are of. */
function traceOf(
  { session: asked, roles }: Input,
  { session, messages, total, offset }: SessionReply,
  fitting: number,
): Trace {
  const counts = new Map<string, { shown: number; cut: number }>();
  for (const [at, { observation }] of messages.entries()) {
    const count = counts.get(observation) ?? { shown: 0, cut: 0 };
    count[at < fitting ? "shown" : "cut"] += 1;
    counts.set(observation, count);
  }
  counts.delete("");
  return {
    query: asked,
    filters: [...(roles === undefined ? [] : [`roles: ${roles.join(", ")}`]), `from message: ${offset + 1}`],
    considered: total,
    candidates: [...counts].map(([id, { shown, cut }]): TraceCandidate => {
      const fate = shown > 0 ? { outcome: "shown" as const } : { outcome: "cut" as const, why: NO_ROOM };
      return { id, title: session.title, signals: { messages: shown + cut }, ...fate };
    }),
  };
}

function pageWords(reply: SessionReply, shown: number): string {
  if (reply.total === 0) return "The session has no messages of these roles";
  return `Messages ${formatCount(reply.offset + 1)}–${formatCount(reply.offset + shown)} of ${formatCount(reply.total)}`;
}

function sessionHead(reply: SessionReply, zone: string | undefined): string {
  const { session } = reply;
  const counts = [
    countOf(session.messages, "message"),
    session.subagents === 0 ? "" : countOf(session.subagents, "subagent"),
    session.models.length === 0 ? "" : listSome(session.models, 4, 60),
    session.skippedLines === 0 ? "" : `${countOf(session.skippedLines, "line")} could not be read`,
  ];
  const related = reply.related
    .slice(0, 8)
    .map((other) => `  ${other.relation}: [${oneLine(other.id, 80)}] ${oneLine(other.title, 100)}`);
  const summary =
    session.enriched === undefined
      ? []
      : [`  summary by ${oneLine(session.enriched.model, 60)}: ${oneLine(session.enriched.summary, SUMMARY_CHARS)}`];
  const cwd = session.cwd === undefined ? [] : [`  folder: ${oneLine(session.cwd, 200)}`];
  return [sessionRecord(session, zone), `  ${join(counts)}`, ...cwd, ...summary, ...related].join("\n");
}

/** What someone wrote on the session, indented, so that it cannot pose as one of its messages. */
function noteBlock({ value, at, by }: Annotation, zone: string | undefined): string {
  const author = join([by === undefined ? "" : `by ${by}`, at === undefined ? "" : formatDay(at, zone)]);
  const left = value.length - NOTE_CHARS;
  const rest = left > 0 ? `\n    [${formatCount(left)} more characters: yore note]` : "";
  return `\n  note ${author}:\n${indent(neutralise(clip(value, NOTE_CHARS)), "    ")}${rest}`;
}

const SUMMARY_CHARS = 500;
const NOTE_CHARS = 1_500;
// Six of them and the head fit into a reply.
const MESSAGE_CHARS = 1_200;
