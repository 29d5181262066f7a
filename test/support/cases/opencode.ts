import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { AgentCase } from "../agent-cases.ts";

const SESSION = "ses_5e550000affeTide0000000001";
const CWD = "/home/ana/code/tide";
const START = Date.parse("2026-03-02T09:00:00Z");
const DATA = ".local/share/opencode";
const MODEL = { providerID: "anthropic", modelID: "claude-opus-4-5" };
const TOKENS = { input: 3, output: 7, reasoning: 0, cache: { read: 0, write: 0 } };

/** A row of a table or a file of the tree; what is no row of its own becomes a part of the message before. */
type Row = Readonly<Record<string, unknown>>;

const database: AgentCase = {
  agent: "opencode",
  format: "database v1",
  unit: "container",
  session: SESSION,
  path: `${DATA}/opencode.db`,
  twin: `${DATA}/opencode-dev.db`,
  variables: [
    { name: "XDG_DATA_HOME", folder: ".local/share" },
    { name: "OPENCODE_DB", folder: `${DATA}/opencode.db`, isFurther: true },
  ],
  head: [
    {
      ...{ table: "session", id: SESSION, project_id: "global", slug: "calm-tide", directory: CWD, title: "Tides" },
      ...{ version: "1.18.33", time_created: START, time_updated: START },
    },
  ],
  turn: (word, n) => partedTurn(word, n),
  save: (path, records) => saveDatabase(path, PARTED_TABLES, records),
};

const databaseV2: AgentCase = {
  ...database,
  format: "database v2",
  head: database.head.map((row) => ({ ...row, table: "session_v2" })),
  turn: (word, n) => {
    const time = START + n * 60_000;
    const row = { table: "session_message", session_id: SESSION, time_created: time, time_updated: time };
    const model = { id: MODEL.modelID, providerID: MODEL.providerID };
    return [
      { ...row, id: messageId(n, 1), type: "user", data: { time: { created: time }, text: word, files: [] } },
      {
        ...row,
        id: messageId(n, 2),
        type: "assistant",
        data: {
          time: { created: time + 1_000, completed: time + 2_000 },
          ...{ agent: "build", model, finish: "stop", cost: 0.01, tokens: TOKENS },
          content: [{ type: "text", text: `${word} it is` }],
        },
      },
    ];
  },
  save: (path, records) => saveDatabase(path, WHOLE_TABLES, records),
};

const tree: AgentCase = {
  ...database,
  format: "file tree",
  path: `${DATA}/storage/session/0a1b2c3d/${SESSION}.json`,
  twin: `${DATA}/storage/session/global/${SESSION}.json`,
  variables: [{ name: "XDG_DATA_HOME", folder: ".local/share" }],
  head: [
    {
      ...{ table: "session", id: SESSION, version: "1.1.65", projectID: "global", directory: CWD, title: "Tides" },
      time: { created: START, updated: START },
    },
  ],
  save: saveTree,
};

const kilo: AgentCase = {
  ...database,
  agent: "kilo",
  path: ".local/share/kilo/kilo.db",
  twin: ".local/share/kilo/kilo-dev.db",
  variables: [
    { name: "XDG_DATA_HOME", folder: ".local/share" },
    { name: "KILO_DB", folder: ".local/share/kilo/kilo.db", isFurther: true },
  ],
};

const mimoCode: AgentCase = {
  ...database,
  agent: "mimo-code",
  path: ".local/share/mimocode/mimocode.db",
  twin: ".local/share/mimocode/mimocode-dev.db",
  variables: [
    { name: "XDG_DATA_HOME", folder: ".local/share" },
    { name: "MIMOCODE_DB", folder: ".local/share/mimocode/mimocode.db", isFurther: true },
  ],
};

export const openCodeCases: readonly AgentCase[] = [database, databaseV2, tree, kilo, mimoCode];

const TIMES = "time_created, time_updated";
const PARTED_TABLES = {
  session: `id PRIMARY KEY, project_id, parent_id, slug, directory, title, version, ${TIMES}`,
  message: `id PRIMARY KEY, session_id, ${TIMES}, data`,
  part: `id PRIMARY KEY, message_id, session_id, ${TIMES}, data`,
};
const WHOLE_TABLES = {
  session_v2: `id PRIMARY KEY, project_id, parent_id, fork_session_id, slug, directory, title, version, ${TIMES}`,
  session_message: `id PRIMARY KEY, session_id, type, seq, ${TIMES}, data`,
};

