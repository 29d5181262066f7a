import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { AgentCase } from "../agent-cases.ts";

const SESSION = "20260302_1";
const TRANSCRIPT = "20250605_101500";
const START = Date.parse("2026-03-02T09:00:00Z") / 1_000;
const CWD = "/home/ana/code/tide";
const SESSION_COLUMNS = ["id", "name", "working_dir", "created_at", "updated_at", "session_type"];
const MESSAGE_COLUMNS = ["session_id", "message_id", "role", "content_json", "created_timestamp", "metadata_json"];

export const goose: AgentCase = {
  agent: "goose",
  format: "database",
  unit: "container",
  session: SESSION,
  path: ".local/share/goose/sessions/sessions.db",
  twin: ".config/goose/sessions/sessions.db",
  variables: [{ name: "XDG_DATA_HOME", folder: ".local/share" }],
  head: [
    {
      id: SESSION,
      name: "Tides",
      working_dir: CWD,
      created_at: "2026-03-02 09:00:00",
      updated_at: "2026-03-02 09:00:00",
      session_type: "user",
    },
  ],
  turn: (word, n) => {
    const row = (role: string, text: string, part: number) => ({
      message_id: `msg_${SESSION}_0a1b2c3d-0000-4000-8000-${String(n * 10 + part).padStart(12, "0")}`,
      role,
      content_json: [{ type: "text", text }],
      created_timestamp: START + n * 60 + part,
      metadata_json: { userVisible: true, agentVisible: true },
    });
    return [row("user", word, 0), row("assistant", `${word} it is`, 1)];
  },
  save,
};

export const gooseTranscript: AgentCase = {
  agent: "goose",
  format: "transcript",
  unit: "log",
  session: TRANSCRIPT,
  path: `.local/share/goose/sessions/${TRANSCRIPT}.jsonl`,
  twin: `.config/goose/sessions/${TRANSCRIPT}.jsonl`,
  variables: [{ name: "XDG_DATA_HOME", folder: ".local/share" }],
  head: [{ working_dir: CWD, description: "Tides", message_count: 6, total_tokens: 10 }],
  turn: (word, n) => {
    const line = (role: string, text: string, second: number) => ({
      id: null,
      role,
      created: START + n * 60 + second,
      content: [{ type: "text", text }],
    });
    return [line("user", word, 0), line("assistant", `${word} it is`, 1)];
  },
};

/** Columns have no type and no bounds, so that broken rows can be written as well. */
function save(path: string, [head = {}, ...messages]: readonly object[]): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec(`
    CREATE TABLE sessions (${SESSION_COLUMNS.join(", ")});
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, ${MESSAGE_COLUMNS.join(", ")});
  `);
  insert(database, "sessions", SESSION_COLUMNS, { ...head });
  const id = "id" in head ? head.id : undefined;
  for (const message of messages) insert(database, "messages", MESSAGE_COLUMNS, { session_id: id, ...message });
  database.close();
}

function insert(database: Database.Database, table: string, columns: readonly string[], row: Record<string, unknown>) {
  const values = columns.map((name) => {
    const value = row[name];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);
  });
  const places = columns.map(() => "?").join(", ");
  database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`).run(...values);
}
