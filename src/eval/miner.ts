import type { Store } from "../store/store.ts";
import type { Candidate, Gold, LeftOut, Mined, QuestionKind, Surveyed } from "./question.ts";

/** Finds questions of one kind. */
export interface Miner {
  readonly kind: QuestionKind;
  /** What a session can be asked for. */
  mine(surveyed: Surveyed): readonly Mined[];
  /**
   * Looks up in the whole store what is right for a question, and what may not help. `found` are all that ask the same. A
   * word says why it is of no use.
   */
  settle(found: readonly Candidate[], store: Store, conversationOf: (session: number) => number): Promise<Settled>;
}

export type Settled = { readonly gold: Gold; readonly leftOut: LeftOut } | { readonly unusable: Unusable };

/**
 * `ambiguous`: right in more places than can be told apart. `quoted too often`: so much quotes it that little is left.
 * `nothing left`: all that answers it quotes it.
 */
export type Unusable = "ambiguous" | "quoted too often" | "nothing left";

/** What is right in more conversations than this is asked for too vaguely. */
export const MOST_RIGHT = 3;

/** The answers of all who ask the same. */
export function goldOf(found: readonly Candidate[]): Gold {
  const conversations = new Set(found.map(({ conversation }) => conversation));
  const turns = new Map(found.map(({ observations }) => [observations.join(" "), observations]));
  return {
    conversations: [...conversations].sort((a, b) => a - b),
    turns: [...turns.values()].filter((observations) => observations.length > 0),
  };
}
