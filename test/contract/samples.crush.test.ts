import { cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { crush } from "../../src/sources/crush/source.ts";
import type { FoundFile } from "../../src/sources/source.ts";
import { environmentOf, messagesIn, readParts } from "../support/read-items.ts";
import { count, kindOf, SAMPLES_HOME } from "../support/samples.ts";

/**
 * A real database of Crush of which all rows are in the write-ahead log, counted here by SQL that shares nothing with
 * the source.
 */
const PROJECT = `${SAMPLES_HOME}/crush-project-wal-only`;
const isHere = existsSync(`${PROJECT}/.crush/crush.db`);
const reason = isHere ? "" : " (not run: ../shared/samples/home/crush-project-wal-only is not on this machine)";

describe(`Crush sample${reason}`, () => {
  // A database in use by an agent is read in place; this one nobody uses, and it must stay as it is.
  const project = isHere ? realpathSync(mkdtempSync(join(tmpdir(), "crush-sample-"))) : "";
  if (isHere) cpSync(PROJECT, project, { recursive: true });
  const environment = environmentOf("/nowhere", { workFolders: [project] });
  const files = [...crush.find(environment)].filter((entry): entry is FoundFile => "unit" in entry);
  const read = files.flatMap((file) => readParts(crush, file));
  const items = read.flatMap((part) => part.items);
  const messages = messagesIn(items);
  afterAll(() => {
    if (project !== "") rmSync(project, { recursive: true, force: true });
  });

  it.skipIf(!isHere)("is found by the folder worked in", () => {
    expect(files.map(({ path }) => path)).toEqual([`${project}/.crush/crush.db`]);
    expect(read.map(({ session }) => session)).toEqual(rows("SELECT id FROM sessions").map(({ id }) => id));
  });

  it.skipIf(!isHere)("yields one item for each part of a message that says something", () => {
    const parts = rows(
      `SELECT role || ' ' || json_extract(value, '$.type') AS kind, count(*) AS n
       FROM messages, json_each(parts) GROUP BY kind`,
    );
    expect(Object.fromEntries(parts.map(({ kind, n }) => [kind, n]))).toEqual({
      "user text": 3,
      "user finish": 3,
      "assistant text": 3,
      "assistant tool_call": 14,
      "assistant finish": 17,
      "tool tool_result": 14,
      "tool finish": 14,
    });
    expect(count(items.map(kindOf))).toEqual({
      session: 1,
      title: 1,
      "human/text": 3,
      "assistant/text": 3,
      "tool/call": 14,
      "tool/result": 14,
    });
  });

  it.skipIf(!isHere)("yields what was said word for word, in order, at the second it was said", () => {
    const said = rows(
      `SELECT role, json_extract(value, '$.data.text') AS text, created_at AS at
       FROM messages, json_each(parts) WHERE json_extract(value, '$.type') = 'text' ORDER BY messages.rowid`,
    );
    const told = messages.filter(({ part }) => part === "text").map(({ role, text, at }) => ({ role, text, at }));
    expect(told).toEqual(
      said.map(({ role, text, at }) => ({
        role: role === "user" ? "human" : role,
        text: String(text).trim(),
        at: Number(at) * 1_000,
      })),
    );
  });

  it.skipIf(!isHere)(
    "joins every result to its call, and names the files of a call and the results that failed",
    () => {
      const ids = rows(
        `SELECT json_extract(value, '$.data.id') AS id FROM messages, json_each(parts)
       WHERE json_extract(value, '$.type') = 'tool_call' ORDER BY messages.rowid`,
      ).map(({ id }) => id);
      const calls = messages.filter(({ part }) => part === "call");
      expect(calls.map(({ tool }) => tool?.callId)).toEqual(ids);
      const results = messages.filter(({ part }) => part === "result");
      expect(results.map(({ tool }) => [tool?.callId, tool?.name])).toEqual(
        calls.map(({ tool }) => [tool?.callId, tool?.name]),
      );
      const paths = rows(
        `SELECT json_extract(json_extract(value, '$.data.input'), '$.file_path') AS path FROM messages, json_each(parts)
       WHERE json_extract(value, '$.type') = 'tool_call' ORDER BY messages.rowid`,
      ).flatMap(({ path }) => path ?? []);
      expect(calls.flatMap(({ tool }) => tool?.files ?? []).map(({ path }) => path)).toEqual(paths);
      const failed = rows(
        `SELECT count(*) AS n FROM messages, json_each(parts) WHERE json_extract(value, '$.data.is_error') = 1`,
      );
      expect(messages.filter(({ tool }) => tool?.isError === true)).toHaveLength(Number(failed[0]?.n));
      expect(Number(failed[0]?.n)).toBe(1);
    },
  );

  it.skipIf(!isHere)("tells the folder worked in, the title and when it was begun", () => {
    const [session] = rows("SELECT title, created_at AS at FROM sessions");
    expect(items.filter(({ kind }) => kind === "session" || kind === "title")).toEqual([
      { kind: "session", cwd: project, startedAt: Number(session?.at) * 1_000 },
      { kind: "title", title: "generated", text: session?.title },
    ]);
  });

  it.skipIf(!isHere)("names each message once and adds no file", () => {
    expect(new Set(messages.map(({ nativeId }) => nativeId)).size).toBe(messages.length);
    expect(readdirSync(`${project}/.crush`).sort()).toEqual(readdirSync(`${PROJECT}/.crush`).sort());
  });

  /** Of a copy of its own, since a database that is opened otherwise than the source does is changed by it. */
  function rows(sql: string): readonly Record<string, unknown>[] {
    const copy = mkdtempSync(join(tmpdir(), "crush-sample-"));
    try {
      cpSync(`${PROJECT}/.crush`, copy, { recursive: true });
      const database = new Database(join(copy, "crush.db"));
      const all = database.prepare<[], Record<string, unknown>>(sql).all();
      database.close();
      return all;
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
});
