import { mapStrings } from "../../core/map-strings.ts";
import { clipMiddle } from "../../core/text.ts";
import { expectTables, type ForeignDatabase, openDatabase, type Row } from "../database.ts";
import { fieldsOf, isFields, numberOf, parseJson, textOf } from "../fields.ts";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { databaseTime } from "./time.ts";

/**
 * Opens the database. A session's records are one with its own columns, then its messages as Goose writes them into
 * a transcript, each with its `message_id`, then its model calls.
 */
export function openSessions(file: FoundFile): Container {
  const database = openDatabase(file.path);
  return {
    parts: () => findParts(database),
    records: (part) => readSession(database, part.name),
    close: () => database.close(),
  };
}

/** `octet_length` is known without reading what is long. */
function* findParts(database: ForeignDatabase): Generator<FoundPart> {
  expectTables(database, ["sessions", "messages"]);
  const columns = database.columns("messages");
  // Of versions that leave the conversation to another agent nothing is there to be read.
  if (columns.size === 0 || database.columns("sessions").size === 0) return;
  const metadata = columns.has("metadata_json") ? "sum(octet_length(m.metadata_json))" : "0";
  const rows = database.rows(`
    SELECT s.id AS id, s.created_at AS created, s.updated_at AS updated, count(m.id) AS messages, max(m.id) AS last,
      sum(octet_length(m.content_json)) AS bytes, ${metadata} AS metadata
    FROM sessions s JOIN messages m ON m.session_id = s.id
    GROUP BY s.id ORDER BY s.created_at, s.id`);
  for (const { id, created, updated, messages, last, bytes, metadata } of rows) {
    const name = textOf(id);
    if (name === undefined) continue;
    const [createdAt, updatedAt] = [databaseTime(created), databaseTime(updated)];
    yield {
      name,
      revision: [updated, messages, last, bytes, metadata].join(":"),
      bytes: numberOf(bytes) ?? 0,
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }
}

/** Older schemas have fewer of these. */
const SESSION_COLUMNS = [
  ...["id", "name", "description", "user_set_name", "session_type", "working_dir", "created_at", "updated_at"],
  ...["parent_session_id", "provider_name", "model_config_json", "accumulated_input_tokens"],
  ...["accumulated_output_tokens", "accumulated_cache_read_tokens", "accumulated_cache_write_tokens"],
];
const LEDGER_COLUMNS = [
  ...["id", "created_timestamp", "model", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["cost_source", "is_compaction"],
];
/** A message with more is told without what it holds. */
const MAX_CONTENT_BYTES = 64_000_000;

function* readSession(database: ForeignDatabase, session: string): Generator<unknown> {
  const row = database.row(
    `SELECT ${selectable(database, "sessions", SESSION_COLUMNS)} FROM sessions WHERE id = ?`,
    session,
  );
  yield sessionRecord(row ?? {});
  const columns = selectable(database, "messages", ["message_id", "role", "created_timestamp", "metadata_json"]);
  const messages = database.rows(
    `SELECT ${columns}, CASE WHEN octet_length(content_json) <= ${MAX_CONTENT_BYTES} THEN content_json END AS content_json
     FROM messages WHERE session_id = ? ORDER BY id`,
    session,
  );
  for (const message of messages) yield messageRecord(message);
  if (!database.columns("usage_ledger").has("session_id")) return;
  const ledger = selectable(database, "usage_ledger", LEDGER_COLUMNS);
  const calls = database.rows(`SELECT ${ledger} FROM usage_ledger WHERE session_id = ? ORDER BY id`, session);
  for (const call of calls) yield { type: "usage", ...call };
}

function sessionRecord({ model_config_json, ...row }: Row): unknown {
  const { model_name } = fieldsOf(jsonIn(model_config_json));
  return { type: "session", ...row, ...(textOf(model_name) !== undefined && { model_name }) };
}

function messageRecord({ content_json, metadata_json, created_timestamp, ...row }: Row): unknown {
  return {
    ...row,
    created: created_timestamp,
    content: mapStrings(trimContent(jsonIn(content_json)), (text) => clipMiddle(text, MAX_TEXT_CHARS)),
    ...(typeof metadata_json === "string" && { metadata: jsonIn(metadata_json) }),
  };
}

function jsonIn(text: unknown): unknown {
  return typeof text === "string" ? parseJson(text) : text;
}

const MAX_TEXT_CHARS = 1_000_000;

/** Leaves out pictures and other files, of the message and of what tools answered. */
function trimContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) => {
    const result = fieldsOf(fieldsOf(block).toolResult);
    if (!isFields(block) || result.value === undefined) return trimBlock(block);
    const { value } = result;
    const trimmed = isFields(value) ? { ...value, content: trimBlocks(value.content) } : trimBlocks(value);
    return { ...block, toolResult: { ...result, value: trimmed } };
  });
}

function trimBlocks(blocks: unknown): unknown {
  return Array.isArray(blocks) ? blocks.map(trimBlock) : blocks;
}

function trimBlock(block: unknown): unknown {
  if (!isFields(block)) return block;
  const { data: _, ...rest } = block;
  if (block.type === "image" || block.type === "audio" || block.type === "redactedThinking") return rest;
  if (!isFields(block.resource)) return block;
  const { blob: __, ...resource } = block.resource;
  return { ...block, resource };
}

/** Of these columns those that the table has. */
function selectable(database: ForeignDatabase, table: string, wanted: readonly string[]): string {
  const columns = database.columns(table);
  return wanted.filter((name) => columns.has(name)).join(", ") || "NULL";
}
