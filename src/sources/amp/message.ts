import { clipMiddle } from "../../core/text.ts";
import { type Fields, fieldsOf, hashOf, isFields, listOf, textOf, timeOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";

export type Emit = (item: Item) => void;

/** What is said in a message; the message adds when. `key` tells it from what else is said there. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model"> & { readonly key: string };

/** A message of a thread that is being read. */
export interface ThreadMessage {
  readonly fields: Fields;
  readonly id: string;
  /** When a prompt was sent, or an answer was counted; what tools gave back bears no time. */
  readonly at: number | undefined;
  /** Its blocks; a text alone is one of text. */
  readonly blocks: readonly Fields[];
  /** Names of tools by the ids of their calls. */
  readonly calls: ReadonlyMap<string, string>;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
}

export function openMessage(fields: Fields, id: string, calls: ReadonlyMap<string, string>, emit: Emit): ThreadMessage {
  const at = timeOf(fieldsOf(fields.meta).sentAt) ?? timeOf(fieldsOf(fields.usage).timestamp);
  const told = new Map<string, number>();
  const say = ({ key, ...saying }: Saying): void => {
    if (saying.text.trim() === "") return;
    const nth = (told.get(key) ?? 0) + 1;
    told.set(key, nth);
    const nativeId = `${id}/${key}${nth === 1 ? "" : `:${nth}`}`;
    emit({ kind: "message", nativeId, ...saying, ...(at !== undefined && { at }) });
  };
  return {
    fields,
    id,
    at,
    blocks: blocksOf(fields.content),
    calls,
    emit,
    say,
    notice: (text) =>
      say({
        role: "system",
        part: "notice",
        text: clipMiddle(text.trim(), NOTICE_CHARS),
        key: `notice:${hashOf(text)}`,
      }),
  };
}

/** The texts of some blocks, with a mark for each picture. */
export function textIn(blocks: readonly Fields[]): string {
  return blocks
    .map(({ type, text }) => (type === "image" ? "[image]" : type === "text" ? (textOf(text) ?? "") : ""))
    .filter((text) => text !== "")
    .join("\n");
}

const NOTICE_CHARS = 2_000;

function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).filter(isFields);
}
