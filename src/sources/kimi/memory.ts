import { fieldsOf, listOf, numberOf, pairsOf, textOf } from "../fields.ts";

/** What a reader remembers between two records. Bounded, whatever the file's length. */
export interface Memory {
  /** Set once the first record was read. */
  isStarted: boolean;
  /** Messages without a time, which are named by their number. */
  unnamed: number;
  /** Native id of the root session, where it isn't the folder's name. */
  root: string | undefined;
  /** Stands for the root session in names of messages without a time, so that forks of an imported one share them. */
  label: string | undefined;
  /** Model that answers from here on. */
  model: string | undefined;
  /** A forked agent's file begins with what its parent knew. */
  isCopying: boolean;
  /** An agent that answers a person's side question. */
  isAside: boolean;
  /** When an imported session was imported: what is older, or has no time, is Kimi CLI's. */
  importedAt: number | undefined;
  /** Kimi CLI's own files are still there. */
  hasOriginal: boolean;
  /** What was told of the session, by kind: `title` and the like. */
  readonly told: Map<string, string>;
  /** Tool names of calls without a result yet, by call id. */
  readonly calls: Map<string, string>;
  /** Prompts that have not reached the model's context yet, the oldest first. */
  prompts: readonly Pending[];
}

export interface Pending {
  readonly hash: string;
  /** Empty where it is too long to be remembered. */
  readonly text: string;
  /** As it was written. */
  readonly time: number | undefined;
  /** A prompt that opened a turn; else one that was added while the agent worked. */
  readonly isOpening: boolean;
  readonly isTold: boolean;
}

export function loadMemory(state: unknown): Memory {
  const fields = fieldsOf(state);
  return {
    isStarted: fields.isStarted === true,
    unnamed: numberOf(fields.unnamed) ?? 0,
    root: textOf(fields.root),
    label: textOf(fields.label),
    model: textOf(fields.model),
    isCopying: fields.isCopying === true,
    isAside: fields.isAside === true,
    importedAt: numberOf(fields.importedAt),
    hasOriginal: fields.hasOriginal === true,
    told: new Map(pairsOf(fields.told)),
    calls: new Map(pairsOf(fields.calls)),
    prompts: listOf(fields.prompts).map(pendingOf),
  };
}

/** JSON of `memory`, for `loadMemory`. */
export function dumpMemory(memory: Memory): unknown {
  return { ...memory, told: [...memory.told], calls: [...memory.calls] };
}

function pendingOf(value: unknown): Pending {
  const { hash, text, time, isOpening, isTold } = fieldsOf(value);
  return {
    hash: textOf(hash) ?? "",
    text: textOf(text) ?? "",
    time: numberOf(time),
    isOpening: isOpening === true,
    isTold: isTold === true,
  };
}
