import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { YoreError } from "../../core/errors.ts";
import type { Clock } from "../../core/time.ts";
import type { CallOutcome, CallRecord, Yore } from "../../service/yore.ts";
import { isRecord } from "./schema.ts";

/** Who calls. */
export interface Caller {
  /** As the client names itself. */
  readonly client: string;
  /** Native ids under which the session that asks may be known. */
  readonly sessions: readonly string[];
}

/** A result, or what is thrown in its place. */
export type Answer<T> = ({ readonly result: T } | { readonly error: unknown }) & {
  readonly outcome: CallOutcome;
  /** Length of the text in it. */
  readonly chars: number;
};

/** Answers a call and hands what is to be known of it to the record, which is written after the answer. */
export async function recordCall<T>(
  call: { readonly tool: string; readonly arguments: CallRecord["arguments"]; readonly caller: Caller },
  deps: { readonly yore: Yore; readonly clock: Clock },
  /** Must not throw. */
  answer: (about: (session: string) => void) => Promise<Answer<T>>,
): Promise<T> {
  const at = deps.clock();
  const started = performance.now();
  const sessions = new Set<string>();
  const [session] = call.caller.sessions;
  const answered = await answer((id) => sessions.add(id));
  const { outcome, chars } = answered;
  deps.yore.recordCall({
    at,
    via: "mcp",
    client: call.caller.client,
    tool: call.tool,
    ...(session !== undefined && { session }),
    outcome,
    ms: Math.round(performance.now() - started),
    chars,
    arguments: call.arguments,
    sessions: [...sessions],
  });
  if ("error" in answered) throw answered.error;
  return answered.result;
}

export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof YoreError) return error.code;
  if (error instanceof ResourceNotFoundError) return "not-found";
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams ? "bad-input" : "internal";
}

/** Arguments by name and length. Names that are not among `known` are the caller's own words, and are not kept. */
export function measureArguments(given: unknown, known: readonly string[]): CallRecord["arguments"] {
  const lengths = new Map<string, number>();
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    const key = known.includes(name) ? name : "?";
    lengths.set(key, (lengths.get(key) ?? 0) + lengthOf(value));
  }
  return [...lengths].map(([name, chars]) => ({ name, chars }));
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);
}
