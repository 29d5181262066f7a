import type { Trace } from "../core/trace.ts";

/** What the three requests have in common: who asks, and where it is worked. */
export interface BriefedPlace {
  /** The folder that is worked in. */
  readonly folder: string;
  readonly agent?: string;
  /** Native id of the session that asks: nothing of it is told. */
  readonly session?: string;
  /** Most tokens of the text, as `estimateTokens` counts. */
  readonly budget?: number;
}

export interface BriefRequest extends BriefedPlace {
  /** Default 1,000 tokens. */
  readonly budget?: number;
  /** Most characters that the host takes. */
  readonly maxChars?: number;
}

/** Default budget: 300 tokens. */
export interface PromptRecallRequest extends BriefedPlace {
  /** What was typed. */
  readonly prompt: string;
}

/** Default budget: 300 tokens. */
export interface ToolRecallRequest extends BriefedPlace {
  /** Files that are about to be changed, as the agent names them. */
  readonly files?: readonly string[];
  /** A command that is about to be run. */
  readonly command?: string;
}

export interface BriefReply {
  /** Markdown, stored text in it neutralised, not fenced; empty where there is nothing worth saying. */
  readonly text: string;
  readonly tokens: number;
  /** What the text tells of, in its order. */
  readonly items: readonly BriefItem[];
  readonly trace: Trace;
}

export type RecallReply = BriefReply;

export interface BriefItem {
  /** Of an observation or a memory. */
  readonly id: string;
  /** `memory`, `pinned`, `decision`, `open`, `recent`, `error`. */
  readonly kind: string;
  readonly title: string;
}

/**
 * What an agent is told without having asked. None of these looks at the agents' files, writes or starts a program: they
 * answer from the store as it is, in a few milliseconds, and the same store, request and working tree give the same bytes.
 */
export interface Briefings {
  /** What matters at the start of a session: what was decided, what was left open, and what was done last. */
  brief(request: BriefRequest): Promise<BriefReply>;
  /** What clearly answers what was typed; nothing for most prompts. */
  recallForPrompt(request: PromptRecallRequest): Promise<RecallReply>;
  /** What is known of a file that is about to be changed, or of a command that failed before. */
  recallForTool(request: ToolRecallRequest): Promise<RecallReply>;
}
