import type { Part, Role } from "../core/session.ts";
import { splitAtBorders } from "../core/text.ts";
import { identifierParts, indexable } from "../core/words.ts";
import type { Piece, Place } from "../store/store.ts";

/** Prose is found better in short pieces: the words of a query then stand near each other. */
const PROSE_CHARS = 1_200;
/** Output of tools is long and seldom the answer; longer pieces keep the index small. */
const OUTPUT_CHARS = 4_000;
/** The word index numbers the pieces of a message with six bits. */
const MAX_PIECES = 64;

/** Where the words of a message stand for ranking; undefined for what is not searched, such as harness notices. */
export function placeOf(role: Role, part: Part): Place | undefined {
  if (part === "notice") return undefined;
  if (part === "thinking" || role === "summary") return "aside";
  if (role === "human") return "prompt";
  if (role === "assistant") return "answer";
  if (role === "tool") return part === "call" ? "action" : "output";
  // A subagent's opening prompt, written by its spawner.
  return "action";
}

/** Cuts a message for the word index. `message` is its position within the observation. */
export function piecesOf(role: Role, part: Part, text: string, message: number): Piece[] {
  const at = placeOf(role, part);
  if (at === undefined || text === "") return [];
  const limit = at === "output" ? OUTPUT_CHARS : PROSE_CHARS;
  const pieces = splitAtBorders(text, Math.max(limit, Math.ceil((text.length * 2) / MAX_PIECES)));
  return pieces.slice(0, MAX_PIECES).map((piece, index) => ({
    message,
    piece: index,
    place: at,
    text: indexable(piece),
    parts: identifierParts(piece),
  }));
}
