import type { TokenUsage } from "../../core/session.ts";
import { dropOldest } from "../bounded.ts";
import { type Fields, fieldsOf, listOf, numberOf, stringsOf, textOf, tokensOf } from "../fields.ts";

/** A call without a result yet. */
export interface OpenCall {
  readonly name: string;
  /** When it began to run. */
  readonly at?: number;
}

/** What a reader must remember between two events of a log. */
export interface Memory {
  records: number;
  session: string | undefined;
  cwd: string | undefined;
  branch: string | undefined;
  model: string | undefined;
  repositoryUrl: string | undefined;
  /** Copilot runs the session itself, after the one that it hangs under. */
  isDetached: boolean;
  /** The last title of the session that was told. */
  title: string | undefined;
  readonly calls: Map<string, OpenCall>;
  /** Names of thoughts that were told before the message they led to. */
  readonly thoughts: Set<string>;
  /** The last model call of a message, which may come in several, and its tokens so far. */
  lastCall: { readonly id: string; readonly output: number } | undefined;
  /** Tokens told of each model since the process began that writes the log. */
  readonly told: Map<string, TokenUsage>;
  /** The log tells the tokens of each model call by itself. */
  hasUsageRecords: boolean;
  /** The process said that it ended. */
  isShutDown: boolean;
}

/** Takes what `dumpMemory` gave, or anything else as a fresh start. */
export function loadMemory(state: unknown): Memory {
  const fields = fieldsOf(state);
  const lastCall = fieldsOf(fields.lastCall);
  const lastId = textOf(lastCall.id);
  return {
    records: numberOf(fields.records) ?? 0,
    session: textOf(fields.session),
    cwd: textOf(fields.cwd),
    branch: textOf(fields.branch),
    model: textOf(fields.model),
    repositoryUrl: textOf(fields.repositoryUrl),
    isDetached: fields.isDetached === true,
    title: textOf(fields.title),
    calls: new Map(namedFields(fields.calls).map(([id, call]) => [id, openCall(call)])),
    thoughts: new Set(stringsOf(fields.thoughts)),
    lastCall: lastId === undefined ? undefined : { id: lastId, output: numberOf(lastCall.output) ?? 0 },
    told: new Map(namedFields(fields.told).map(([model, usage]) => [model, usageFrom(usage)])),
    hasUsageRecords: fields.hasUsageRecords === true,
    isShutDown: fields.isShutDown === true,
  };
}

export function dumpMemory(memory: Memory): unknown {
  return {
    ...Object.fromEntries(Object.entries(memory).filter(([, value]) => value !== undefined)),
    calls: [...memory.calls],
    thoughts: [...memory.thoughts],
    told: [...memory.told],
  };
}

export function rememberCall({ calls }: Memory, id: string, call: OpenCall): void {
  calls.set(id, call);
  dropOldest(calls, MAX_CALLS);
}

export function rememberThought({ thoughts }: Memory, name: string): void {
  thoughts.add(name);
  dropOldest(thoughts, MAX_THOUGHTS);
}

export function rememberUsage({ told }: Memory, model: string, usage: TokenUsage): void {
  told.set(model, usage);
  dropOldest(told, MAX_MODELS);
}

export function usageFrom(fields: Fields): TokenUsage {
  const { input, output, cacheRead, cacheWrite } = fields;
  return {
    input: tokensOf(input),
    output: tokensOf(output),
    cacheRead: tokensOf(cacheRead),
    cacheWrite: tokensOf(cacheWrite),
  };
}

const MAX_CALLS = 200;
const MAX_THOUGHTS = 16;
const MAX_MODELS = 32;

function openCall(fields: Fields): OpenCall {
  const at = numberOf(fields.at);
  return { name: textOf(fields.name) ?? "tool", ...(at !== undefined && { at }) };
}

function namedFields(value: unknown): [string, Fields][] {
  const out: [string, Fields][] = [];
  for (const pair of listOf(value)) {
    const [key, fields] = listOf(pair);
    if (typeof key === "string") out.push([key, fieldsOf(fields)]);
  }
  return out;
}
