import { expectTables, type ForeignDatabase, openDatabase, type Row } from "../database.ts";
import { numberOf, textOf } from "../fields.ts";
import type { Container, FoundPart } from "../source.ts";
import { sessionRecord } from "./records.ts";
import { slim } from "./slim.ts";

/** Opens a database: a part is a session. Throws where it has tables, but none of sessions that is understood. */
export function openTables(path: string): Container {
  const database = openDatabase(path);
  const sections = SECTIONS.filter((section) => isThere(database, section));
  try {
    if (sections.length === 0) expectTables(database, []);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    parts: () => listParts(database, sections),
    *records(part) {
      const section = sections.find(({ mark }) => part.revision.startsWith(mark));
      if (section === undefined) return;
      const row = database.row(
        `SELECT ${sessionColumns(database, section)} FROM ${section.sessions} WHERE id = ?`,
        part.name,
      );
      if (row !== undefined) yield sessionRecord(row);
      yield* section.read(database, part.name);
    },
    close: () => database.close(),
  };
}

/** Ids of the sessions with messages that a database holds. */
export function sessionsIn(path: string): ReadonlySet<string> {
  const database = openDatabase(path);
  try {
    const queries = SECTIONS.filter((section) => isThere(database, section)).map(
      (section) => `SELECT id FROM ${section.sessions} AS s WHERE ${hasMessages(section)}`,
    );
    const ids = queries.flatMap((query) => Array.from(database.rows(query), ({ id }) => id));
    return new Set(ids.filter((id) => typeof id === "string"));
  } finally {
    database.close();
  }
}

/** Tables that belong together. */
interface Section {
  /** Begins the revisions of its sessions. */
  readonly mark: string;
  readonly sessions: string;
  readonly messages: string;
  /**
   * Of session `s`: when it last changed, without a look at all its messages. Its last messages are asked, since only
   * they are still written to; for the rest it is enough to count.
   */
  readonly state: string;
  read(database: ForeignDatabase, session: string): Iterable<unknown>;
}

const LAST_MESSAGES =
  "SELECT id, time_updated FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 2";

/** The tables of version 1, in use since 1.2. */
const PARTED: Section = {
  mark: "1:",
  sessions: "session",
  messages: "message",
  state: `
    (SELECT count(*) FROM message WHERE session_id = s.id) AS messages,
    (SELECT max(max(m.time_updated, ifnull((SELECT max(time_updated) FROM part WHERE message_id = m.id), 0)))
      FROM (${LAST_MESSAGES}) AS m) AS latest,
    (SELECT sum((SELECT count(*) FROM part WHERE message_id = m.id)) FROM (${LAST_MESSAGES}) AS m) AS parts`,
  read: readParted,
};

const ROWS_STATE = `
    (SELECT count(*) FROM session_message WHERE session_id = s.id) AS messages,
    0 AS parts,
    (SELECT max(time_updated) FROM
      (SELECT time_updated FROM session_message WHERE session_id = s.id ORDER BY seq DESC LIMIT 4)
    ) AS latest`;

/** The tables of version 2, into which the sessions of version 1 are copied. */
const WHOLE: Section = {
  mark: "2:",
  sessions: "session_v2",
  messages: "session_message",
  state: ROWS_STATE,
  read: readWhole,
};

/** Builds on the way to version 2 wrote its messages beside the sessions of version 1. */
const MIXED: Section = { ...WHOLE, mark: "1.5:", sessions: "session" };

/** A later one gives way to an earlier one. */
const SECTIONS: readonly Section[] = [WHOLE, PARTED, MIXED];
/** Where MiMo notes which sessions it copied from other agents, which are told by those. */
const COPIED = ["external_import", "claude_import"];
/** A larger row is told by its type alone. */
const MAX_ROW = 32_000_000;
const DATA = `CASE WHEN length(data) > ${MAX_ROW} THEN NULL ELSE data END AS data`;
const SESSION_COLUMNS = [
  ...["id", "parent_id", "fork_session_id", "directory", "title", "version"],
  ...["time_created", "time_updated"],
];

