import { withoutRecall } from "./fence.ts";
import type { ObservationType, Part, Role } from "./session.ts";
import { clipLine } from "./text.ts";

/** Raised when the same messages would give other observations, words or titles: derived rows are then made anew. */
export const DERIVATION_VERSION = 1;

/** A turn longer than this is cut where the agent next begins to speak. */
const CUT_FROM_CHARS = 16_000;
/** Cut in any case, so that what is handed back at once stays readable. */
const CUT_AT_CHARS = 64_000;
/** The word index numbers the messages of an observation with ten bits. */
export const MAX_MESSAGES = 1_000;

/** What cutting looks at. */
export interface Cuttable {
  readonly role: Role;
  readonly part: Part;
  readonly chars: number;
}

/** The observation in the making: how far it has grown. */
export interface Growth {
  readonly part: number;
  readonly chars: number;
  readonly messages: number;
}

/**
 * Where a message goes: it opens a turn, opens the next part of a long turn, joins the open observation, or stays
 * outside (what the harness says before anyone has spoken).
 *
 * Depends on nothing but the message and the open observation, so that cutting as messages arrive equals cutting
 * the whole session at once.
 */
export function place(message: Cuttable, open: Growth | undefined): "turn" | "part" | "join" | "outside" {
  if (message.role === "human") return "turn";
  if (open === undefined) return message.part === "notice" ? "outside" : "turn";
  if (open.messages >= MAX_MESSAGES || open.chars >= CUT_AT_CHARS) return "part";
  const speaks = message.role === "assistant" && message.part === "text";
  return speaks && open.chars >= CUT_FROM_CHARS ? "part" : "join";
}

/** One line for lists, from the observation's first message; what a tool did is told by its name. */
export function observationTitle({ text, tool }: { readonly text: string; readonly tool?: string }): string {
  const line =
    withoutRecall(text)
      .split("\n")
      .find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? text;
  const said = line.replace(/^[\s#>*-]+/, "");
  return clipLine(tool === undefined ? said : `${tool}: ${said}`, 120);
}

/**
 * What kind of work it was, by rule: words of the prompt decide where files were changed; without changes it is a
 * discovery, unless the prompt states a decision or a preference.
 */
export function observationType(prompt: string, changedFiles: boolean): ObservationType {
  const head = prompt.slice(0, 2_000);
  if (DECISION.test(head)) return "decision";
  if (PREFERENCE.test(head)) return "preference";
  if (!changedFiles) return "discovery";
  if (BUGFIX.test(head)) return "bugfix";
  if (REFACTOR.test(head)) return "refactor";
  if (FEATURE.test(head)) return "feature";
  return "change";
}

const DECISION = /\b(?:we|i) (?:have |'ve )?decided\b|\blet'?s go with\b|\bdecision:/i;
const PREFERENCE = /\b(?:i|we) (?:always |really )?prefer\b|\bfrom now on\b|\balways use\b|\bnever use\b/i;
const BUGFIX =
  /\b(?:fix(?:es|ed|ing)?|bugs?|broken|crash\w*|regression|fail(?:s|ed|ing|ures?)?|errors?|exception|doesn'?t work|not working)\b/i;
const REFACTOR = /\b(?:refactor\w*|renam\w+|clean ?up|simplif\w+|extract|restructure|reorgani[sz]e|dedup\w*|move)\b/i;
const FEATURE = /\b(?:add|implement|create|build|support|introduce|write|make it possible|new)\b/i;
