import { clipMiddle } from "../../core/text.ts";
import { type Fields, fieldsOf, isFields, listOf, textOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";

export type Emit = (item: Item) => void;

/** What is said in an entry. `key` tells it from what else is said there. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model" | "at"> & { readonly key: string };

/** An entry of a session's history. Continue gives it neither an id nor a time. */
export interface HistoryEntry {
  readonly fields: Fields;
  readonly message: Fields;
  /** Its place in the session names it. */
  readonly id: string;
  readonly calls: Calls;
  readonly model: string | undefined;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
}

/** What is known of the tool calls of a session. */
export interface Calls {
  /** Names of tools by the ids of their calls. */
  readonly names: Map<string, string>;
  /** Calls of which the result was told. */
  readonly answered: Set<string>;
}

export function openEntry(
  fields: Fields,
  id: string,
  calls: Calls,
  sessionModel: string | undefined,
  emit: Emit,
): HistoryEntry {
  const told = new Map<string, number>();
  const say = ({ key, ...saying }: Saying): void => {
    if (saying.text.trim() === "") return;
    const nth = (told.get(key) ?? 0) + 1;
    told.set(key, nth);
    emit({ kind: "message", nativeId: `${id}/${key}${nth === 1 ? "" : `:${nth}`}`, ...saying });
  };
  return {
    fields,
    message: fieldsOf(fields.message),
    id,
    calls,
    model: textOf(fieldsOf(listOf(fields.promptLogs)[0]).modelTitle) ?? sessionModel,
    emit,
    say,
    notice: (text) =>
      say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS), key: "notice" }),
  };
}

/** Text of a message's content, a string or parts, with a mark for each picture. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content.trim();
  return listOf(content)
    .filter(isFields)
    .map(({ type, text }) => (type === "imageUrl" ? "[image]" : (textOf(text) ?? "")))
    .filter((text) => text !== "")
    .join("\n")
    .trim();
}

const NOTICE_CHARS = 2_000;
