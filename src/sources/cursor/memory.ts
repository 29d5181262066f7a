import { dropOldest } from "../bounded.ts";
import { fieldsOf, listOf, textOf } from "../fields.ts";
import { dumpTally, loadTally, newTally, type Tally } from "./names.ts";

/** A tool call whose result may come. */
export interface OpenCall {
  /** Name of the call's message. */
  readonly message: string;
  readonly tool: string;
}

/** What a reader must remember between two records. */
export interface Memory {
  readonly session: string;
  /** Another agent asks here, not a person. */
  isSubagent: boolean;
  isIntroduced: boolean;
  cwd: string | undefined;
  model: string | undefined;
  /** Prompts of the session. */
  readonly prompts: Tally;
  /** Name of the turn's prompt. */
  turn: string;
  /** What was said in the turn. */
  said: Tally;
  readonly calls: Map<string, OpenCall>;
}

/** Takes what `dumpMemory` gave, or anything else as a fresh start. */
export function loadMemory(state: unknown, session: string, isSubagent: boolean): Memory {
  const fields = fieldsOf(state);
  const calls = listOf(fields.calls).flatMap((entry): [string, OpenCall][] => {
    const { id, message, tool } = fieldsOf(entry);
    const [callId, name] = [textOf(id), textOf(message)];
    return callId === undefined || name === undefined
      ? []
      : [[callId, { message: name, tool: textOf(tool) ?? "tool" }]];
  });
  return {
    session,
    isSubagent: isSubagent || fields.isSubagent === true,
    isIntroduced: fields.isIntroduced === true,
    cwd: textOf(fields.cwd),
    model: textOf(fields.model),
    prompts: loadTally(fields.prompts),
    turn: textOf(fields.turn) ?? START,
    said: loadTally(fields.said),
    calls: new Map(calls),
  };
}

export function dumpMemory({ session: _, prompts, said, calls, ...memory }: Memory): unknown {
  return {
    ...Object.fromEntries(Object.entries(memory).filter(([, value]) => value !== undefined)),
    prompts: dumpTally(prompts),
    said: dumpTally(said),
    calls: [...calls].map(([id, call]) => ({ id, ...call })),
  };
}

export function beginTurn(memory: Memory, name: string): void {
  memory.turn = name;
  memory.said = newTally();
}

export function rememberCall({ calls }: Memory, callId: string, call: OpenCall): void {
  calls.set(callId, call);
  dropOldest(calls, MAX_CALLS);
}

/** Stands for the prompt before there is one. */
const START = "-";
const MAX_CALLS = 50;
