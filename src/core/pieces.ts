import { withoutRecall } from "./fence.ts";
import type { Part, Role } from "./session.ts";
import { splitAtBorders } from "./text.ts";

/** Where a word stands; each place has its own weight in ranking. */
export const PLACES = ["prompt", "answer", "action", "output", "aside"] as const;
export type Place = (typeof PLACES)[number];

/** Prose is found better in short pieces: the words of a query then stand near each other. */
const PROSE_CHARS = 1_200;
/** Output of tools is long and seldom the answer; longer pieces keep the index small. */
const OUTPUT_CHARS = 4_000;
/** The word index numbers the pieces of a message with six bits. */
export const MAX_PIECES = 64;

/** Where the words of a message stand; undefined for what is not searched, such as harness notices. */
export function placeOf(role: Role, part: Part): Place | undefined {
  if (part === "notice") return undefined;
  if (part === "thinking" || role === "summary") return "aside";
  if (role === "human") return "prompt";
  if (role === "assistant") return "answer";
  if (role === "tool") return part === "call" ? "action" : "output";
  // A subagent's opening prompt, written by its spawner.
  return "action";
}

/**
 * Cuts a message as the word index holds it, without what an earlier recall put into it. Deterministic, so that a match's piece number is enough to find its
 * text again.
 */
export function cutPieces(place: Place, whole: string): string[] {
  const text = withoutRecall(whole);
  if (text === "") return [];
  const limit = place === "output" ? OUTPUT_CHARS : PROSE_CHARS;
  // Pieces are at least half their limit long, so this many characters never make more than MAX_PIECES.
  return splitAtBorders(text, Math.max(limit, Math.ceil((text.length * 2) / MAX_PIECES))).slice(0, MAX_PIECES);
}
