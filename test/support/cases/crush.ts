import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { AgentCase } from "../agent-cases.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-000000000001";
const PATH = ".local/share/crush/crush.db";
const TWIN = "data/tide/crush.db";
const PROJECT = "/home/ana/code/tide";
const LIST = ".local/share/crush/projects.json";
const START = Date.parse("2026-03-02T09:00:00Z") / 1_000;
const SESSION_COLUMNS = ["id", "parent_session_id", "title", "created_at", "updated_at", "summary_message_id"];
const MESSAGE_COLUMNS = ["id", "session_id", "role", "parts", "model", "created_at", "updated_at", "finished_at"];

export const crush: AgentCase = {
  agent: "crush",
  format: "database",
  unit: "container",
  session: SESSION,
  path: PATH,
  twin: TWIN,
  variables: [
    { name: "CRUSH_GLOBAL_DATA", folder: ".local/share/crush" },
    { name: "XDG_DATA_HOME", folder: ".local/share" },
  ],
  head: [{ id: SESSION, title: "Tides", created_at: START, updated_at: START }],
  turn: (word, n) => {
    const time = START + n * 60;
    const text = (said: string) => ({ type: "text", data: { text: said } });
    return [
      { id: messageId(n, 1), role: "user", parts: [text(word)], created_at: time, updated_at: time },
      {
        id: messageId(n, 2),
        role: "assistant",
        parts: [text(`${word} it is`), { type: "finish", data: { reason: "end_turn", time: time + 1 } }],
        model: "claude-sonnet-4",
        created_at: time + 1,
        updated_at: time + 1,
        finished_at: time + 1,
      },
    ];
  },
  save,
};

function messageId(n: number, part: number): string {
  return `0a1b2c3d-0000-4000-8000-${String(n * 10 + part).padStart(12, "0")}`;
}

/** Columns have no type, no bounds and no keys, so that broken and repeated rows can be written as well. */
function save(path: string, [head = {}, ...messages]: readonly object[]): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec(`
    CREATE TABLE sessions (${SESSION_COLUMNS.join(", ")});
    CREATE TABLE messages (${MESSAGE_COLUMNS.join(", ")});
  `);
  insert(database, "sessions", SESSION_COLUMNS, { ...head });
  const id = "id" in head ? head.id : undefined;
  for (const message of messages) insert(database, "messages", MESSAGE_COLUMNS, { session_id: id, ...message });
  database.close();
  listProject(path);
}

function insert(database: Database.Database, table: string, columns: readonly string[], row: Record<string, unknown>) {
  const values = columns.map((name) => {
    const value = row[name];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
  });
  database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`).run(...values);
}

/** Crush writes down where its projects are. This one has its data elsewhere, as its settings may say. */
function listProject(path: string): void {
  if (!path.endsWith(TWIN)) return;
  const list = join(path.slice(0, -TWIN.length), LIST);
  mkdirSync(dirname(list), { recursive: true });
  writeFileSync(list, JSON.stringify({ projects: [{ path: PROJECT, data_dir: dirname(path) }] }));
}