function isThere(database: ForeignDatabase, { sessions, messages }: Section): boolean {
  return (
    database.columns(sessions).has("time_updated") &&
    database.columns(messages).has("data") &&
    isWhole(database, messages)
  );
}

/** Messages of version 1 are in pieces, in a table of their own. */
function isWhole(database: ForeignDatabase, messages: string): boolean {
  return messages === "message" ? database.columns("part").has("data") : database.columns(messages).has("seq");
}

/**
 * Where a session is in several tables, the newer ones tell it, unless the program of the older ones went on with it
 * after it was copied.
 */
function listParts(database: ForeignDatabase, sections: readonly Section[]): readonly FoundPart[] {
  const parts = new Map<string, FoundPart & { readonly touchedAt: number }>();
  for (const section of sections) {
    for (const row of database.rows(listQuery(database, section))) {
      const part = partOf(section, row);
      if (part === undefined) continue;
      const known = parts.get(part.name);
      const touchedAt = numberOf(row.time_updated) ?? 0;
      if (known === undefined || (section === PARTED && touchedAt > known.touchedAt)) {
        parts.set(part.name, { ...part, touchedAt });
      }
    }
  }
  return [...parts.values()]
    .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.name < b.name ? -1 : 1))
    .map(({ touchedAt: _, ...part }) => part);
}

function listQuery(database: ForeignDatabase, section: Section): string {
  const copied = COPIED.filter((table) => database.columns(table).has("session_id"));
  const conditions = [hasMessages(section), ...copied.map((table) => `s.id NOT IN (SELECT session_id FROM ${table})`)];
  return `SELECT s.id, s.time_created, s.time_updated, ${section.state}
    FROM ${section.sessions} AS s WHERE ${conditions.join(" AND ")}`;
}

function hasMessages({ messages }: Section): string {
  return `EXISTS (SELECT 1 FROM ${messages} WHERE session_id = s.id)`;
}

function partOf({ mark }: Section, row: Row): FoundPart | undefined {
  const name = textOf(row.id);
  if (name === undefined || name.length > MAX_NAME || /[\r\n]/.test(name)) return undefined;
  const createdAt = numberOf(row.time_created);
  const updatedAt = Math.max(numberOf(row.time_updated) ?? 0, numberOf(row.latest) ?? 0);
  return {
    name,
    revision: `${mark}${updatedAt}:${String(row.messages)}:${String(row.parts)}`,
    ...(createdAt !== undefined && { createdAt }),
    updatedAt,
  };
}

const MAX_NAME = 200;

function sessionColumns(database: ForeignDatabase, { sessions }: Section): string {
  const there = database.columns(sessions);
  return SESSION_COLUMNS.filter((column) => there.has(column)).join(", ");
}

function* readParted(database: ForeignDatabase, session: string): Iterable<unknown> {
  const messages = `SELECT id, time_created, ${DATA} FROM message WHERE session_id = ? ORDER BY time_created, id`;
  const parts = `SELECT id, ${DATA} FROM part WHERE message_id = ? ORDER BY id`;
  for (const { id, time_created, data } of database.rows(messages, session)) {
    yield { table: "message", id, time_created, data: slim(data) ?? null };
    if (typeof id !== "string") continue;
    for (const part of database.rows(parts, id)) yield { table: "part", id: part.id, data: slim(part.data) ?? null };
  }
}

function* readWhole(database: ForeignDatabase, session: string): Iterable<unknown> {
  const rows = `SELECT id, type, time_created, ${DATA} FROM session_message WHERE session_id = ? ORDER BY seq`;
  for (const { data, ...row } of database.rows(rows, session)) {
    yield { table: "session_message", ...row, data: slim(data) ?? null };
  }
}
