import { type Fields, isFields } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader } from "../source.ts";
import { blocksOf } from "./content.ts";
import { readMessage } from "./message.ts";
import { countCall, countTotal, type Emit, introduce, lastingId, openSession, type Session } from "./session.ts";

/** Reads a transcript, or the records of a session in the database, which `openSessions` gives. */
export function createReader(file: FoundFile): Reader {
  const session = openSession(file);
  let waiting: Fields | undefined;
  const tell = (emit: Emit): void => {
    if (waiting !== undefined) readMessage(waiting, session, emit);
    waiting = undefined;
  };
  return {
    session: session.id,
    read(record, emit) {
      if (!isFields(record)) {
        emit(malformed("not an object"));
        return;
      }
      const joined = waiting === undefined ? undefined : joinPieces(waiting, record, session);
      if (joined !== undefined) {
        waiting = joined;
        return;
      }
      tell(emit);
      session.records += 1;
      if (isPiece(record)) waiting = record;
      else readRecord(record, session, emit);
    },
    finish(emit) {
      tell(emit);
      countTotal(session, emit);
    },
    state: () => undefined,
  };
}

const HEADER_FIELDS = ["working_dir", "description", "message_count", "total_tokens"];

function readRecord(record: Fields, session: Session, emit: Emit): void {
  if (record.role === "user" || record.role === "assistant") readMessage(record, session, emit);
  else if (record.role !== undefined) emit(unknownType(record.role, "message"));
  else if (record.type === "session") introduce(record, session, emit);
  else if (record.type === "usage") countCall(record, session, emit);
  else if (record.type !== undefined) emit(unknownType(record.type));
  else if (HEADER_FIELDS.some((name) => name in record)) introduce(record, session, emit);
  else emit(malformed("no role"));
}

/** Versions that got answers in pieces wrote each piece as a message. */
function isPiece(record: Fields): boolean {
  if (record.role !== "assistant") return false;
  const blocks = blocksOf(record.content);
  return blocks.length > 0 && blocks.every(({ type, text }) => type === "text" && typeof text === "string");
}

function joinPieces(before: Fields, record: Fields, session: Session): Fields | undefined {
  if (!isPiece(record) || visibility(before) !== visibility(record)) return undefined;
  if (lastingId(before, session) !== lastingId(record, session)) return undefined;
  const text = [before, record].flatMap(({ content }) => blocksOf(content).map((block) => block.text)).join("");
  return { ...before, content: [{ type: "text", text }], first: before.first ?? blocksOf(before.content)[0]?.text };
}

function visibility({ metadata }: Fields): unknown {
  return isFields(metadata) ? metadata.userVisible : undefined;
}
