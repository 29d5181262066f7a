import { asFields, type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, Reader, Sidecars } from "../source.ts";
import { readAnswer, readThinking } from "./answer.ts";
import { type Calls, contentText, type Emit, type HistoryEntry, openEntry } from "./entry.ts";
import { sessionOf } from "./paths.ts";
import { tellSession } from "./session.ts";
import { sayToolMessage } from "./tools.ts";
import { countSession } from "./usage.ts";

/** Reads a session, `{sessionId, title, workspaceDirectory, history}`, which Continue writes whole each time. */
export function createReader(file: FoundFile, _state: unknown, sidecars: Sidecars): Reader {
  let session = sessionOf(file.path);
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      if (fields === undefined || !Array.isArray(fields.history)) {
        emit(malformed("not a session"));
        return;
      }
      session = nameOf(fields.sessionId) ?? session;
      const items = historyItems(fields, session);
      // A session in which nothing was said is none.
      if (items.some(({ kind }) => kind !== "skip")) tellSession(fields, session, file.path, sidecars, emit);
      for (const item of items) emit(item);
    },
    state: () => undefined,
  };
}

function historyItems(fields: Fields, session: string): readonly Item[] {
  const items: Item[] = [];
  const emit: Emit = (item) => void items.push(item);
  const calls: Calls = { names: new Map(), answered: new Set() };
  const model = textOf(fields.chatModelTitle);
  listOf(fields.history).forEach((entry, position) => {
    if (!isFields(entry) || !isFields(entry.message)) emit(malformed("no message"));
    else readEntry(openEntry(entry, `${session}#${position}`, calls, model, emit));
  });
  countSession(fields, session, emit);
  return items;
}

function readEntry(entry: HistoryEntry): void {
  const { fields, message, emit } = entry;
  switch (message.role) {
    case "user":
      entry.say({ role: "human", part: "text", text: contentText(message.content), key: "text" });
      entry.notice(attached(fields));
      break;
    case "assistant":
      readAnswer(entry);
      break;
    case "thinking":
      readThinking(entry);
      break;
    case "tool":
      sayToolMessage(entry);
      break;
    case "system":
      break;
    default:
      emit(unknownType(message.role, "message"));
  }
  entry.say({ role: "summary", part: "text", text: contentText(fields.conversationSummary), key: "summary" });
}

/** What went along with a prompt, by name: files, a terminal's output, the result of a search. */
function attached({ contextItems }: Fields): string {
  const names = listOf(contextItems)
    .map(fieldsOf)
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, description }) => [textOf(name), textOf(description)].filter((part) => part !== undefined))
    .map(([name, description]) =>
      description === undefined || description === name ? name : `${name} (${description})`,
    )
    .filter((name) => name !== undefined);
  return names.length === 0 ? "" : `Context: ${names.join(", ")}`;
}
