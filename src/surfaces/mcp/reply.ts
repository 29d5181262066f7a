import { fence, neutralise } from "../../core/fence.ts";
import { clipLine } from "../../core/text.ts";
import type { Freshness } from "../../service/yore.ts";

/** Characters of a reply unless the caller asks for more. */
export const REPLY_CHARS = 8_000;
/** Characters of any reply: the smallest of the limits at which known clients cut. */
export const MAX_REPLY_CHARS = 11_500;
/** Of these, the line at the end that names the receipt. */
const RECEIPT_CHARS = "\nreceipt: r-0123456789".length;

/** Why something is not in a reply, for its receipt. */
export const NO_ROOM = "did not fit into the reply";

/** The reply as it is handed out: with its receipt named on a line of its own. */
export function withReceipt(text: string, id: string): string {
  return `${text}\nreceipt: ${id}`;
}

/** Yore's own words around the records, which depend on how many of them fit. */
export interface Words {
  readonly head: string;
  /** Names the next page; stands at both ends, since some clients drop the middle and some the end. */
  readonly more?: string | undefined;
  readonly tail?: string | undefined;
}

/**
 * Text of a reply: own words outside, stored text inside one fence. As many whole records as fit are shown, at least
 * one, which is cut if it must be. `words` is asked with the number of records shown.
 */
export function composeReply(parts: {
  readonly records: readonly string[];
  readonly nonce: string;
  readonly words: (shown: number) => Words;
  readonly maxChars?: number;
}): string {
  const maxChars = Math.min(parts.maxChars ?? REPLY_CHARS, MAX_REPLY_CHARS) - RECEIPT_CHARS;
  const records = parts.records.map(neutralise);
  for (let shown = records.length; shown > 0; shown--) {
    const reply = layOut(parts.words(shown), records.slice(0, shown), parts.nonce);
    if (reply.length <= maxChars) return reply;
    if (shown === 1) return cutReply(parts.words(1), records[0] ?? "", parts.nonce, maxChars);
  }
  return layOut(parts.words(0), [], parts.nonce);
}

/** Characters that are left for records beside these words. */
export function roomFor(words: Words, nonce: string, maxChars: number): number {
  return maxChars - RECEIPT_CHARS - layOut(words, [" "], nonce).length;
}

/** Stored text on one line: neutralised, white space run together, cut to `maxChars` with an ellipsis, at a word if one ends near. */
export function oneLine(text: string, maxChars = 120): string {
  // The slice before keeps megabytes of text from being neutralised for one line.
  return clipLine(neutralise(text.slice(0, maxChars * 8)), maxChars);
}

/** Warnings, fenced because they may name projects and tags. */
export function warningRecords(
  warnings: readonly string[] | undefined,
  context: { nonce: () => string },
): readonly string[] {
  if (warnings === undefined || warnings.length === 0) return [];
  const notes = warnings.slice(0, 5).map((warning) => `note: ${oneLine(warning, 300)}`);
  return [fence(notes.join("\n"), context.nonce())];
}

/** Cuts between code points, the ellipsis included in `maxChars`. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = isHighSurrogate(text.charCodeAt(maxChars - 2)) ? maxChars - 2 : maxChars - 1;
  return `${text.slice(0, end)}…`;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** `1,234` whatever the locale of the machine. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 session`, `23 sessions`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function moreWords(cursor: string): string {
  return `more: call again with the same arguments and cursor="${cursor}"`;
}

/** How the reply may be behind what is on disk; undefined when it is not. */
export function staleWords(freshness: Freshness): string | undefined {
  if (freshness.stale === undefined) return undefined;
  const files = freshness.filesBehind === undefined ? "some files" : countOf(freshness.filesBehind, "file");
  switch (freshness.stale) {
    case "another-process":
      return `Note: another process is indexing; ${files} not read yet, so the newest work may be missing.`;
    case "out-of-time":
      return `Note: the index is behind by ${files}; calling again goes on catching up.`;
    case "disk-full":
      return `Note: the disk is full, so nothing new is indexed; ${files} not read yet.`;
  }
}

export function joinLines(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== "").join("\n");
}

function layOut(words: Words, records: readonly string[], nonce: string): string {
  const quoted = records.length === 0 ? undefined : fence(records.join("\n"), nonce);
  return joinLines(words.head, words.more, quoted, words.more, words.tail);
}

function cutReply(words: Words, record: string, nonce: string, maxChars: number): string {
  const room = maxChars - layOut(words, [" "], nonce).length - CUT.length;
  return layOut(words, [`${clip(record, Math.max(room, 1))}${CUT}`], nonce);
}

const CUT = "\n[cut]";
