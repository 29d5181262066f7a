import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { AgentCase } from "../agent-cases.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-000000000001";
const STARTED = "2026-03-02T09:00:00+00:00";
const COLUMNS = ["id", "summary", "updated_at", "created_at", "folder_paths", "folder_paths_order"];
const VARIABLES = ["XDG_DATA_HOME", "FLATPAK_XDG_DATA_HOME"].map((name) => ({ name, folder: ".local/share" }));

export const zed: AgentCase = {
  agent: "zed",
  format: "threads",
  unit: "container",
  session: SESSION,
  path: ".local/share/zed/threads/threads.db",
  twin: ".var/app/dev.zed.Zed/data/zed/threads/threads.db",
  variables: VARIABLES,
  head: [
    {
      id: SESSION,
      summary: "Tides",
      updated_at: STARTED,
      created_at: STARTED,
      folder_paths: "/home/ana/code/tide",
      folder_paths_order: "0",
      version: "0.3.0",
      title: "Tides",
      cumulative_token_usage: { input_tokens: 3, output_tokens: 7 },
    },
  ],
  turn: (word, n) => [
    {
      User: {
        id: `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, "0")}`,
        content: [{ Text: word }],
      },
    },
    { Agent: { content: [{ Text: `${word} it is` }], tool_results: {} } },
  ],
  save,
};

export const zedText: AgentCase = {
  agent: "zed",
  format: "text thread",
  unit: "document",
  session: SESSION,
  path: ".local/share/zed/conversations/Tides - 1.zed.json",
  twin: ".var/app/dev.zed.Zed/data/zed/conversations/Tides - 1.zed.json",
  variables: VARIABLES,
  head: [{ id: SESSION, zed: "context", version: "0.4.0", summary: "Tides" }],
  turn: (word, n) => [
    { id: { replica_id: 0, value: n * 10 }, role: "user", text: `${word}\n` },
    { id: { replica_id: 0, value: n * 10 + 1 }, role: "assistant", text: `${word} it is\n` },
  ],
  document: textThread,
};

/** Columns have no type and no bounds, so that broken rows can be written as well. */
function save(path: string, [head = {}, ...messages]: readonly object[]): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const row: Record<string, unknown> = { ...head };
  const thread = Object.entries(row).filter(([name]) => !COLUMNS.includes(name));
  const data = Buffer.from(JSON.stringify({ ...Object.fromEntries(thread), messages }));
  const database = new Database(path);
  database.exec(`CREATE TABLE threads (${COLUMNS.join(", ")}, data_type, data)`);
  const places = COLUMNS.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT INTO threads VALUES (${places}, 'json', ?)`);
  insert.run(...COLUMNS.map((name) => row[name] ?? null), data);
  database.close();
}

/** All words stand in one text; of each message it is told where it begins, in bytes. */
function textThread(head: object, records: readonly object[]): object {
  let text = "";
  const messages = records.map((record) => {
    const start = Buffer.byteLength(text);
    const { text: words, role, ...rest }: { text?: unknown; role?: unknown } = record;
    text += typeof words === "string" ? words : "";
    return { ...rest, start, metadata: { ...(role !== undefined && { role }), status: "Done" } };
  });
  return { ...head, text, messages };
}
