import { clipLine } from "../core/text.ts";
import { clean, cleanNote } from "../ingest/prepare.ts";

/** Longest note, in UTF-16 units. */
export const MAX_NOTE = 100_000;

/** A note as it is stored: without secrets, without blank lines around it, of bounded length. */
export function tidyNote(text: string): string {
  const whole = text.slice(0, MAX_NOTE).replaceAll("\r\n", "\n").replaceAll("\u0000", "").replace(HALVES, "\ufffd");
  return cleanNote(whole)
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

/** Longest reason for forgetting something. */
const MAX_REASON = 300;

/** A reason as it is stored: one line without secrets. */
export function tidyReason(text: string): string {
  return clipLine(
    clean(
      text
        .slice(0, MAX_NOTE)
        .replace(/\p{Cc}/gu, " ")
        .replace(HALVES, "\ufffd"),
    ),
    MAX_REASON,
  );
}

// With the u flag a pair is one character, so that this matches halves only, which no file can hold.
const HALVES = /\p{Surrogate}/gu;
