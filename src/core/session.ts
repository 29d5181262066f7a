/** What a message is, whoever wrote it. `summary` is a compaction summary; `system` is what a harness injected. */
export const ROLES = ["human", "assistant", "tool", "system", "summary"] as const;
export type Role = (typeof ROLES)[number];

/** The part a message plays within its role. `call` and `result` are the two halves of a tool call. */
export const PARTS = ["text", "thinking", "call", "result", "notice"] as const;
export type Part = (typeof PARTS)[number];

/** How a session came from another one. */
export const RELATIONS = ["subagent", "fork", "continuation"] as const;
export type Relation = (typeof RELATIONS)[number];

/** `live`: its file was written moments ago. `archived`: the agent has deleted every file it came from. */
export const SESSION_STATES = ["live", "idle", "archived"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const OBSERVATION_TYPES = [
  "decision",
  "bugfix",
  "feature",
  "refactor",
  "discovery",
  "change",
  "preference",
  "note",
] as const;
export type ObservationType = (typeof OBSERVATION_TYPES)[number];

/** Where a title came from, the strongest first: a later kind never replaces an earlier one. */
export const TITLE_KINDS = ["custom", "generated", "last-prompt", "summary"] as const;
export type TitleKind = (typeof TITLE_KINDS)[number];

/**
 * Whose the title is that is shown: set by a person or made by the agent (`custom`, `generated`), made by a model over
 * what was said (`enriched`), or words of the session itself (`said`).
 */
export const TITLE_ORIGINS = ["custom", "generated", "enriched", "said"] as const;
export type TitleOrigin = (typeof TITLE_ORIGINS)[number];

/** A file a tool call read or changed. `path` is as the agent wrote it. */
export interface FileTouch {
  readonly path: string;
  readonly changed: boolean;
}

/** The tool side of a message: set on `call` and `result` parts. */
export interface ToolUse {
  readonly name: string;
  /** Joins a result to its call. */
  readonly callId?: string;
  readonly files?: readonly FileTouch[];
  /** Shell commands as typed, without the shell that wrapped them. */
  readonly commands?: readonly string[];
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** Tokens of one model call. Counts never overlap: `input` excludes what was read from cache. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
