import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCodeCases } from "../../../test/support/cases/opencode.ts";
import { findFiles, messagesIn, readParts } from "../../../test/support/read-items.ts";
import type { FoundFile, FoundPart } from "../source.ts";
import { kilo, mimoCode, openCode } from "./source.ts";

const DATA = ".local/share/opencode";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "opencode-open-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.each(openCodeCases.map((one) => [`${one.agent}, ${one.format}`, one] as const))("%s", (_, agentCase) => {
  const source = [openCode, kilo, mimoCode].find(({ agent }) => agent === agentCase.agent) ?? openCode;
  const save = (...words: readonly string[]): void =>
    agentCase.save?.(join(home, agentCase.path), [
      ...agentCase.head,
      ...words.flatMap((word, n) => agentCase.turn(word, n)),
    ]);
  const read = () => findFiles(source, home).flatMap((file) => readParts(source, file));

  it("is one session with all that was said", () => {
    save("barnacle", "cormorant");
    expect(
      read().map(({ session, items }) => [session, messagesIn(items).map(({ role, text }) => `${role}: ${text}`)]),
    ).toEqual([
      [
        agentCase.session,
        ["human: barnacle", "assistant: barnacle it is", "human: cormorant", "assistant: cormorant it is"],
      ],
    ]);
    expect(read()[0]?.part).toMatchObject({ name: agentCase.session, createdAt: Date.parse("2026-03-02T09:00:00Z") });
  });

  it("has another revision when there is more in it, and else the same", () => {
    save("barnacle");
    const [before] = read().map(({ part }) => part.revision);
    expect(read().map(({ part }) => part.revision)).toEqual([before]);
    save("barnacle", "cormorant");
    expect(read().map(({ part }) => part.revision)).not.toEqual([before]);
  });
});

