import type { TokenUsage } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { type Fields, fieldsOf, hashOf, nameOf, textOf, timeOf, tokensOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";
import type { Memory } from "./memory.ts";
import type { Place } from "./place.ts";

export type Emit = (item: Item) => void;

/** What is said in an entry; the entry adds when. `key` names it among the entry's messages, its text does otherwise. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model"> & { readonly key?: string };

/** A line of a transcript that is being read. */
export interface Entry {
  readonly fields: Fields;
  /** The message in it; without fields where there is none. */
  readonly message: Fields;
  readonly place: Place;
  readonly memory: Memory;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
  /** Emits the tokens of a model call, or nothing where there are none. */
  count(usage: unknown, model: unknown): void;
  emit: Emit;
}

/**
 * Opens a line. What it says is named by the time of the message and by its text or call: entry ids are short, are
 * given anew when an old file is brought up to date, and a fork of the first versions has none.
 */
export function openEntry(fields: Fields, place: Place, memory: Memory, emit: Emit): Entry {
  const message = fieldsOf(fields.message);
  const at = timeOf(message.timestamp) ?? timeOf(fields.timestamp);
  const time = at === undefined ? {} : { at };
  const kind = kindOf(fields, message);
  const own = () => `${memory.session ?? place.stem}#${nameOf(fields.id) ?? memory.records}`;
  const base = `${at?.toString(36) ?? own()}:${kind}`;
  const said = new Map<string, number>();
  const say = ({ key, ...saying }: Saying): void => {
    if (saying.text === "") return;
    const name = `${base}/${saying.part}:${key ?? hashOf(saying.text)}`;
    const nth = (said.get(name) ?? 0) + 1;
    said.set(name, nth);
    emit({ kind: "message", nativeId: nth === 1 ? name : `${name}:${nth}`, ...saying, ...time });
  };
  return {
    fields,
    message,
    place,
    memory,
    emit,
    say,
    notice: (text) => say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
    count: (value, model) => {
      const usage = usageOf(value);
      const { input, output, cacheRead, cacheWrite } = usage;
      if (input + output + cacheRead + cacheWrite === 0) return;
      // Agents that run side by side in one process may be answered in the same millisecond.
      const key = [base, input, output, cacheRead, cacheWrite].join(":");
      const by = textOf(model);
      emit({ kind: "usage", key, ...time, ...(by !== undefined && { model: by }), usage });
    },
  };
}

/** The second version of the format called an extension's messages otherwise. */
function kindOf(fields: Fields, message: Fields): string {
  const kind = nameOf(message.role) ?? nameOf(fields.type) ?? "entry";
  return kind === "hookMessage" ? "custom" : kind;
}

/** Pi's counts don't overlap, and tokens of reasoning are within the output. */
function usageOf(value: unknown): TokenUsage {
  const { input, output, cacheRead, cacheWrite } = fieldsOf(value);
  return {
    input: tokensOf(input),
    output: tokensOf(output),
    cacheRead: tokensOf(cacheRead),
    cacheWrite: tokensOf(cacheWrite),
  };
}

const NOTICE_CHARS = 2_000;
