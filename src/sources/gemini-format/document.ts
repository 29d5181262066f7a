import { asFields, isFields, textOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { sessionIn, tellChat } from "./chat.ts";
import type { Entry } from "./entry.ts";
import { placeOf } from "./place.ts";
import type { Emit } from "./scribe.ts";

/** Reads a document: `{sessionId, messages}`, written whole each time. */
export function createDocumentReader(file: FoundFile, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  let session = sessionIn(place, {});
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const chat = asFields(record);
      if (chat === undefined || !Array.isArray(chat.messages)) {
        emit(malformed("not a chat"));
        return;
      }
      session = sessionIn(place, chat);
      tellChat({ place, session, header: chat, steps: entriesOf(chat.messages, emit), sidecars }, emit);
    },
    state: () => undefined,
  };
}

function entriesOf(messages: readonly unknown[], emit: Emit): Entry[] {
  const entries: Entry[] = [];
  messages.forEach((message, at) => {
    if (!isFields(message)) emit(malformed("message is not an object"));
    else entries.push({ id: textOf(message.id) ?? `#${at}`, message, repeats: new Set() });
  });
  return entries;
}
