import { clipMiddle } from "../../core/text.ts";
import { asFields, type Fields, fieldsOf, hashOf, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, MessageItem, Reader } from "../source.ts";
import { sayBlock } from "./content.ts";

export type Emit = (item: Item) => void;

/** What is said in a message; the message adds name, time and model. `key` names it among the message's sayings. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & { readonly key: string };
export type Say = (saying: Saying) => void;

/** Reads the records of one conversation. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let model: string | undefined;
  let summary: Saying | undefined;
  let endedAt: number | undefined;
  let branches = 0;
  const sayIn =
    (id: string, at: number | undefined, emit: Emit): Say =>
    ({ key, ...saying }) => {
      if (saying.text.trim() === "") return;
      emit({
        kind: "message",
        nativeId: key === "" ? id : `${id}#${key}`,
        ...saying,
        text: saying.text.trim(),
        ...(at !== undefined && { at }),
        ...(saying.role === "assistant" && model !== undefined && { model }),
      });
    };
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      if (fields === undefined) {
        emit(malformed("not an object"));
        return;
      }
      switch (fields.type) {
        case "conversation":
          session = nameOf(fields.uuid) ?? session;
          model = textOf(fields.model);
          endedAt = timeOf(fields.updated_at);
          summary = { key: "summary", role: "summary", part: "text", text: textOf(fields.summary) ?? "" };
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
          const at = timeOf(message.created_at);
          readMessage(message, sayIn(idOf(message, session), at, emit), emit);
          return;
        }
        default:
          emit(unknownType(fields.type));
      }
    },
    finish(emit) {
      if (summary !== undefined) sayIn(session, endedAt, emit)(summary);
    },
    state: () => ({}),
  };
}

const ATTACHED_CHARS = 8_000;

function readConversation(fields: Fields, emit: Emit): void {
  const startedAt = timeOf(fields.created_at);
  emit({ kind: "session", ...(startedAt !== undefined && { startedAt }) });
  const title = textOf(fields.name)?.trim();
  if (title !== undefined && title !== "") emit({ kind: "title", title: "generated", text: title });
}

function idOf(message: Fields, session: string): string {
  return (
    nameOf(message.uuid) ??
    `${session}:${hashOf(`${String(message.created_at)} ${String(message.sender)} ${String(message.text)}`)}`
  );
}

function readMessage(message: Fields, say: Say, emit: Emit): void {
  const { sender } = message;
  if (sender !== "human" && sender !== "assistant") {
    emit(unknownType(sender, "sender"));
    return;
  }
  let said = 0;
  for (const [n, block] of listOf(message.content).entries()) {
    said += sayBlock(asFields(block), n, sender, said === 0, say, emit);
  }
  if (said === 0) say({ key: "", role: sender, part: "text", text: textOf(message.text) ?? "" });
  readAttachments(message, say);
}

/** Long pastes are attachments too, without a name. */
function readAttachments(message: Fields, say: Say): void {
  for (const [n, given] of [...listOf(message.attachments), ...listOf(message.files)].entries()) {
    const { file_name: name, extracted_content: content } = fieldsOf(given);
    const text = [`Attached: ${textOf(name) ?? "text"}`, textOf(content) ?? ""].join("\n").trim();
    say({ key: `attached:${n}`, role: "system", part: "notice", text: clipMiddle(text, ATTACHED_CHARS) });
  }
}
