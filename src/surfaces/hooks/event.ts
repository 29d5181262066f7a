/** What happens in a session, by Claude Code's names. */
export const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "PreCompact",
  "SubagentStop",
  "SessionEnd",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What an agent tells of an event, whichever agent it is. */
export interface HookInput {
  /** Native id of the session. */
  readonly session?: string;
  /** Transcripts that it names. */
  readonly paths: readonly string[];
  /** The folder that is worked in. */
  readonly folder?: string;
  /** Why a session starts. */
  readonly source?: string;
  /** What was typed. */
  readonly prompt?: string;
  readonly tool?: HookTool;
}

/** A tool that is about to be used. */
export interface HookTool {
  readonly name: string;
  /** Files that it will change. */
  readonly files: readonly string[];
  readonly command?: string;
}

/** How an agent's hooks speak. */
export interface Host {
  /** Its name among the sources. */
  readonly agent: string;
  /** Its own names of events, in small letters. Those of Claude Code are understood anyway. */
  readonly events: Readonly<Record<string, HookEvent>>;
  /** Events at which it takes context. */
  readonly takes: readonly HookEvent[];
  /** Most characters of context that reach the model whole. */
  readonly maxChars: number;
  /** Most tokens, where that is its limit too. */
  readonly maxTokens?: number;
  read(fields: Readonly<Record<string, unknown>>): HookInput;
  /** What is printed to hand it context. */
  answer(event: HookEvent, context: string): unknown;
  /** What is printed where there is nothing to say; nothing at all where it is left out. */
  readonly silence?: unknown;
}
