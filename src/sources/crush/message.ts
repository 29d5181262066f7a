import { clipMiddle } from "../../core/text.ts";
import { type Fields, nameOf, numberOf, textOf, timeOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";
import type { Session } from "./session.ts";

export type Emit = (item: Item) => void;

/** What is said in a message, which adds when. `key` tells it from the message's other sayings. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & { readonly key?: string };

/** A row of `messages` that is being read. */
export interface Message {
  readonly role: unknown;
  readonly session: Session;
  /** It sums up what was said before, in place of which the model is given it. */
  readonly isSummary: boolean;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
}

/** Opens a message. Its id is a UUID; what it says besides its first text has a key behind that. */
export function openMessage(record: Fields, session: Session, emit: Emit): Message {
  const id = nameOf(record.id) ?? `${session.id}#${session.read}`;
  const at = timeOf(record.created_at);
  const model = record.role === "assistant" ? textOf(record.model) : undefined;
  const said = new Map<string, number>();
  const say = ({ key = "", ...saying }: Saying): void => {
    if (saying.text === "") return;
    const nth = (said.get(key) ?? 0) + 1;
    said.set(key, nth);
    const suffix = [key, nth === 1 ? "" : String(nth)].filter((part) => part !== "").join(":");
    emit({
      kind: "message",
      nativeId: suffix === "" ? id : `${id}#${suffix}`,
      ...saying,
      ...(at !== undefined && { at }),
      ...(model !== undefined && { model }),
    });
  };
  return {
    role: record.role,
    session,
    isSummary: (numberOf(record.is_summary_message) ?? 0) !== 0 || session.summary === id,
    emit,
    say,
    notice: (text) =>
      say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS), key: "notice" }),
  };
}

const NOTICE_CHARS = 2_000;
