import { folderKey } from "../../core/folder.ts";
import { MEMORY_AGENT } from "../../core/memory.ts";
import type { FileTouch } from "../../core/session.ts";
import type {
  BriefedObservation,
  BriefedProject,
  BriefedSession,
  BriefingReader,
  Stretch,
} from "../briefing-reader.ts";
import type { ProjectIdentity, StoredMessage } from "../store.ts";
import { belongingOf, projectOfKey } from "./belonging.ts";
import { isValidAt } from "./filter.ts";
import { IS_SEEN } from "./hidden.ts";
import { knownProject } from "./identify-rows.ts";
import { TOOLS_OF_NOTE } from "./migrations/013-briefing.ts";
import { identityOf, MESSAGE_COLUMNS, MESSAGE_TABLES, observationTypeOf, optional, storedMessage } from "./rows.ts";
import { integer, maybeText, type Row, type Statements, text } from "./statements.ts";
import { placeOfRow, WITHIN, wordRowsOf } from "./words.ts";

export function briefingReader(sql: Statements): BriefingReader {
  const one = (
    { session, firstSeq, lastSeq }: Stretch,
    condition: string,
    order: "ASC" | "DESC",
  ): StoredMessage | undefined => {
    const row = sql.get(
      `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq BETWEEN ? AND ? AND ${condition}
       ORDER BY m.seq ${order} LIMIT 1`,
      session,
      firstSeq,
      lastSeq,
    );
    return row === undefined ? undefined : storedMessage(row);
  };

  return {
    async projectAt(identity, folder) {
      const identified = identifiedProject(sql, identity, folder);
      return identified === undefined ? undefined : projectRow(sql, belongingOf(sql)(identified, folder));
    },

    async memories(project, at, limit) {
      const valid = isValidAt(at);
      // Two searches, since an OR of both would go through all sessions.
      const of = (condition: string, ...values: number[]): string[] =>
        sql
          .all(
            `SELECT a.value FROM sessions s JOIN observations o ON o.session_id = s.id
               JOIN annotations a ON a.agent = s.agent AND a.session = s.native_id AND a.kind = 'memory'
             WHERE s.agent = '${MEMORY_AGENT}' AND ${condition} AND ${IS_SEEN} AND ${valid.sql} ORDER BY s.native_id LIMIT ?`,
            ...values,
            ...valid.values,
            limit,
          )
          .map((row) => text(row.value));
      const own = project === undefined ? [] : of("s.project_id = ?", project);
      return [...own, ...of("s.project_id IS NULL")];
    },

    async sessions(project, { except, pinned, limit }) {
      const others = unlike(except);
      // Only of those that are wanted the columns are looked up. Pins are few, and sessions many.
      const from = pinned === true ? `${PINS} CROSS JOIN sessions s ON ${IS_PINNED}` : "sessions s";
      return sql
        .all(
          `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.id IN (
             SELECT s.id FROM ${from} WHERE s.project_id = ? AND s.messages > 0 AND s.agent <> '${MEMORY_AGENT}'
               AND s.relation IS NOT 'subagent' AND ${IS_SEEN}${others.sql} ORDER BY s.ended_at DESC, s.agent, s.native_id LIMIT ?)
           ORDER BY s.ended_at DESC, s.agent, s.native_id`,
          project,
          ...others.values,
          limit,
        )
        .map(briefedSession);
    },

    async observations(sessions, at, limit) {
      const valid = isValidAt(at);
      const rows = sql.all(
        `SELECT ${OBSERVATION_COLUMNS} FROM json_each(?) j JOIN observations o ON o.session_id = j.value
           JOIN sessions s ON s.id = o.session_id
         WHERE o.first_seq >= coalesce((SELECT l.first_seq FROM observations l WHERE l.session_id = j.value
             ORDER BY l.first_seq DESC LIMIT 1 OFFSET ?), 0)
           AND ${valid.sql} AND ${IS_SEEN} ORDER BY o.session_id, o.first_seq DESC`,
        JSON.stringify(sessions),
        limit - 1,
        ...valid.values,
      );
      return groupBy(rows.map(briefedObservation), ({ session }) => session);
    },

    async choices(project, at, { except, limit }) {
      const [valid, others] = [isValidAt(at), unlike(except)];
      return sql
        .all(
          `SELECT ${OBSERVATION_COLUMNS} FROM observations o JOIN sessions s ON s.id = o.session_id WHERE o.id IN (
             SELECT o.id FROM sessions s JOIN observations o ON o.session_id = s.id
             WHERE s.project_id = ? AND s.agent <> '${MEMORY_AGENT}' AND o.type IN ('decision', 'preference') AND ${valid.sql}
               AND ${IS_SEEN}${others.sql} ORDER BY o.at DESC, o.public_id LIMIT ?)
           ORDER BY o.at DESC, o.public_id`,
          project,
          ...valid.values,
          ...others.values,
          limit,
        )
        .map(briefedObservation);
    },

    async files(observations) {
      const rows = sql.all(
        `SELECT t.observation_id, t.changed, p.path FROM touches t JOIN paths p ON p.id = t.path_id
         WHERE t.observation_id IN (SELECT value FROM json_each(?)) ORDER BY t.observation_id, t.changed DESC, p.path`,
        JSON.stringify(observations),
      );
      const grouped = groupBy(rows, (row) => integer(row.observation_id));
      return mapValues(grouped, (row): FileTouch => ({ path: text(row.path), changed: row.changed === 1 }));
    },

    async filesOfSubagents(sessions, limit) {
      const rows = sql.all(
        `SELECT DISTINCT j.value AS session, p.path FROM json_each(?) j JOIN sessions w ON w.id = j.value
           JOIN sessions s ON s.agent = w.agent AND s.parent = w.native_id AND s.relation = 'subagent'
           JOIN observations o ON o.session_id = s.id
           JOIN touches t ON t.observation_id = o.id JOIN paths p ON p.id = t.path_id
         WHERE t.changed = 1 AND ${IS_SEEN} ORDER BY j.key, p.path LIMIT ?`,
        JSON.stringify(sessions),
        limit,
      );
      return mapValues(
        groupBy(rows, (row) => integer(row.session)),
        (row) => text(row.path),
      );
    },

    async changing(project, paths, at, { except, limit }) {
      const [valid, others] = [isValidAt(at), unlike(except)];
      return sql
        .all(
          `SELECT DISTINCT ${OBSERVATION_COLUMNS} FROM paths p JOIN touches t ON t.path_id = p.id
             JOIN observations o ON o.id = t.observation_id JOIN sessions s ON s.id = o.session_id
           WHERE p.path IN (SELECT value FROM json_each(?)) AND t.changed = 1 AND s.project_id = ? AND ${valid.sql}
             AND ${IS_SEEN}${others.sql} ORDER BY o.at DESC, o.public_id LIMIT ?`,
          JSON.stringify(paths),
          project,
          ...valid.values,
          ...others.values,
          limit,
        )
        .map(briefedObservation);
    },

    async commits(observations) {
      const wanted = new Set(observations);
      if (wanted.size === 0) return new Map();
      // Those of sessions that were read at once stand in a row; what lies between is passed over.
      const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
      const rows = sql.numbers(
        `SELECT rowid FROM words WHERE words MATCH '{action} : "git commit"' AND ${WITHIN} ORDER BY rowid DESC LIMIT ?`,
        wordRowsOf(first).first,
        wordRowsOf(last).last,
        COMMITS,
      );
      const found = rows.reverse().map(placeOfRow);
      return mapValues(
        groupBy(
          found.filter(({ observation }) => wanted.has(observation)),
          ({ observation }) => observation,
        ),
        ({ message }) => message,
      );
    },

    prompt: async (stretch) => one(stretch, "m.role = 'human'", "ASC"),
    answer: async (stretch) => one(stretch, "m.role = 'assistant' AND m.part = 'text'", "DESC"),

    async notes(sessions, kind, limit) {
      const rows = sql.all(
        `SELECT m.session_id, ${MESSAGE_COLUMNS} FROM json_each(?) j JOIN messages m ON m.session_id = j.value
           JOIN files f ON f.id = m.file_id
         WHERE ${OF_NOTE} AND ${kind === "todos" ? `NOT ${ANSWERING}` : `${ANSWERING} AND m.part = 'result'`}
         ORDER BY j.key, m.seq DESC LIMIT ?`,
        JSON.stringify(sessions),
        limit,
      );
      return mapValues(
        groupBy(rows.reverse(), (row) => integer(row.session_id)),
        storedMessage,
      );
    },

    tail: async (session, limit) =>
      sql
        .all(
          `SELECT m.uid, m.seq, m.role, m.part, m.at, iif(${TELLS_OUTCOME}, m.text, '') AS text,
             m.tool, m.call_id, m.touched, m.commands, m.is_error, m.exit_code, m.branch, m.cwd, '' AS path, m.byte
           FROM messages m WHERE m.session_id = ? ORDER BY m.seq DESC LIMIT ?`,
          session,
          limit,
        )
        .map(storedMessage)
        .reverse(),

    messages: async ({ session, firstSeq, lastSeq }, limit) =>
      sql
        .all(
          `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq DESC LIMIT ?`,
          session,
          firstSeq,
          lastSeq,
          limit,
        )
        .map(storedMessage)
        .reverse(),
  };
}

