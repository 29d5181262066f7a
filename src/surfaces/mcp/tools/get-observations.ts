import * as z from "zod";
import { YoreError } from "../../../core/errors.ts";
import type { Trace, TraceCandidate } from "../../../core/trace.ts";
import type { ObservationsReply } from "../../../service/yore.ts";
import { pastTheEnd } from "../cursor.ts";
import { cursorArgument, wholeNumber } from "../filters.ts";
import { ENTRY_COST } from "../lines.ts";
import { textPage } from "../pages.ts";
import { observationBlocks } from "../record.ts";
import {
  clip,
  composeReply,
  formatCount,
  joinLines,
  MAX_REPLY_CHARS,
  moreWords,
  oneLine,
  REPLY_CHARS,
  roomFor,
  type Words,
} from "../reply.ts";
import { define, READS } from "../tool.ts";

export const getObservations = define({
  name: "get_observations",
  title: "Read observations",
  description:
    "Step 3 of recall: records by id. condensed (default): prompts, answers, files, commands, errors. Long ones continue with cursor.",
  annotations: READS,
  isRecall: true,
  searchHint: "memory read full record details by id",
  alwaysLoad: true,
  example: { ids: ["k3v9m2x7q0ab"], detail: "condensed" },
  input: () =>
    z.strictObject({
      ids: z.array(z.string().min(1).max(64)).min(1).max(20),
      detail: z.enum(["condensed", "full"]).exactOptional(),
      max_chars: wholeNumber(1_000, MAX_REPLY_CHARS, "Default 8000"),
      cursor: cursorArgument(),
    }),
  async handler(input, context) {
    const offset = context.paging.start(input);
    const reply = await context.yore.observations({ ids: input.ids });
    if (reply.observations.length === 0) throw noneFound(reply.missing);
    for (const { session } of reply.observations) context.about(session.id);
    const detail = input.detail ?? "condensed";
    const blocks = reply.observations.flatMap((record) =>
      observationBlocks(record, detail, context.timeZone).map((text) => ({ id: record.id, text })),
    );
    const texts = blocks.map((block) => block.text);
    const words = (firstBlock: number, next: number | undefined): Words => ({
      head: joinLines(
        `${records(reply.observations.length)}, ${detail}${offset === 0 ? "" : `; continues within ${blocks[firstBlock]?.id}`}${shareWords(next, texts)}.`,
        missingWords(reply.missing),
      ),
      more: next === undefined ? undefined : moreWords(context.paging.next(input, next)),
      tail: nextStep(detail, reply.observations),
    });
    const nonce = context.nonce();
    const maxChars = input.max_chars ?? REPLY_CHARS;
    // Measured with the longest words, so that what the cursor passes over has been shown.
    const page = textPage(texts, offset, roomFor(words(0, sizeOf(texts)), nonce, maxChars));
    if (page === undefined) throw pastTheEnd();
    context.explain(traceOf(reply, { detail, blocks, from: offset, to: page.next ?? sizeOf(texts) }));
    return composeReply({ nonce, maxChars, records: [page.text], words: () => words(page.firstBlock, page.next) });
  },
});

/** Which records the characters of the page are of. */
function traceOf(
  { observations, missing }: ObservationsReply,
  page: {
    readonly detail: string;
    readonly blocks: readonly { readonly id: string; readonly text: string }[];
    readonly from: number;
    readonly to: number;
  },
): Trace {
  const shown = new Set<string>();
  let end = 0;
  for (const { id, text } of page.blocks) {
    const start = end;
    end += text.length + 1;
    if (end > page.from && start < page.to) shown.add(id);
  }
  const found = observations.map(({ id, title, messages }): TraceCandidate => {
    const fate = shown.has(id) ? { outcome: "shown" as const } : { outcome: "cut" as const, why: "on another page" };
    return { id, title, signals: { messages: messages.length }, ...fate };
  });
  return {
    query: [...observations, ...missing].map(({ id }) => id).join(" "),
    filters: [`detail: ${page.detail}`],
    considered: observations.length + missing.length,
    candidates: [
      ...found,
      ...missing.map(
        ({ id }): TraceCandidate => ({ id, title: "", signals: {}, outcome: "cut", why: "there is none with that id" }),
      ),
    ],
  };
}

function records(count: number): string {
  return count === 1 ? "1 record" : `${count} records`;
}

function shareWords(next: number | undefined, texts: readonly string[]): string {
  return next === undefined ? "" : `; ${Math.floor((100 * next) / sizeOf(texts))} % shown up to here`;
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

function nextStep(detail: string, records: ObservationsReply["observations"]): string | undefined {
  const [first] = records;
  if (detail === "full" || first === undefined) return undefined;
  const chars = records.reduce(
    (sum, { messages }) => sum + messages.reduce((own, { text }) => own + text.length, 0),
    0,
  );
  return `next: detail="full" adds tool calls, results and thinking (~${formatCount(Math.ceil(chars / 4))} tokens); timeline observation="${first.id}" shows what happened around it (${ENTRY_COST})`;
}

function missingWords(missing: ObservationsReply["missing"]): string | undefined {
  if (missing.length === 0) return undefined;
  const more = missing.length > MOST_MISSING ? ` and ${missing.length - MOST_MISSING} more` : "";
  return `Not found: ${clip(missing.slice(0, MOST_MISSING).map(missingWord).join("; "), 300)}${more}.`;
}

function missingWord(missing: ObservationsReply["missing"][number]): string {
  const nearest = missing.nearest.slice(0, 3).map((id) => oneLine(id, 40));
  return `${oneLine(missing.id, 40)}${nearest.length === 0 ? "" : ` (nearest: ${nearest.join(", ")})`}`;
}

function noneFound(missing: ObservationsReply["missing"]): YoreError {
  return new YoreError("not-found", missingWords(missing) ?? "No observation was found.", {
    hint: "Observation ids come from search and timeline, such as k3v9m2x7q0ab; a unique prefix of 6 characters will do.",
  });
}

const MOST_MISSING = 5;
