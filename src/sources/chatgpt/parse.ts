import { asFields, type Fields, fieldsOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, MessageItem, Reader } from "../source.ts";
import { idOf } from "./conversation.ts";
import { readMessage } from "./message.ts";

export type Emit = (item: Item) => void;

/** What is said in a message; the message adds name and time. `key` names it among the message's sayings. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model"> & { readonly key?: string };
export type Say = (saying: Saying) => void;

/** Reads the records of one conversation. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let branches = 0;
  const sayIn =
    (id: string, at: number | undefined, emit: Emit): Say =>
    ({ key, ...saying }) => {
      const text = withoutMarks(saying.text).trim();
      if (text === "") return;
      const nativeId = key === undefined ? id : `${id}#${key}`;
      emit({ kind: "message", nativeId, ...saying, text, ...(at !== undefined && { at }) });
    };
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      switch (fields?.type) {
        case "conversation":
          session = idOf(fields);
          readConversation(fields, emit);
          return;
        case "branch": {
          branches += 1;
          const text = fields.branch === "kept" ? "The branch that was kept" : "A branch that was left";
          sayIn(session, undefined, emit)({ key: `branch:${branches}`, role: "system", part: "notice", text });
          return;
        }
        case "message": {
          const message = fieldsOf(fields.message);
          const id = nameOf(message.id) ?? nameOf(fields.node) ?? `${session}:message`;
          readMessage(message, sayIn(id, timeOf(message.create_time), emit), emit);
          return;
        }
        default:
          emit(fields === undefined ? malformed("not an object") : unknownType(fields.type));
      }
    },
    state: () => ({}),
  };
}

/** Sources are named in the text between characters that no font shows. */
const MARKS = /\uE200[^\uE201]{0,500}\uE201/g;

function withoutMarks(text: string): string {
  return text.includes("\uE200") ? text.replace(MARKS, "") : text;
}

function readConversation(fields: Fields, emit: Emit): void {
  const startedAt = timeOf(fields.create_time);
  emit({ kind: "session", ...(startedAt !== undefined && { startedAt }) });
  const title = textOf(fields.title)?.trim();
  if (title !== undefined && title !== "") emit({ kind: "title", title: "generated", text: title });
}
