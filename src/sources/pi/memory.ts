import { dropOldest } from "../bounded.ts";
import { fieldsOf, numberOf, stringsOf, textOf } from "../fields.ts";

/** What a reader must remember between two lines of a file. */
export interface Memory {
  records: number;
  session: string | undefined;
  /** Names of what the assistant said since the last prompt. OpenClaw repeats what it delivered to a channel. */
  readonly spoken: Set<string>;
}

/** Takes what `dumpMemory` gave, or anything else as a fresh start. */
export function loadMemory(state: unknown): Memory {
  const fields = fieldsOf(state);
  return {
    records: numberOf(fields.records) ?? 0,
    session: textOf(fields.session),
    spoken: new Set(stringsOf(fields.spoken)),
  };
}

export function dumpMemory({ records, session, spoken }: Memory): unknown {
  return { records, ...(session !== undefined && { session }), spoken: [...spoken] };
}

export function rememberSpoken({ spoken }: Memory, name: string): void {
  spoken.add(name);
  dropOldest(spoken, MAX_SPOKEN);
}

const MAX_SPOKEN = 32;
