import { decisionsIn, type Saying } from "./decision.ts";
import { withoutRecall } from "./fence.ts";
import { withoutPlanOpening } from "./intent.ts";
import type { Part, Role } from "./session.ts";
import { clipLine } from "./text.ts";

/** Raised when the same messages would give other observations, words or titles: derived rows are then made anew. */
export const DERIVATION_VERSION = 3;

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

/** What an observation is called by: its first message. */
export interface Opening {
  readonly text: string;
  readonly tool?: string;
}

/**
 * One line for lists, from the observation's first message; what a tool did is told by its name. Of a plan that is handed
 * over, the heading counts.
 */
export function observationTitle({ text, tool }: Opening): string {
  const told = withoutPlanOpening(withoutRecall(text));
  const line =
    told.split("\n").find((candidate) => /[A-Za-z0-9]/.test(candidate) || /[\p{L}\p{N}]/u.test(candidate)) ?? text;
  const said = line.replace(/^[\s#>*-]+/, "");
  return clipLine(tool === undefined ? said : `${tool}: ${said}`, TITLE_CHARS);
}

/** What a decision is called: the statement. Undefined where the message tells of none that a person made. */
export function decisionTitle(message: Saying): string | undefined {
  const decision = decisionsIn(message).find(({ by }) => by !== "agent");
  return decision && clipLine(decision.statement, TITLE_CHARS);
}

const TITLE_CHARS = 120;
