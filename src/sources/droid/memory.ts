import { fieldsOf, numberOf, pairsOf, textOf } from "../fields.ts";

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
  return {
    session: textOf(fields.session),
    unnamed: numberOf(fields.unnamed) ?? 0,
    isDelegated: fields.isDelegated === true,
    origin: textOf(fields.origin),
    output: numberOf(fields.output) ?? 0,
    todos: textOf(fields.todos),
    calls: new Map(pairsOf(fields.calls)),
  };
}

/** JSON of `memory`, for `loadMemory`. */
export function dumpMemory(memory: Memory): unknown {
  return { ...memory, calls: [...memory.calls] };
}
