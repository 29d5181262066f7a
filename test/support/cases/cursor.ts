import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { AgentCase } from "../agent-cases.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-0000000000c5";
const FOLDER = "home-ana-code-tide";

/** The editor's global database with one composer in it. */
export const cursorState: AgentCase = {
  agent: "cursor",
  format: "global database",
  unit: "container",
  session: SESSION,
  path: ".config/Cursor/User/globalStorage/state.vscdb",
  twin: ".cursor-server/data/User/globalStorage/state.vscdb",
  variables: [{ name: "XDG_CONFIG_HOME", folder: ".config" }],
  head: [
    {
      _v: 16,
      composerId: SESSION,
      name: "Tides",
      createdAt: minute(0),
      modelConfig: { modelName: "composer-1" },
      workspaceIdentifier: { id: "w1", uri: "file:///home/ana/code/tide" },
    },
  ],
  turn: (word, n) => [
    { _v: 3, type: 1, bubbleId: bubbleId(n, 1), text: word, createdAt: new Date(minute(n)).toISOString() },
    {
      _v: 3,
      type: 2,
      bubbleId: bubbleId(n, 2),
      text: `${word} it is`,
      createdAt: new Date(minute(n) + 1_000).toISOString(),
      tokenCount: { inputTokens: 3, outputTokens: 7 },
    },
  ],
  save: saveComposer,
};

/** What the agent keeps beside: neither ids nor times. */
export const cursorTranscript: AgentCase = {
  agent: "cursor",
  format: "transcript",
  unit: "lines",
  session: SESSION,
  path: `.cursor/projects/${FOLDER}/agent-transcripts/${SESSION}/${SESSION}.jsonl`,
  twin: `.cursor/projects/home-ana-code-shop/agent-transcripts/${SESSION}.jsonl`,
  variables: [{ name: "CURSOR_CONFIG_DIR", folder: ".cursor", isFurther: true }],
  head: [{ type: "turn_ended", status: "success" }],
  turn: (word) => [
    said("user", `<user_query>\n${word}\n</user_query>`),
    said("assistant", `${word} it is`),
    { type: "turn_ended", status: "success" },
  ],
  hasNoIds: true,
};

function saveComposer(path: string, records: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = new Database(path);
  for (const table of ["ItemTable", "cursorDiskKV"]) {
    database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  }
  const [head = {}, ...bubbles] = records;
  const named = bubbles.map((bubble, index) => ({ bubbleId: `b${index}`, ...bubble }));
  const headers = named.map(({ bubbleId }) => ({ bubbleId }));
  const insert = database.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");
  database.transaction(() => {
    insert.run(`composerData:${SESSION}`, JSON.stringify({ ...head, fullConversationHeadersOnly: headers }));
    for (const bubble of named) insert.run(`bubbleId:${SESSION}:${bubble.bubbleId}`, JSON.stringify(bubble));
  })();
  database.close();
}

function said(role: string, text: string): object {
  return { role, message: { content: [{ type: "text", text }] } };
}

function bubbleId(n: number, part: number): string {
  return `b0b00000-0000-4000-8000-${String(n * 10 + part).padStart(12, "0")}`;
}

function minute(n: number): number {
  return Date.parse("2026-03-02T09:00:00Z") + n * 60_000;
}
