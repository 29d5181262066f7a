import type { Control, Question } from "./question.ts";

/** Something that answers questions. */
export interface Finder {
  readonly name: string;
  /** What it does, in a line. */
  readonly about: string;
  /** Of a control, nothing is left out. */
  answer(question: Question | Control): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  /** What was found, the best first, each conversation once; a file may hold several. At most {@link RANKED}. */
  readonly conversations: readonly (readonly number[])[];
  /** Ids of the observations that were found, the best first; undefined where it knows no such thing. */
  readonly observations: readonly string[] | undefined;
  /** Whether it says of something that it has all that was asked for; undefined where it never says so. */
  readonly isSure: boolean | undefined;
  /** Estimated, of what is read when the first {@link PAGE} are. */
  readonly tokens: number;
  /** Undefined where questions are not answered one by one. */
  readonly ms: number | undefined;
}

/** Places that are looked at, and those of them that are one page. */
export const RANKED = 10;
export const PAGE = 5;

/** Collects conversations in order, each once, until there are enough. */
export function eachOnce(found: Iterable<number>): readonly (readonly number[])[] {
  const once = new Set<number>();
  for (const conversation of found) {
    once.add(conversation);
    if (once.size === RANKED) break;
  }
  return [...once].map((conversation) => [conversation]);
}
