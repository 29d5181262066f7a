import Database from "better-sqlite3";
import { unpack } from "../../src/store/sqlite/text.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * What a store holds, free of row ids and of the order in which things arrived: two stores with equal dumps answer
 * every question alike.
 */
export interface StoreDump {
  readonly files: readonly Row[];
  readonly sessions: readonly Row[];
  readonly messages: readonly Row[];
  readonly observations: readonly Row[];
  readonly touches: readonly Row[];
  readonly usage: readonly Row[];
  readonly projects: readonly Row[];
  /** For each piece in the word index: its place, and its terms in order. */
  readonly words: readonly Row[];
  readonly titleWords: readonly Row[];
}

/** Reads a store without touching it. With `terms` set to "sums", terms are counted instead of listed. */
export function dumpStore(path: string, { terms = "listed" }: { readonly terms?: "listed" | "sums" } = {}): StoreDump {
  const db = new Database(path, { readonly: true });
  try {
    const all = (sql: string): Row[] => db.prepare<[], Row>(sql).all();
    return {
      files: all(FILES).map(({ reader_state, ...row }) => ({ ...row, readerState: settled(reader_state) })),
      sessions: all(SESSIONS),
      messages: all(MESSAGES).map(({ text, ...row }) => ({ ...row, text: unpack(text) })),
      observations: all(OBSERVATIONS),
      touches: all(TOUCHES),
      usage: all(USAGE),
      projects: all(PROJECTS),
      words: terms === "sums" ? wordSums(db, all) : words(db, all),
      titleWords: titleWords(db, all),
    };
  } finally {
    db.close();
  }
}

/** The sections that differ, each with what only one of the two has. Empty for equal stores. */
export function compareDumps(
  a: StoreDump,
  b: StoreDump,
): Record<string, { readonly onlyA: string[]; readonly onlyB: string[] }> {
  const differences: Record<string, { onlyA: string[]; onlyB: string[] }> = {};
  for (const section of Object.keys(a) as (keyof StoreDump)[]) {
    const [left, right] = [a[section], b[section]].map((rows) => rows.map((row) => JSON.stringify(row)));
    const [inLeft, inRight] = [new Set(left), new Set(right)];
    const onlyA = (left ?? []).filter((row) => !inRight.has(row));
    const onlyB = (right ?? []).filter((row) => !inLeft.has(row));
    const isReordered = onlyA.length === 0 && onlyB.length === 0 && JSON.stringify(left) !== JSON.stringify(right);
    if (isReordered) differences[section] = { onlyA: ["(the same rows, not as often or in another order)"], onlyB: [] };
    else if (onlyA.length > 0 || onlyB.length > 0)
      differences[section] = { onlyA: onlyA.slice(0, 12), onlyB: onlyB.slice(0, 12) };
  }
  return differences;
}

