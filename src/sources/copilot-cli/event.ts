import { clipMiddle } from "../../core/text.ts";
import { type Fields, fieldsOf, nameOf, timeOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";
import type { Memory } from "./memory.ts";

export type Emit = (item: Item) => void;

/** What is said in an event; the event adds when and where. `key` tells it from the event's other messages. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model"> & { readonly key?: string };

/** An event of a log that is being read. */
export interface LogEvent {
  readonly id: string;
  readonly at: number | undefined;
  readonly data: Fields;
  /** It comes from a subagent, whose events stand among those of its spawner. */
  readonly isSubagent: boolean;
  readonly memory: Memory;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
}

/** Opens an event. Its id is a UUID, which a fork of the session keeps. */
export function openEvent(fields: Fields, memory: Memory, emit: Emit): LogEvent {
  const data = fieldsOf(fields.data);
  const id = nameOf(fields.id) ?? `${memory.session ?? ""}#${memory.records}`;
  const at = timeOf(fields.timestamp);
  const { cwd, branch } = memory;
  const say = ({ key, ...saying }: Saying): void => {
    if (saying.text === "") return;
    emit({
      kind: "message",
      nativeId: key === undefined ? id : `${id}#${key}`,
      ...saying,
      ...(at !== undefined && { at }),
      ...(cwd !== undefined && { cwd }),
      ...(branch !== undefined && { branch }),
    });
  };
  return {
    id,
    at,
    data,
    isSubagent: nameOf(fields.agentId) !== undefined || nameOf(data.parentToolCallId) !== undefined,
    memory,
    emit,
    say,
    notice: (text) => say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
  };
}

const NOTICE_CHARS = 2_000;
