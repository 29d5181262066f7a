import {
  type AnnotationReader,
  type MirrorFile,
  type SessionKey,
  STORED_ANNOTATION_KINDS,
  type StoredAnnotation,
  type StoredAnnotationKind,
  type StoredChange,
} from "../store.ts";
import { optional } from "./rows.ts";
import { integer, maybeInteger, maybeText, type Row, type Statements, text, type Value } from "./statements.ts";

/** Tags of sessions: what agents put there, less what was removed, and what was added. */
export const SESSION_TAGS = `SELECT g.session_id, g.tag FROM tags g JOIN sessions t ON t.id = g.session_id
    WHERE NOT EXISTS (SELECT 1 FROM annotations u
      WHERE u.agent = t.agent AND u.session = t.native_id AND u.kind = 'untag' AND u.key = g.tag)
  UNION SELECT t.id, a.key FROM annotations a JOIN sessions t ON t.agent = a.agent AND t.native_id = a.session
    WHERE a.kind = 'tag'`;

export function annotationReader(sql: Statements): AnnotationReader {
  return {
    async all(kind) {
      const where = kind === undefined ? "1" : "kind = ?";
      return sql
        .all(
          `SELECT * FROM annotations WHERE ${where} ORDER BY kind, key, value, agent, session`,
          ...(kind === undefined ? [] : [kind]),
        )
        .flatMap((row) => storedAnnotation(row) ?? []);
    },

    seen: async (kind) =>
      sql
        .all(
          `SELECT * FROM annotations a WHERE kind = ?
             AND NOT EXISTS (SELECT 1 FROM annotations f WHERE f.agent = a.agent AND f.session = a.session AND f.kind = 'forgotten')
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.agent = a.agent AND s.native_id = a.session
               AND s.id IN (SELECT id FROM hidden))
           ORDER BY key, value, agent, session`,
          kind,
        )
        .flatMap((row) => storedAnnotation(row) ?? []),

    of: async ({ agent, nativeId }) =>
      sql
        .all("SELECT * FROM annotations WHERE agent = ? AND session = ? ORDER BY kind, key", agent, nativeId)
        .flatMap((row) => storedAnnotation(row) ?? []),

    taggedWith: async (tag) =>
      sql
        .all(
          `SELECT agent, session FROM annotations WHERE kind = 'tag' AND key = ?
           UNION SELECT s.agent, s.native_id FROM (${SESSION_TAGS}) g JOIN sessions s ON s.id = g.session_id WHERE g.tag = ?
           ORDER BY 1, 2`,
          tag,
          tag,
        )
        .map(sessionKeyOf),

    ownTags: async ({ agent, nativeId }) =>
      sql
        .all(
          "SELECT g.tag FROM tags g JOIN sessions s ON s.id = g.session_id WHERE s.agent = ? AND s.native_id = ? ORDER BY g.tag",
          agent,
          nativeId,
        )
        .map((row) => text(row.tag)),

    async aliased(alias) {
      const row = sql.get("SELECT agent, session FROM annotations WHERE kind = 'alias' AND value = ?", alias);
      return row === undefined ? undefined : sessionKeyOf(row);
    },

    async changes({ session }, { offset, limit }) {
      const where = session === undefined ? "1" : "agent = ? AND session = ?";
      const values: Value[] = session === undefined ? [] : [session.agent, session.nativeId];
      const numbers = sql.numbers(
        `SELECT DISTINCT number FROM annotation_history WHERE ${where} ORDER BY number DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
      return {
        total: sql.number(`SELECT count(DISTINCT number) FROM annotation_history WHERE ${where}`, ...values) ?? 0,
        items: numbers.flatMap((number) =>
          changesOf(
            sql.all(
              `SELECT * FROM annotation_history WHERE number = ? AND ${where} ORDER BY id`,
              ...[number, ...values],
            ),
          ),
        ),
      };
    },

    change: async (number) =>
      changesOf(sql.all("SELECT * FROM annotation_history WHERE number = ? ORDER BY id", number))[0],

    changesAfter: async (number) =>
      changesOf(sql.all("SELECT * FROM annotation_history WHERE number > ? ORDER BY number, id", number)),

    latestStanding: async () =>
      sql.number("SELECT max(number) FROM annotation_history WHERE undoes IS NULL AND undone_by IS NULL"),

    latestNumber: async () => latestNumber(sql),

    async mirrorState() {
      const through = maybeText(sql.get(`SELECT value FROM facts WHERE name = '${MIRRORED}'`)?.value);
      const files = sql.all("SELECT * FROM mirror_files").map(mirrorFile);
      return {
        files: new Map(files.map((file) => [file.name, file])),
        ...(through !== undefined && { through: Number(through) }),
      };
    },
  };
}

/** Name of the fact that holds the last change which the mirror tells of. */
export const MIRRORED = "annotations_mirrored";

export function latestNumber(sql: Statements): number {
  return sql.number("SELECT max(number) FROM annotation_history") ?? 0;
}

function storedAnnotation(row: Row): StoredAnnotation | undefined {
  const kind = kindOf(row.kind);
  if (kind === undefined) return undefined;
  const [key, value, at, by] = [text(row.key), text(row.value), integer(row.at), text(row.by)];
  return { kind, session: sessionKeyOf(row), key, value, at, by };
}

/** Rows in order of their change's number. */
function changesOf(rows: readonly Row[]): StoredChange[] {
  const changes = new Map<number, StoredChange & { readonly edits: StoredChange["edits"][number][] }>();
  for (const row of rows) {
    const kind = kindOf(row.kind);
    const number = integer(row.number);
    const change = changes.get(number) ?? {
      number,
      at: integer(row.at),
      by: text(row.by),
      via: text(row.via),
      ...optional("undoes", maybeInteger(row.undoes)),
      ...optional("undoneBy", maybeInteger(row.undone_by)),
      edits: [],
    };
    changes.set(number, change);
    if (kind === undefined) continue;
    const [was, became] = [maybeText(row.was), maybeText(row.became)];
    change.edits.push({ kind, session: sessionKeyOf(row), key: text(row.key), was, became });
  }
  return [...changes.values()];
}

function mirrorFile(row: Row): MirrorFile {
  const session = maybeText(row.session);
  return {
    name: text(row.name),
    hash: text(row.hash),
    size: integer(row.size),
    mtimeMs: integer(row.mtime_ms),
    ...(session !== undefined && { session: sessionKeyOf(row) }),
  };
}

function sessionKeyOf(row: Row): SessionKey {
  return { agent: text(row.agent), nativeId: text(row.session) };
}

function kindOf(column: unknown): StoredAnnotationKind | undefined {
  return STORED_ANNOTATION_KINDS.find((kind) => kind === column);
}
