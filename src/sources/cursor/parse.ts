import { type Fields, fieldsOf, isFields, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader, SessionItem } from "../source.ts";
import { readBubble } from "./bubble.ts";
import { readChat, readComposer, readTab } from "./heads.ts";
import { dumpMemory, loadMemory } from "./memory.ts";
import { readMessage } from "./message.ts";
import { type Place, placeOf } from "./place.ts";
import { createScribe, type Emit, type Scribe } from "./scribe.ts";

/** Reads a transcript, or a part of a container. */
export function createReader(file: FoundFile, state?: unknown): Reader {
  const place = placeOf(file.path);
  const session = file.part?.replace(/^tab\//, "") ?? place.session;
  const memory = loadMemory(state, session, place.parent !== undefined);
  let emit: Emit = () => {};
  // One for all records: what it was told of the session waits there for the first message.
  const scribe = createScribe(memory, (item) => emit(item), factsOf(place, session));
  return {
    session,
    read(record, emitTo) {
      emit = emitTo;
      if (isFields(record)) readRecord(record, scribe);
      else emit(malformed("not an object"));
    },
    state: () => dumpMemory(memory),
  };
}

function factsOf({ folderName, parent }: Place, session: string): Omit<SessionItem, "kind"> {
  return {
    ...(folderName !== undefined && { folderName }),
    ...(parent !== undefined && parent !== session && { parent: { session: parent, relation: "subagent" } }),
  };
}

/** Records of containers say what they are; lines of transcripts have a role. */
function readRecord(record: Fields, scribe: Scribe): void {
  switch (record.kind) {
    case undefined:
      readMessage(record, scribe);
      return;
    case "composer":
      readComposer(record, scribe);
      return;
    case "tab":
      readTab(record, scribe);
      return;
    case "chat":
      readChat(record, scribe);
      return;
    case "bubble":
      readBubble(fieldsOf(record.bubble), scribe);
      return;
    case "message":
      readMessage(fieldsOf(record.message), scribe);
      return;
    case "summary":
      scribe.summary(textOf(record.text) ?? "");
      return;
    case "left-out":
      scribe.emit(malformed(record.reason === "too large" ? "too large" : "not readable"));
      return;
    default:
      scribe.emit(unknownType(record.kind, "record"));
  }
}
