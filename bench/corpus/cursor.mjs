import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { uuidOf } from "./claude-code.mjs";
import { clockOf, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

/** Cursor: one database with a value for each composer and each of its bubbles. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function cursorHistory(home) {
  const path = join(home, ".config", "Cursor", "User", "globalStorage", "state.vscdb");
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.pragma("synchronous = OFF");
  for (const table of ["ItemTable", "cursorDiskKV"])
    database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  const insert = database.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");

  const add = ({ session, cwd, branch, startedAt }, chance, turns) => {
    const clock = clockOf(chance, startedAt);
    const headers = [];
    const bubble = (type, fields) => {
      clock.step();
      const bubbleId = uuidOf(chance);
      headers.push({ bubbleId, type });
      const value = { _v: 3, type, bubbleId, text: "", createdAt: clock.iso(), ...fields };
      insert.run(`bubbleId:${session}:${bubbleId}`, JSON.stringify(value));
    };
    for (const { prompt, steps, answer } of turns) {
      bubble(1, { text: prompt });
      for (const { thinking, says, call, output, failed } of steps) {
        if (thinking) bubble(2, { thinking: { text: thinking, signature: "" } });
        if (says) bubble(2, { text: says });
        const { name, input } = plainCall(call);
        bubble(2, {
          toolFormerData: {
            ...{ tool: 1, name, toolCallId: `toolu_${hex(chance, 20)}`, status: failed ? "error" : "completed" },
            rawArgs: JSON.stringify(input),
            params: JSON.stringify(input),
            result: JSON.stringify({ output }),
          },
        });
      }
      const tokenCount = { inputTokens: chance.below(9_000), outputTokens: chance.below(900) };
      bubble(2, { text: answer, tokenCount });
      clock.rest();
    }
    const composer = {
      ...{ _v: 16, composerId: session, createdAt: startedAt, lastUpdatedAt: clock.now, createdOnBranch: branch },
      ...{ modelConfig: { modelName: "composer-1" }, workspaceIdentifier: { id: "w1", uri: `file://${cwd}` } },
      fullConversationHeadersOnly: headers,
    };
    insert.run(`composerData:${session}`, JSON.stringify(composer));
  };
  return { add: database.transaction(add), close: () => database.close() };
}
