import { fieldsOf, listOf, numberOf, stringOf } from "./fields.ts";

/** What a reader remembers between two records. Bounded, whatever the file's length. */
export interface Memory {
  /** Native id of the session, once the first record settled it. */
  session: string | undefined;
  /** Messages without an id, which are named by their number. */
  unnamed: number;
  /** Another agent, or a program, writes what stands in the user's name. */
  isDelegated: boolean;
  /** A session this one came from; the next record tells how. */
  origin: string | undefined;
  /** Output tokens of the total that was told last. */
  output: number;
  /** Hash of the list of to-dos that a tool call set last. */
  todos: string | undefined;
  /** Tool names of calls without a result yet, by call id. */
  readonly calls: Map<string, string>;
}

export function loadMemory(state: unknown): Memory {
  const fields = fieldsOf(state);
  const calls = listOf(fields.calls).map(listOf);
  return {
    session: stringOf(fields.session),
    unnamed: numberOf(fields.unnamed) ?? 0,
    isDelegated: fields.isDelegated === true,
    origin: stringOf(fields.origin),
    output: numberOf(fields.output) ?? 0,
    todos: stringOf(fields.todos),
    calls: new Map(
      calls.flatMap(([id, name]) => (typeof id === "string" && typeof name === "string" ? [[id, name] as const] : [])),
    ),
  };
}

/** JSON of `memory`, for `loadMemory`. */
export function dumpMemory(memory: Memory): unknown {
  return { ...memory, calls: [...memory.calls] };
}

export function rememberCall(memory: Memory, callId: string, name: string): void {
  memory.calls.set(callId, name);
  if (memory.calls.size <= MAX_CALLS) return;
  for (const oldest of memory.calls.keys()) {
    memory.calls.delete(oldest);
    return;
  }
}

/** Name of the tool behind a call, which is then forgotten. */
export function takeCall(memory: Memory, callId: string | undefined): string | undefined {
  if (callId === undefined) return undefined;
  const name = memory.calls.get(callId);
  memory.calls.delete(callId);
  return name;
}

const MAX_CALLS = 200;
