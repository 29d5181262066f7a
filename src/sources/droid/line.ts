import { type Fields, textOf, timeOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";
import type { Memory } from "./memory.ts";

export type Emit = (item: Item) => void;

/** What is said on a line; the line adds which one it is, and when. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model">;

/** A line that carries messages. */
export interface Line {
  readonly fields: Fields;
  /** Emits a message, or nothing when there is no text. The first of a line has the line's id, others `id#1`, `id#2`. */
  say(saying: Saying): void;
}

export function openLine(fields: Fields, memory: Memory, session: string, emit: Emit): Line {
  const at = timeOf(fields.timestamp);
  let id: string | undefined;
  let count = 0;
  return {
    fields,
    say: (saying) => {
      if (saying.text.trim() === "") return;
      id ??= idOf(fields, memory, session);
      const nativeId = count === 0 ? id : `${id}#${count}`;
      count += 1;
      emit({ kind: "message", nativeId, ...saying, ...(at !== undefined && { at }) });
    },
  };
}

/** Forks keep the UUIDs of what they copied; other ids count within a session. */
function idOf(fields: Fields, memory: Memory, session: string): string {
  const id = textOf(fields.id);
  if (id !== undefined) return UUID.test(id) ? id : `${session}:${id}`;
  memory.unnamed += 1;
  return `${session}#${memory.unnamed}`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
