import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { mapStrings } from "../../core/map-strings.ts";
import { clipMiddle } from "../../core/text.ts";
import { expectTables, type ForeignDatabase, openDatabase, type Row } from "../database.ts";
import { fieldsOf, isFields, numberOf, parseJson, textOf, timeOf } from "../fields.ts";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { DATA_FOLDER, listedProjects, PROJECT_LIST } from "./paths.ts";

/**
 * Opens a project's database. A session's records are one with its own columns and `working_dir`, then its messages,
 * each a row of `messages` with `parts` as the list it is.
 */
export function openProject(file: FoundFile): Container {
  const database = openDatabase(file.path);
  return {
    parts: () => findSessions(database),
    records: (part) => readSession(database, file, part.name),
    close: () => database.close(),
  };
}

/**
 * Sessions that only serve to make a title have no conversation. `octet_length` is known without reading what is long,
 * and tells of a message that grew within the second that the times are kept in.
 */
const SESSIONS = `
  SELECT s.id AS id, s.created_at AS created, s.updated_at AS updated, count(m.id) AS messages,
    max(m.updated_at) AS changed, sum(octet_length(m.parts)) AS bytes
  FROM sessions s JOIN messages m ON m.session_id = s.id
  WHERE s.id NOT LIKE 'title-%'
  GROUP BY s.id ORDER BY s.created_at, s.id`;

function* findSessions(database: ForeignDatabase): Generator<FoundPart> {
  expectTables(database, ["sessions", "messages"]);
  if (database.columns("sessions").size === 0 || database.columns("messages").size === 0) return;
  for (const { id, created, updated, messages, changed, bytes } of database.rows(SESSIONS)) {
    const name = textOf(id);
    if (name === undefined) continue;
    const createdAt = timeOf(created);
    const updatedAt = timeOf(Math.max(numberOf(updated) ?? 0, numberOf(changed) ?? 0));
    yield {
      name,
      revision: [updated, changed, messages, bytes].join(":"),
      bytes: numberOf(bytes) ?? 0,
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }
}

const SESSION_COLUMNS = ["id", "parent_session_id", "title", "summary_message_id", "created_at", "updated_at"];
const MESSAGE_COLUMNS = ["id", "role", "model", "provider", "created_at", "finished_at", "is_summary_message"];
/** A message with more is told without what it holds. */
const MAX_PARTS_BYTES = 64_000_000;
const MAX_TEXT_CHARS = 1_000_000;

function* readSession(database: ForeignDatabase, file: FoundFile, session: string): Generator<unknown> {
  const columns = selectable(database, "sessions", SESSION_COLUMNS);
  const row = database.row(`SELECT ${columns} FROM sessions WHERE id = ?`, session);
  const workingDir = workFolder(file);
  yield { type: "session", ...row, ...(workingDir !== undefined && { working_dir: workingDir }) };
  const messages = database.rows(
    `SELECT ${selectable(database, "messages", MESSAGE_COLUMNS)},
       CASE WHEN octet_length(parts) <= ${MAX_PARTS_BYTES} THEN parts END AS parts
     FROM messages WHERE session_id = ? ORDER BY rowid`,
    session,
  );
  for (const message of messages) yield messageRecord(message);
}

function messageRecord({ parts, ...row }: Row): unknown {
  const list = typeof parts === "string" ? parseJson(parts) : undefined;
  if (!Array.isArray(list)) return { type: "message", ...row };
  return { type: "message", ...row, parts: mapStrings(list.map(trimPart), (text) => clipMiddle(text, MAX_TEXT_CHARS)) };
}

/** Leaves out what is large and says nothing: pictures, signatures, and copies of whole files in a tool's metadata. */
function trimPart(part: unknown): unknown {
  if (!isFields(part) || !isFields(part.data)) return part;
  switch (part.type) {
    case "binary":
      return { ...part, data: { Path: part.data.Path, MIMEType: part.data.MIMEType } };
    case "image_url":
      return { type: part.type };
    case "reasoning":
      return { ...part, data: { thinking: part.data.thinking } };
    case "tool_result": {
      const { data: _, metadata, ...data } = part.data;
      const { start_time, end_time } = fieldsOf(typeof metadata === "string" ? parseJson(metadata) : metadata);
      return { ...part, data: { ...data, metadata: { start_time, end_time } } };
    }
    default:
      return part;
  }
}

/** The folder worked in: the one that holds `.crush`, or the one project that the list has for this database. */
function workFolder({ path, beside = [] }: FoundFile): string | undefined {
  const folder = dirname(path);
  if (basename(folder) === DATA_FOLDER) return dirname(folder);
  const list = beside.find((other) => basename(other) === PROJECT_LIST);
  const projects = listedProjects(list ?? "").filter(({ dataFolder }) => isSame(dataFolder, folder));
  return projects.length === 1 ? projects[0]?.path : undefined;
}

function isSame(folder: string, real: string): boolean {
  try {
    return realpathSync(folder) === real;
  } catch {
    return false;
  }
}

/** Of these columns those that the table has, which older versions have fewer of. */
function selectable(database: ForeignDatabase, table: string, wanted: readonly string[]): string {
  const columns = database.columns(table);
  return wanted.filter((name) => columns.has(name)).join(", ") || "NULL";
}
