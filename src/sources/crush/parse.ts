import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader } from "../source.ts";
import { type Emit, openMessage } from "./message.ts";
import { readParts } from "./parts.ts";
import type { Session } from "./session.ts";

/** Reads the records of one session, as `openProject` gives them. */
export function createReader(file: FoundFile): Reader {
  const session: Session = { id: file.part ?? "", isSubagent: false, summary: undefined, tools: new Map(), read: 0 };
  return {
    session: session.id,
    read(record, emit) {
      session.read += 1;
      if (!isFields(record)) emit(malformed("not an object"));
      else if (record.type === "session") introduce(record, session, emit);
      else if (record.type === "message") readMessage(record, session, emit);
      else emit(unknownType(record.type));
    },
    state: () => undefined,
  };
}

/** Titles that Crush gives until there is a better one. */
const NO_TITLES = new Set(["new session", "untitled session", "new agent session", "generate a title"]);

function introduce(record: Fields, session: Session, emit: Emit): void {
  const parent = nameOf(record.parent_session_id);
  const cwd = textOf(record.working_dir);
  const startedAt = timeOf(record.created_at);
  session.isSubagent = parent !== undefined;
  session.summary = textOf(record.summary_message_id);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(parent !== undefined && { parent: { session: parent, relation: "subagent" } }),
  });
  const title = textOf(record.title)?.trim() ?? "";
  if (title !== "" && !NO_TITLES.has(title.toLowerCase())) emit({ kind: "title", title: "generated", text: title });
}

const ROLES = new Set<unknown>(["user", "assistant", "tool", "system"]);

function readMessage(record: Fields, session: Session, emit: Emit): void {
  const { role, parts } = record;
  if (!ROLES.has(role)) emit(unknownType(role, "message"));
  else if (!Array.isArray(parts)) emit(malformed("message parts"));
  else readParts(openMessage(record, session, emit), listOf(parts).map(fieldsOf));
}