/** Commits that are looked at. */
const COMMITS = 400;
/** What says how commands ended, and what was asked: unpacking a text costs more than all else of a row. */
const TELLS_OUTCOME = "m.role = 'human' OR m.commands IS NOT NULL OR (m.part = 'result' AND m.is_error = 1)";

/** As the index over them says, to the letter: otherwise SQLite would not see that it can use it. */
const OF_NOTE = `m.tool IN (${TOOLS_OF_NOTE})`;
const ANSWERING = `m.tool IN ('AskUserQuestion', 'ask_user', 'ask_followup_question', 'ask_question', 'request_user_input',
  'question', 'ExitPlanMode', 'exit_plan_mode', 'plan_exit')`;

const PINS = "(SELECT agent, session FROM annotations WHERE kind = 'pin') a";
const IS_PINNED = "s.agent = a.agent AND s.native_id = a.session";
const PIN =
  "(SELECT a.value FROM annotations a WHERE a.agent = s.agent AND a.session = s.native_id AND a.kind = 'pin')";

const SESSION_COLUMNS = `s.id, s.agent, s.native_id, s.branch, s.cwd, s.started_at, s.ended_at, s.messages,
  s.title_custom, s.title_generated, s.title_summary, s.title_first_prompt, s.title_last_prompt, ${PIN} AS pin, (SELECT o.title FROM observations o WHERE o.public_id = ${PIN} AND o.session_id = s.id) AS pin_title,
  (SELECT a.value FROM annotations a WHERE a.agent = s.agent AND a.session = s.native_id AND a.kind = 'alias') AS alias`;