describe("a database's revision changes", () => {
  it.each([
    { what: "the title", sql: "UPDATE session SET title = 'Ebb', time_updated = time_updated + 1" },
    { what: "the last part, in place", sql: "UPDATE part SET time_updated = 9999999999999 WHERE id = 'prt_2'" },
    { what: "the last message, in place", sql: "UPDATE message SET time_updated = 9999999999999 WHERE id = 'msg_2'" },
    { what: "a message that was taken back", sql: "DELETE FROM message WHERE id = 'msg_1'" },
    { what: "a part that was taken back", sql: "DELETE FROM part WHERE id = 'prt_2'" },
    {
      what: "a part that was added",
      sql: "INSERT INTO part VALUES ('prt_3', 'msg_2', 'ses_1', 5, 5, '{}')",
    },
  ])("with $what", ({ sql }) => {
    const path = database(`
      CREATE TABLE session (id, directory, title, version, time_created, time_updated);
      CREATE TABLE message (id, session_id, time_created, time_updated, data);
      CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data);
      INSERT INTO session VALUES ('ses_1', '/d', 'Flood', '1', 1, 5);
      INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 2, '{"role":"user"}'), ('msg_2', 'ses_1', 2, 4, '{"role":"assistant"}');
      INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 3, '{}'), ('prt_2', 'msg_2', 'ses_1', 3, 5, '{}');
    `);
    const before = partsOf(path).map(({ revision }) => revision);
    const writer = new Database(path);
    writer.exec(sql);
    writer.close();
    const after = partsOf(path).map(({ revision }) => revision);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it("with a message of version 2 that is still written", () => {
    const path = database(`
      CREATE TABLE session_v2 (id, directory, title, version, time_created, time_updated);
      CREATE TABLE session_message (id, session_id, type, seq, time_created, time_updated, data);
      INSERT INTO session_v2 VALUES ('ses_1', '/d', NULL, '2', 1, 5);
      INSERT INTO session_message VALUES ('msg_1', 'ses_1', 'user', 1, 1, 1, '{}'), ('msg_2', 'ses_1', 'assistant', 2, 2, 2, '{}');
    `);
    const before = partsOf(path);
    const writer = new Database(path);
    writer.exec("UPDATE session_message SET time_updated = 9 WHERE id = 'msg_2'");
    writer.close();
    expect(partsOf(path)).toMatchObject([{ name: "ses_1", updatedAt: 9 }]);
    expect(partsOf(path)[0]?.revision).not.toBe(before[0]?.revision);
  });
});

describe("a database", () => {
  it("that has no table of its own yet is one without sessions", () => {
    expect(partsOf(database("CREATE TABLE __drizzle_migrations (id, hash)"))).toEqual([]);
  });

  it("that is none cannot be opened", () => {
    write(`${DATA}/opencode.db`, "not a database".repeat(100));
    expect(() => partsOf(join(home, DATA, "opencode.db"))).toThrow();
  });

  it.each([
    "CREATE TABLE session (id, body)",
    "CREATE TABLE thread (id, text)",
    "CREATE TABLE project (id); CREATE TABLE message (id, session_id, data)",
  ])("whose tables are others is not taken for an empty one: %s", (sql) => {
    const path = database(sql);
    expect(() => partsOf(path)).toThrow("has tables that are not understood");
  });

  it("tells a row that is too large as one that can't be read, and all others", () => {
    const path = database(`
      CREATE TABLE session_v2 (id, time_created, time_updated);
      CREATE TABLE session_message (id, session_id, type, seq, time_created, time_updated, data);
      INSERT INTO session_v2 VALUES ('ses_1', 1, 5);
      INSERT INTO session_message VALUES
        ('msg_1', 'ses_1', 'user', 1, 1, 1, '{"text":"' || printf('%.*c', 33000000, 'x') || '"}'),
        ('msg_2', 'ses_1', 'user', 2, 2, 2, '{"text":"high water?"}');
    `);
    const [read] = readParts(openCode, { path, unit: "container" });
    expect(read?.items).toEqual([
      { kind: "session", startedAt: 1_000 },
      { kind: "skip", reason: "malformed", detail: "session_message" },
      expect.objectContaining({ kind: "message", text: "high water?" }),
    ]);
  });
});

describe("a session in files", () => {
  const path = `${DATA}/storage/session/global/ses_1.json`;

  beforeEach(() => {
    write(path, '{"id":"ses_1","directory":"/d","time":{"created":1790000000000}}');
    write(`${DATA}/storage/message/ses_1/msg_1.json`, '{"id":"msg_1","role":"user"}');
    write(`${DATA}/storage/part/msg_1/prt_1.json`, '{"type":"text","text":"high water?"}');
  });

  it("has another revision when a part is written again", () => {
    const before = partsOf(join(home, path));
    appendFileSync(join(home, DATA, "storage/part/msg_1/prt_1.json"), " ");
    const after = partsOf(join(home, path));
    expect(after[0]?.revision).not.toBe(before[0]?.revision);
    expect(after[0]?.bytes).toBe((before[0]?.bytes ?? 0) + 1);
  });

  it.each(["", "{", "[1]", "null"])("of which the file holds %j is tried again later", (text) => {
    write(path, text);
    expect(() => partsOf(join(home, path))).toThrow("is no JSON object");
  });

  it("of which a message or a part is half written is read around it", () => {
    write(`${DATA}/storage/message/ses_1/msg_2.json`, '{"id":"msg_2","ro');
    write(`${DATA}/storage/part/msg_1/prt_2.json`, "");
    const [read] = readParts(openCode, { path: join(home, path), unit: "container" });
    expect(messagesIn(read?.items ?? []).map(({ text }) => text)).toEqual(["high water?"]);
    expect(read?.items.filter(({ kind }) => kind === "skip")).toHaveLength(2);
  });

  it("without messages is none", () => {
    rmSync(join(home, DATA, "storage/message"), { recursive: true });
    expect(partsOf(join(home, path))).toEqual([]);
  });

  it("is told by the database alone once one has it", () => {
    const moved = database(`
      CREATE TABLE session (id, time_created, time_updated);
      CREATE TABLE message (id, session_id, time_created, time_updated, data);
      CREATE TABLE part (id, message_id, session_id, time_created, time_updated, data);
      INSERT INTO session VALUES ('ses_1', 1, 1);
    `);
    expect(partsOf(join(home, path))).toHaveLength(1);
    const writer = new Database(moved);
    writer.exec("INSERT INTO message VALUES ('msg_1', 'ses_1', 1, 1, '{}')");
    writer.close();
    expect(partsOf(join(home, path))).toEqual([]);
    expect(partsOf(moved)).toHaveLength(1);
  });

  it("is told by the files while the database can't be read", () => {
    write(`${DATA}/opencode.db`, "not a database".repeat(100));
    expect(partsOf(join(home, path))).toHaveLength(1);
  });

  it("is not written to", () => {
    const before = [readFileSync(join(home, path), "utf8"), statSync(join(home, path)).mtimeMs];
    partsOf(join(home, path));
    expect([readFileSync(join(home, path), "utf8"), statSync(join(home, path)).mtimeMs]).toEqual(before);
  });
});

function partsOf(path: string): readonly FoundPart[] {
  const file: FoundFile = { path, unit: "container" };
  const container = openCode.open?.(file);
  if (container === undefined) return [];
  try {
    return [...container.parts()].filter((part): part is FoundPart => "revision" in part);
  } finally {
    container.close();
  }
}

function database(sql: string): string {
  const path = join(home, DATA, "opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  const writer = new Database(path);
  writer.exec(sql);
  writer.close();
  return path;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}