/** A reader's state in one spelling: fields by name, without those that say no. */
function settled(state: unknown): unknown {
  const tidy = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).filter(([, field]) => field !== false);
    return Object.fromEntries(
      entries.map(([key, field]) => [key, tidy(field)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return typeof state === "string" ? tidy(JSON.parse(state)) : undefined;
}

const FILES = `SELECT agent, path, size, "offset", window, source_version, reader_state, skipped, items, missing,
    (SELECT native_id FROM sessions WHERE id = f.session_id) AS session
  FROM files f ORDER BY path`;

const SESSIONS = `SELECT s.agent, s.native_id, p.key AS project, s.cwd, s.branch, s.started_at, s.ended_at, s.agent_version,
    s.parent, s.relation, s.continued_in, s.title_custom, s.title_generated, s.title_last_prompt, s.title_summary,
    s.title_first_prompt, s.messages, s.turns, s.derived, s.title_stale,
    (SELECT group_concat(tag, ' ') FROM (SELECT tag FROM tags WHERE session_id = s.id ORDER BY tag)) AS tags
  FROM sessions s LEFT JOIN projects p ON p.id = s.project_id
  WHERE s.messages > 0 OR EXISTS (SELECT 1 FROM files f WHERE f.session_id = s.id) ORDER BY s.agent, s.native_id`;

const MESSAGES = `SELECT s.agent, s.native_id AS session, row_number() OVER (PARTITION BY m.session_id ORDER BY m.seq) AS nth,
    hex(m.uid) AS uid, f.path AS file, m.byte, m.role, m.part, m.at, m.text, m.tool, m.call_id, m.touched, m.commands,
    m.is_error, m.exit_code, m.duration_ms, m.branch, m.cwd
  FROM messages m JOIN sessions s ON s.id = m.session_id JOIN files f ON f.id = m.file_id
  ORDER BY s.agent, s.native_id, m.seq`;

const OBSERVATIONS = `SELECT s.agent, s.native_id AS session, o.public_id, o.part, o.at, o.ended_at, o.type, o.title, o.chars,
    o.branch, o.last_seq - o.first_seq + 1 AS messages,
    (SELECT hex(uid) FROM messages m WHERE m.session_id = o.session_id AND m.seq = o.first_seq) AS first,
    (SELECT hex(uid) FROM messages m WHERE m.session_id = o.session_id AND m.seq = o.last_seq) AS last
  FROM observations o LEFT JOIN sessions s ON s.id = o.session_id ORDER BY s.agent, s.native_id, o.first_seq`;

const TOUCHES = `SELECT o.public_id, p.path, t.changed
  FROM touches t LEFT JOIN observations o ON o.id = t.observation_id LEFT JOIN paths p ON p.id = t.path_id
  ORDER BY o.public_id, p.path`;

const USAGE = `SELECT hex(u.key) AS key, s.native_id AS session, f.path AS file, u.at, u.model, u.input, u.output, u.cache_read,
    u.cache_write
  FROM usage u LEFT JOIN sessions s ON s.id = u.session_id LEFT JOIN files f ON f.id = u.file_id ORDER BY u.key`;

const PROJECTS = `SELECT p.key, p.name, p.identity,
    (SELECT group_concat(folder, ' ') FROM (SELECT folder FROM project_folders WHERE project_id = p.id ORDER BY folder)) AS folders,
    (SELECT count(*) FROM sessions s WHERE s.project_id = p.id AND s.messages > 0) AS sessions
  FROM projects p WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.project_id = p.id AND s.messages > 0) ORDER BY p.key`;

function vocabulary(db: Database.Database, table: string, kind: string): void {
  db.exec(`CREATE VIRTUAL TABLE temp.${table}_${kind} USING fts5vocab('main', '${table}', '${kind}')`);
}

function words(db: Database.Database, all: (sql: string) => Row[]): Row[] {
  vocabulary(db, "words", "instance");
  const names = namesOf(all("SELECT id, public_id AS name FROM observations"));
  return grouped(all(`SELECT doc, col, "offset" AS at, term FROM temp.words_instance`), (doc) => {
    const observation = names.get(Math.floor(doc / 65_536)) ?? `nothing (${doc})`;
    return `${observation} ${Math.floor((doc % 65_536) / 64)}/${doc % 64}`;
  });
}

function wordSums(db: Database.Database, all: (sql: string) => Row[]): Row[] {
  vocabulary(db, "words", "row");
  return [
    ...all("SELECT term, doc, cnt FROM temp.words_row ORDER BY term"),
    ...all(
      `SELECT o.public_id, count(*) AS pieces FROM words_docsize d LEFT JOIN observations o ON o.id = d.id >> 16
       GROUP BY 1 ORDER BY 1`,
    ),
  ];
}

function titleWords(db: Database.Database, all: (sql: string) => Row[]): Row[] {
  vocabulary(db, "session_words", "instance");
  const known = all("SELECT id, agent || ' ' || native_id AS name FROM sessions WHERE messages > 0");
  const names = namesOf(known);
  const instances = all(`SELECT doc, col, "offset" AS at, term FROM temp.session_words_instance`);
  const empty = new Set(all("SELECT id FROM sessions WHERE messages = 0").map((row) => row.id));
  return grouped(
    instances.filter((row) => !empty.has(row.doc)),
    (doc) => names.get(doc) ?? `nothing (${doc})`,
  );
}

function namesOf(rows: readonly Row[]): Map<number, string> {
  return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
}

function grouped(instances: readonly Row[], nameOf: (doc: number) => string): Row[] {
  const pieces = new Map<string, { at: number; term: string }[]>();
  for (const { doc, col, at, term } of instances) {
    const piece = `${nameOf(Number(doc))} ${String(col)}`;
    const list = pieces.get(piece) ?? [];
    list.push({ at: Number(at), term: String(term) });
    pieces.set(piece, list);
  }
  return [...pieces]
    .map(([piece, list]) => ({
      piece,
      terms: list
        .sort((x, y) => x.at - y.at || (x.term < y.term ? -1 : 1))
        .map(({ term }) => term)
        .join(" "),
    }))
    .sort((x, y) => (x.piece < y.piece ? -1 : 1));
}
