import {
  asFields,
  type Fields,
  fieldsOf,
  hashOf,
  isFields,
  jsonOf,
  listOf,
  nameOf,
  numberOf,
  textOf,
} from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, Reader } from "../source.ts";
import { readAnswer } from "./answer.ts";
import { type Emit, openMessage, type ThreadMessage } from "./message.ts";
import { threadOf } from "./paths.ts";
import { readPrompt } from "./prompt.ts";
import { tellThread } from "./thread.ts";
import { countLedger } from "./usage.ts";

/** Reads a thread, `{id, messages}`, which Amp writes whole each time. */
export function createReader(file: FoundFile): Reader {
  let session = threadOf(file.path);
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const thread = asFields(record);
      if (thread === undefined || !Array.isArray(thread.messages)) {
        emit(malformed("not a thread"));
        return;
      }
      session = nameOf(thread.id) ?? session;
      readThread(thread, session, emit);
    },
    state: () => undefined,
  };
}

/** A thread in which nothing was said is no session. */
function readThread(thread: Fields, session: string, emit: Emit): void {
  const items: Item[] = [];
  const copies = new Map<string, string[]>();
  const calls = callNames(thread);
  listOf(thread.messages).forEach((fields, position) => {
    if (!isFields(fields)) {
      items.push(malformed("message is not an object"));
      return;
    }
    const id = `${session}#${nameIn(fields) ?? `at${position}`}`;
    const said = hashOf(jsonOf([fields.role, fields.content]));
    const before = copies.get(id) ?? [];
    // A message that stands in a thread twice is one; two that bear one number are told apart.
    if (before.includes(said)) return;
    copies.set(id, [...before, said]);
    const name = before.length === 0 ? id : `${id}~${before.length + 1}`;
    readMessage(openMessage(fields, name, calls, (item) => items.push(item)));
  });
  countLedger(thread, session, (item) => items.push(item));
  if (items.some(({ kind }) => kind !== "skip")) tellThread(thread, session, emit);
  for (const item of items) emit(item);
}

/** Messages are numbered within their thread. */
function nameIn({ messageId }: Fields): string | undefined {
  return numberOf(messageId)?.toString() ?? nameOf(messageId);
}

function readMessage(message: ThreadMessage): void {
  const { fields } = message;
  switch (fields.role) {
    case "user":
    case "info":
      readPrompt(message);
      return;
    case "assistant":
      readAnswer(message);
      return;
    default:
      message.emit(unknownType(fields.role, "message"));
  }
}

/** Names of all tools by the ids of their calls: results do not tell them. */
function callNames(thread: Fields): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of listOf(thread.messages)) {
    for (const block of listOf(fieldsOf(message).content)) {
      const { type, id, name } = fieldsOf(block);
      const callId = nameOf(id);
      const tool = textOf(name);
      if ((type === "tool_use" || type === "server_tool_use") && callId !== undefined && tool !== undefined)
        names.set(callId, tool);
    }
  }
  return names;
}
