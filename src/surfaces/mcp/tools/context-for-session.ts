import * as z from "zod";
import { neutralise } from "../../../core/fence.ts";
import type { Trace } from "../../../core/trace.ts";
import type { ContextReply } from "../../../service/yore.ts";
import { wholeNumber } from "../filters.ts";
import { textPage } from "../pages.ts";
import { composeReply, countOf, formatCount, joinLines, MAX_REPLY_CHARS, REPLY_CHARS } from "../reply.ts";
import { define, READS } from "../tool.ts";

export const contextForSession = define({
  name: "context_for_session",
  title: "Context to go on from a session",
  description: "Starting context for a fresh agent that goes on with a session.",
  annotations: READS,
  isRecall: true,
  searchHint: "memory handoff continue resume session summary",
  example: { session: "0197f2c4", budget: 2000 },
  input: () =>
    z.strictObject({
      session: z.string().min(1).max(200).describe("Id, prefix or alias"),
      mode: z.enum(["condensed", "full"]).exactOptional(),
      budget: wholeNumber(200, 8_000, "Default 2000"),
    }),
  async handler(input, context) {
    const asked = input.budget ?? 2_000;
    const mode = input.mode ?? "condensed";
    // The service cuts between messages, so it is asked for what a reply can hold.
    const reply = await context.yore.context({ session: input.session, mode, budget: Math.min(asked, MAX_TOKENS) });
    context.about(reply.session.id);
    context.explain(traceOf(input.session, reply, { mode, budget: asked }));
    const text = neutralise(reply.text).trim();
    const page = textPage([text], 0, MAX_REPLY_CHARS - ROOM_FOR_WORDS);
    const isCut = asked > MAX_TOKENS || page?.next !== undefined;
    return composeReply({
      nonce: context.nonce(),
      maxChars: MAX_REPLY_CHARS,
      records: text === "" ? [] : [page?.text ?? text],
      words: () => ({
        head: joinLines(
          `${mode} context, ~${formatCount(reply.tokens)} tokens: ${shownWords(reply)}.`,
          isCut && hasRest(reply, page?.next)
            ? `Capped at ${formatCount(MAX_REPLY_CHARS)} characters, the most a reply holds (about ${formatCount(MAX_TOKENS)} tokens).`
            : undefined,
        ),
        tail: `next: get_session pages through all ${countOf(reply.session.messages, "message")} of it (at most ~${formatCount(REPLY_CHARS / CHARS_PER_TOKEN)} tokens a page)`,
      }),
    });
  },
});

function traceOf(
  query: string,
  { session, messagesShown, messagesLeftOut, tokens }: ContextReply,
  { mode, budget }: { readonly mode: string; readonly budget: number },
): Trace {
  const signals = { shown: messagesShown, left: messagesLeftOut, tokens };
  const why = messagesLeftOut === 0 ? {} : { why: "the messages that are left out are beyond the budget" };
  return {
    query,
    filters: [`mode: ${mode}`, `budget: ${budget}`],
    considered: messagesShown + messagesLeftOut,
    candidates: [{ id: session.id, title: session.title, signals, outcome: "shown", ...why }],
  };
}

function shownWords(reply: ContextReply): string {
  const leftOut = reply.messagesLeftOut === 0 ? "" : `, ${formatCount(reply.messagesLeftOut)} left out`;
  return `${countOf(reply.messagesShown, "message")} shown${leftOut}`;
}

function hasRest(reply: ContextReply, next: number | undefined): boolean {
  return reply.messagesLeftOut > 0 || next !== undefined;
}

const ROOM_FOR_WORDS = 600;
const CHARS_PER_TOKEN = 4;
const MAX_TOKENS = Math.floor((MAX_REPLY_CHARS - ROOM_FOR_WORDS) / CHARS_PER_TOKEN / 100) * 100;
