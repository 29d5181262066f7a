/** Something that answers a text: a model behind an address, or a program. */
export interface Engine {
  /** What is noted as the model. */
  readonly model: string;
  /** Where texts go, for people to read. */
  readonly to: string;
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}

export interface Question {
  /** What is wanted. */
  readonly system: string;
  readonly text: string;
  /** The answer is to be no longer. */
  readonly maxTokens: number;
}

/** Tokens as an endpoint reports them. */
export interface ReportedTokens {
  readonly input: number;
  readonly output: number;
}

/** A whole number, not below 0; undefined where an endpoint says something else. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** No answer to what is asked is nearly as long. */
export const MOST_ANSWER_BYTES = 1_000_000;

export const TOO_LATE: EngineFailure = {
  kind: "unusable",
  message: "No answer came in time.",
  hint: "Give it longer with --timeout.",
};

export type Reply =
  | { readonly kind: "answer"; readonly text: string; readonly tokens?: ReportedTokens }
  | EngineFailure
  /** The signal came first. */
  | { readonly kind: "stopped" };

/**
 * `fatal`: no other text will do better; `later`: the same one may; `unusable`: this text got no answer that can be used.
 * What an endpoint or a program said about it stays out: it may be anything, and an agent would read it.
 */
export interface EngineFailure {
  readonly kind: "fatal" | "later" | "unusable";
  readonly message: string;
  readonly hint: string;
  /** How long the endpoint asks to wait. */
  readonly retryAfterMs?: number;
  readonly tokens?: ReportedTokens;
}

/** What is sent of a text to be embedded: models take 500 tokens and more, and a Chinese letter may be one. */
export const MOST_EMBEDDED_CHARS = 1_000;

/** Why vectors came to an end: what failed, or nothing where the signal came. */
export class EmbeddingStop extends Error {
  readonly failure: EngineFailure | undefined;

  constructor(failure?: EngineFailure) {
    super(failure?.message ?? "Stopped");
    this.name = "EmbeddingStop";
    this.failure = failure;
  }
}
