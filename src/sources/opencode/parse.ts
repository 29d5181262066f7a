import { type Fields, fieldsOf, isFields, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader } from "../source.ts";
import { openParted, type PartedMessage, splitFirst } from "./parted.ts";
import { type Emit, openMessage, type Session } from "./said.ts";
import { readWhole } from "./whole.ts";

/** Reads the records of one session, of either version of the format. */
export function createReader(file: FoundFile): Reader {
  let session: Session = { id: file.part ?? "", isChild: false, directory: undefined };
  let records = 0;
  let open: PartedMessage | undefined;
  let isAfterRun = false;
  const close = (): void => {
    open?.end();
    isAfterRun = open?.isRun ?? false;
    open = undefined;
  };
  const begin = (record: Fields, emit: Emit): void => {
    close();
    const stored = asStored(record);
    if (stored === undefined) {
      emit(malformed("message"));
      return;
    }
    const { data, parts } = splitFirst(stored) ?? { data: stored, parts: [] };
    session = learnDirectory(session, data, emit);
    const createdAt = timeOf(fieldsOf(data.time).created) ?? timeOf(record.time_created);
    open = openParted(data, idOf(record, records), createdAt, session, isAfterRun, emit);
    for (const part of parts) open.part(part);
  };
  return {
    get session() {
      return session.id;
    },
    read(record, emit) {
      records += 1;
      if (!isFields(record)) {
        emit(malformed("not an object"));
        return;
      }
      switch (record.table) {
        case "session":
          session = readSession(record, session.id, emit);
          return;
        case "message":
          begin(record, emit);
          return;
        case "part":
          if (open === undefined) emit(malformed("part without a message"));
          else open.part(record.data);
          return;
        case "session_message":
          readRow(record, idOf(record, records), session, emit);
          return;
        default:
          emit(unknownType(record.table, "table"));
      }
    },
    finish: close,
    state: () => undefined,
  };
}

/** The title that a session has until it gets one. */
const UNTITLED = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T/;

function asStored({ data }: Fields): Fields | undefined {
  return isFields(data) ? data : undefined;
}

function idOf(record: Fields, records: number): string {
  return nameOf(record.id) ?? String(records);
}

function readSession(record: Fields, name: string, emit: Emit): Session {
  const id = name === "" ? (nameOf(record.id) ?? "") : name;
  const directory = textOf(record.directory);
  const startedAt = timeOf(record.created);
  const agentVersion = textOf(record.version);
  const parent = nameOf(record.parent);
  const fork = nameOf(record.fork);
  emit({
    kind: "session",
    ...(directory !== undefined && { cwd: directory }),
    ...(startedAt !== undefined && { startedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(fork !== undefined && fork !== id && { parent: { session: fork, relation: "fork" } }),
    ...(parent !== undefined && parent !== id && { parent: { session: parent, relation: "subagent" } }),
  });
  const title = (textOf(record.title) ?? "").trim();
  if (title !== "" && !UNTITLED.test(title)) emit({ kind: "title", title: "generated", text: title });
  return { id, isChild: parent !== undefined && parent !== id, directory };
}

/** The oldest sessions don't tell their folder, but their answers do. */
function learnDirectory(session: Session, data: Fields, emit: Emit): Session {
  const cwd = session.directory === undefined ? textOf(fieldsOf(data.path).cwd) : undefined;
  if (cwd === undefined) return session;
  emit({ kind: "session", cwd });
  return { ...session, directory: cwd };
}

function readRow(record: Fields, id: string, session: Session, emit: Emit): void {
  const data = asStored(record);
  if (data === undefined) {
    emit(malformed("session_message"));
    return;
  }
  const type = record.type ?? data.type;
  const createdAt = timeOf(fieldsOf(data.time).created) ?? timeOf(record.time_created);
  const isAnswer = type === "assistant";
  const model = isAnswer ? (textOf(fieldsOf(data.model).id) ?? textOf(data.model)) : undefined;
  const kind = nameOf(type) ?? "message";
  readWhole(type, data, openMessage({ kind, id, createdAt, model }, session, emit));
}