function messageId(n: number, nth: number): string {
  return `msg_${String(n * 10 + nth).padStart(6, "0")}tide`;
}

function partedTurn(word: string, n: number): readonly Row[] {
  const time = START + n * 60_000;
  const row = { session_id: SESSION, time_created: time, time_updated: time };
  const [asked, answered] = [messageId(n, 1), messageId(n, 2)];
  const part = (id: string, message: string, data: Row) => ({ table: "part", id, message_id: message, ...row, data });
  return [
    {
      ...{ table: "message", id: asked, ...row },
      data: { role: "user", time: { created: time }, agent: "build", model: MODEL },
    },
    part(`prt_${asked}`, asked, { type: "text", text: word }),
    {
      ...{ table: "message", id: answered, ...row, time_created: time + 1_000 },
      data: {
        ...{ role: "assistant", time: { created: time + 1_000, completed: time + 2_000 }, parentID: asked, ...MODEL },
        ...{ mode: "build", path: { cwd: CWD, root: CWD }, cost: 0.01, tokens: TOKENS, finish: "stop" },
      },
    },
    part(`prt_${answered}`, answered, { type: "text", text: `${word} it is`, time: { start: time + 1_000 } }),
  ];
}

/** Columns have neither types nor bounds, so that broken rows can be written as well. */
function saveDatabase(path: string, tables: Readonly<Record<string, string>>, records: readonly object[]): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const open = new Database(path);
  for (const [name, columns] of Object.entries(tables)) open.exec(`CREATE TABLE ${name} (${columns})`);
  for (const { table, ...row } of placed(records, "message" in tables)) {
    const columns = tables[table]?.split(", ").map((column) => column.split(" ")[0] ?? "") ?? [];
    const values = columns.map((column) => cellOf(row[column]));
    open.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`).run(...values);
  }
  open.close();
}

/** Writes the tree anew. A part is written below its message, whatever that is called. */
function saveTree(path: string, records: readonly object[]): void {
  const storage = dirname(dirname(dirname(path)));
  for (const folder of ["message", "part"]) rmSync(join(storage, folder), { recursive: true, force: true });
  for (const { table, id, message_id, time_created, time_updated, session_id, seq, data, ...session } of placed(
    records,
    true,
  )) {
    const name = `${typeof id === "string" ? id : `unnamed_${String(seq)}`}.json`;
    const file = { ...(typeof id === "string" && { id }), ...(typeof data === "object" && data) };
    if (table === "session") write(path, { id, ...session });
    else if (table === "message") write(join(storage, "message", basename(path, ".json"), name), file);
    else write(join(storage, "part", String(message_id), name), file);
  }
}

function write(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

/** The rows with what a program always writes: an order, a time, and a time of the session that tells of each change. */
function placed(records: readonly object[], isParted: boolean): readonly (Row & { readonly table: string })[] {
  let message: unknown;
  let time: unknown = START;
  const changedAt = START + checksum(JSON.stringify(records));
  return records.map((record, seq) => {
    const row: Row = { ...record };
    const isRow = typeof row.table === "string" || "session_id" in row || "message_id" in row;
    const table = tableOf(row, isParted);
    if (table === "message" && isRow) message = row.id;
    time = row.time_created ?? time;
    const own = isRow || table === "session_message" ? row : { data: row };
    const isSession = table.startsWith("session") && table !== "session_message";
    return {
      ...{ session_id: SESSION, time_created: time, time_updated: time },
      ...(!isRow && { id: `odd_${seq}`, message_id: message }),
      ...own,
      ...{ seq, table },
      ...(isSession && { time_updated: changedAt, time: { created: time, updated: changedAt } }),
    };
  });
}

function tableOf(row: Row, isParted: boolean): string {
  if (typeof row.table === "string") return row.table;
  return isParted ? "part" : "session_message";
}

function cellOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
}

function checksum(text: string): number {
  return Array.from(text).reduce((sum, character, at) => (sum + character.charCodeAt(0) * (at + 1)) % 1_000_003, 0);
}