const OBSERVATION_COLUMNS = `o.id, o.public_id, o.session_id, o.first_seq, o.last_seq, o.part, o.at, o.ended_at, o.type,
  o.title, o.chars, o.branch, s.agent`;

/** As `identifyProject` finds it, but for what it would write. */
function identifiedProject(sql: Statements, identity: ProjectIdentity, folder: string): number | undefined {
  const place = folderKey(folder);
  const known = identity.identity === "folder" ? knownProject(sql, place, identity.seen !== undefined) : undefined;
  if (known !== undefined) return known;
  const own = projectOfKey(sql, identity.key);
  const { root, stamp } = identity.seen ?? {};
  if (own !== undefined || root === undefined) return own;
  // A repository that got another remote, or was moved, since something was read of it.
  return (
    sql.number("SELECT project_id FROM project_roots WHERE root = ? AND stamp IS ?", root, stamp ?? null) ??
    (stamp === undefined ? undefined : sql.number("SELECT project_id FROM project_roots WHERE stamp = ?", stamp))
  );
}

function projectRow(sql: Statements, id: number): BriefedProject | undefined {
  const row = sql.get("SELECT id, key, name, identity FROM projects WHERE id = ?", id);
  if (row === undefined) return undefined;
  const tops = sql
    .all(
      "SELECT DISTINCT coalesce(worktree, root, folder) AS top FROM project_folders WHERE belongs_id = ? ORDER BY top",
      id,
    )
    .map((top) => text(top.top));
  return {
    id,
    key: text(row.key),
    name: text(row.name),
    identity: identityOf(row.identity),
    tops: tops.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
  };
}

/** Neither the session of that id nor one that worked for it. */
function unlike(except: string | undefined): { readonly sql: string; readonly values: readonly string[] } {
  if (except === undefined) return { sql: "", values: [] };
  return { sql: " AND s.native_id <> ? AND s.parent IS NOT ?", values: [except, except] };
}

function briefedSession(row: Row): BriefedSession {
  const pin = maybeText(row.pin);
  return {
    id: integer(row.id),
    agent: text(row.agent),
    nativeId: text(row.native_id),
    isPinned: pin !== undefined,
    startedAt: integer(row.started_at),
    endedAt: integer(row.ended_at),
    messages: integer(row.messages),
    titles: [row.title_custom, row.title_generated, row.title_summary].map(text).filter(Boolean),
    prompts: [row.title_first_prompt, row.title_last_prompt].map(text).filter(Boolean),
    ...optional("alias", maybeText(row.alias)),
    ...(pin !== undefined && pin !== "" && { pinnedFor: { id: pin, title: text(row.pin_title) } }),
    ...optional("branch", maybeText(row.branch)),
    ...optional("cwd", maybeText(row.cwd)),
  };
}

function briefedObservation(row: Row): BriefedObservation {
  return {
    id: integer(row.id),
    publicId: text(row.public_id),
    session: integer(row.session_id),
    agent: text(row.agent),
    type: observationTypeOf(row.type),
    title: text(row.title),
    part: integer(row.part),
    at: integer(row.at),
    endedAt: integer(row.ended_at),
    firstSeq: integer(row.first_seq),
    lastSeq: integer(row.last_seq),
    chars: integer(row.chars),
    ...optional("branch", maybeText(row.branch)),
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function mapValues<T, U>(groups: ReadonlyMap<number, readonly T[]>, map: (item: T) => U): Map<number, U[]> {
  return new Map([...groups].map(([key, items]) => [key, items.map(map)]));
}
