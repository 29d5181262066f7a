import type { SessionDetails, StoredMessage, StoredSession } from "../store/store.ts";

/** What a question asks for, and what is right for it. */
export const QUESTION_KINDS = ["title", "error", "file", "commit", "identifier"] as const;
/**
 * `title`: to its session. `error`: to the turn that fixed it. `file`: to a decision about it. `commit`: its subject, to the
 * session that made it. `identifier`: to where it came in.
 */
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** Something to ask, found in one session. */
export interface Candidate {
  readonly kind: QuestionKind;
  readonly query: string;
  readonly session: StoredSession;
  readonly conversation: number;
  /** Ids of the observations that answer it; none where any of the session does. */
  readonly observations: readonly string[];
  /** Where in the session its prompts are. */
  readonly prompts: readonly number[];
}

/** What a session can be asked for. */
export type Mined = Pick<Candidate, "query" | "observations">;

/** A question with its answer. */
export interface Question {
  /** Follows from kind and query: the same in every run. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly query: string;
  readonly gold: Gold;
  readonly leftOut: LeftOut;
}

/** What is right; each is as right as the others, and there is at least one. */
export interface Gold {
  /** Conversations, by their number: a session with its subagents. */
  readonly conversations: readonly number[];
  /** Where a session as a whole is too much of an answer: of each right turn the ids of its observations. */
  readonly turns: readonly (readonly string[])[];
}

/** What may not help in finding the answer, since it quotes the question. */
export interface LeftOut {
  /** What is quoted; undefined where nothing is left out. */
  readonly quoted: string | undefined;
  readonly messages: readonly LeftOutMessage[];
  /** Sessions whose titles quote it. */
  readonly titles: readonly number[];
}

export interface LeftOutMessage {
  readonly observation: number;
  /** Position of the message within the observation. */
  readonly message: number;
  readonly session: number;
  readonly seq: number;
}

export const NOTHING_LEFT_OUT: LeftOut = { quoted: undefined, messages: [], titles: [] };

/** A question that looks like the others and has no answer. */
export interface Control {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly query: string;
}

/** A session as it is looked through for questions. */
export interface Surveyed {
  readonly session: StoredSession;
  readonly conversation: number;
  readonly titles: SessionDetails["titles"];
  readonly messages: readonly StoredMessage[];
  readonly turns: readonly Turn[];
}

/** A prompt and all that followed until the next. */
export interface Turn {
  readonly messages: readonly StoredMessage[];
  /** Ids of what it is found by. */
  readonly observations: readonly string[];
}
