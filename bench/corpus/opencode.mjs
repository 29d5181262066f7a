import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { clockOf, plainCall } from "./stream.mjs";
import { hex } from "./text.mjs";

const TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);`;

/** OpenCode: one database with rows of sessions, messages and parts. @param {string} home @returns {import("./stream.mjs").AgentWriter} */
export function openCodeHistory(home) {
  const path = join(home, ".local", "share", "opencode", "opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.pragma("synchronous = OFF");
  database.exec(TABLES);
  const insert = (table, count) =>
    database.prepare(`INSERT INTO ${table} VALUES (${Array.from({ length: count }, () => "?").join(", ")})`);
  const [addSession, addMessage, addPart] = [insert("session", 9), insert("message", 5), insert("part", 6)];
  let number = 0;
  const idOf = (kind) => `${kind}_${String(++number).padStart(12, "0")}bench`;

  const add = ({ cwd, startedAt }, chance, turns) => {
    const clock = clockOf(chance, startedAt);
    const session = idOf("ses");
    const message = (role, data) => {
      const id = idOf("msg");
      clock.step();
      addMessage.run(
        id,
        session,
        clock.now,
        clock.now,
        JSON.stringify({ role, time: { created: clock.now }, ...data }),
      );
      return (part) => addPart.run(idOf("prt"), id, session, clock.now, clock.now, JSON.stringify(part));
    };
    const answer = (finish) =>
      message("assistant", {
        ...{ modelID: "claude-opus-4-5", providerID: "anthropic", mode: "build", path: { cwd, root: cwd }, finish },
        tokens: { input: chance.below(9_000), output: chance.below(900), reasoning: 0, cache: { read: 0, write: 0 } },
      });
    for (const { prompt, steps, answer: last } of turns) {
      message("user", { agent: "build" })({ type: "text", text: prompt });
      for (const { thinking, says, call, output, failed } of steps) {
        const part = answer("tool-calls");
        const time = { start: clock.now, end: clock.now + 900 };
        if (thinking) part({ type: "reasoning", text: thinking, time });
        if (says) part({ type: "text", text: says, time });
        const { name, input } = plainCall(call);
        const told = failed ? { status: "error", error: output } : { status: "completed", output, title: name };
        const state = { ...told, input, metadata: {}, time };
        part({ type: "tool", tool: name, callID: `call_${hex(chance, 20)}`, state });
      }
      answer("stop")({ type: "text", text: last, time: { start: clock.now } });
      clock.rest();
    }
    addSession.run(session, "global", null, "bench", cwd, "New session", "1.18.33", startedAt, clock.now);
  };
  return { add: database.transaction(add), close: () => database.close() };
}
