import type { TokenUsage } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOf, parseJson, textOf, timeOf, tokensOf } from "../fields.ts";

/** A model call as the interface's log has it. */
export interface Request {
  readonly at: number;
  readonly model: string | undefined;
  readonly usage: TokenUsage;
}

/** What the log of a task's interface tells of the task's messages: when they were sent, and what they took. */
export interface UiLog {
  readonly startedAt: number | undefined;
  readonly requests: readonly Request[];
  /** Of a message of the history by its position; `nth` counts the user's messages up to it, from 1. */
  timeOf(position: number, role: "user" | "assistant", nth: number): number | undefined;
  /** What a person typed, of which the message at that position is what the model was sent. */
  typedAt(position: number): string | undefined;
}

export interface UsageRules {
  /** `tokensIn` may hold what was read from and written to the cache: Roo's, in its later versions. */
  readonly inputMayHoldCache: boolean;
}

/**
 * Reads `ui_messages.json`. An entry's `conversationHistoryIndex` is the position of the last message of the history
 * when the entry was made, so it belongs to the next one. Older logs have none: there each request is of the user's
 * next message.
 */
export function readUiLog(entries: readonly unknown[], rules: UsageRules): UiLog {
  const times = new Map<number, Times>();
  const requests: Request[] = [];
  const asked: number[] = [];
  let startedAt: number | undefined;
  let begin: string | undefined;
  for (const entry of entries) {
    const at = isFields(entry) ? timeOf(entry.ts) : undefined;
    if (!isFields(entry) || at === undefined) continue;
    startedAt ??= at;
    if (BEGIN.has(entry.say)) begin ??= textOf(entry.text);
    if (entry.say === "api_req_started") asked.push(at);
    if (COUNTED.has(entry.say)) requests.push({ at, model: modelOf(entry), usage: usageOf(entry.text, rules) });
    const index = numberOf(entry.conversationHistoryIndex);
    if (index !== undefined) note(times, index + 1, entry, at);
  }
  return {
    startedAt,
    requests,
    timeOf(position, role, nth) {
      const known = times.get(position);
      if (position === 0) return startedAt;
      if (known !== undefined && role === "user") return known.said ?? known.asked ?? known.first;
      return known?.first ?? (times.size === 0 ? asked[nth - 1] : undefined);
    },
    typedAt: (position) => (position === 0 ? begin : times.get(position)?.typed),
  };
}

/** Names the model in an entry: Cline's newer versions. */
export function modelOf(entry: Fields): string | undefined {
  return textOf(fieldsOf(entry.modelInfo).modelId);
}

export function entriesIn(text: string | undefined): readonly unknown[] {
  return listOf(text === undefined ? undefined : parseJson(text));
}

interface Times {
  first: number;
  asked?: number;
  said?: number;
  typed?: string | undefined;
}

const BEGIN = new Set<unknown>(["text", "task"]);

/** What was deleted with its messages is kept as a sum; subagents have no messages of their own. */
const COUNTED = new Set<unknown>(["api_req_started", "api_req_finished", "deleted_api_reqs", "subagent_usage"]);

function note(times: Map<number, Times>, position: number, { say, text }: Fields, at: number): void {
  const known = times.get(position) ?? { first: at };
  times.set(position, known);
  known.first = Math.min(known.first, at);
  if (say === "api_req_started") known.asked ??= at;
  if (say !== "user_feedback") return;
  known.said ??= at;
  known.typed ??= textOf(text);
}

function usageOf(text: unknown, { inputMayHoldCache }: UsageRules): TokenUsage {
  const counts = fieldsOf(typeof text === "string" ? parseJson(text) : undefined);
  const tokensIn = tokensOf(counts.tokensIn);
  const cacheRead = tokensOf(counts.cacheReads);
  const cacheWrite = tokensOf(counts.cacheWrites);
  const cached = cacheRead + cacheWrite;
  const input = inputMayHoldCache && tokensIn >= cached ? tokensIn - cached : tokensIn;
  return { input, output: tokensOf(counts.tokensOut), cacheRead, cacheWrite };
}
