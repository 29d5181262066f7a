import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { messagesIn, readParts } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { readRoot } from "./chat-root.ts";
import { cursor } from "./source.ts";

let user: string;
let editor: Database.Database;

beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "cursor-user-"));
  editor = create("globalStorage/state.vscdb");
  compose("c1", { name: "Tides" }, { b1: bubble(1, "ask"), b2: bubble(2, "told") });
  compose("c2", {}, { b1: bubble(1, "ask") });
});

afterEach(() => {
  editor.close();
  rmSync(user, { recursive: true, force: true });
});

describe("the revision of a composer", () => {
  it("is another one when anything of it was written, and of no other", () => {
    const changes: readonly (readonly [string, () => void])[] = [
      ["a bubble of the same length", () => put("bubbleId:c1:b2", bubble(2, "TOLD"))],
      ["a new bubble", () => put("bubbleId:c1:b3", bubble(2, "more"))],
      ["a bubble that is emptied", () => put("bubbleId:c1:b3", null)],
      ["a bubble that is gone", () => editor.exec("DELETE FROM cursorDiskKV WHERE key = 'bubbleId:c1:b1'")],
      ["the composer itself", () => compose("c1", { name: "Waves" }, {})],
      ["its name in the list", () => list({ composerId: "c1", name: "Shores" })],
    ];
    for (const [what, change] of changes) {
      const before = revisions();
      expect(revisions(), what).toEqual(before);
      change();
      const after = revisions();
      expect(after.c1, what).not.toBe(before.c1);
      expect(after.c2, what).toBe(before.c2);
    }
  });

  it("is told without reading a value", () => {
    put("bubbleId:c1:b2", "{");
    put("composerData:c3", "{");
    expect(Object.keys(revisions())).toEqual(["c1", "c2", "c3"]);
  });
});

describe("a composer", () => {
  it("is read while the editor is writing, and nothing is left beside", () => {
    editor.pragma("journal_mode = WAL");
    put("bubbleId:c1:b2", bubble(2, "from the log"));
    const before = readdirSync(join(user, "globalStorage"));
    expect(texts("c1")).toEqual(["ask", "from the log"]);
    expect(readdirSync(join(user, "globalStorage"))).toEqual(before);
  });

  it("keeps to its own bubbles where another's id begins like its own", () => {
    compose("c1:x", {}, { b9: bubble(1, "other") });
    compose("c10", {}, { b9: bubble(1, "another") });
    expect(texts("c1")).toEqual(["ask", "told"]);
  });

  it("has texts of megabytes cut, and the rest is read", () => {
    put("bubbleId:c1:b1", bubble(1, "x".repeat(3_000_000)));
    const [first, second] = texts("c1");
    expect(first?.replaceAll(/x+/g, (run) => String(run.length))).toBe("750000\n[…cut 2000000 characters…]\n250000");
    expect(second).toBe("told");
  });

  it("is read part by part, in any order, from one opening", () => {
    const container = cursor.open?.(global());
    const parts = [...(container?.parts() ?? [])].flatMap((part) => ("name" in part ? [part] : []));
    const records = parts.toReversed().map((part) => [...(container?.records(part) ?? [])].length);
    container?.close();
    expect(records).toEqual([2, 3]);
  });

  it("belongs to the folder of the workspace whose database lists it", () => {
    writeFileSync(join(folder("workspaceStorage/w0"), "state.vscdb"), "no database");
    writeFileSync(join(folder("workspaceStorage/w0"), "workspace.json"), '{"folder":"file:///home/ana/broken"}');
    const workspace = create("workspaceStorage/w1/state.vscdb");
    const heads = JSON.stringify({ allComposers: [{ composerId: "c1" }, null, { composerId: 7 }] });
    workspace.prepare("INSERT INTO ItemTable VALUES ('composer.composerData', ?)").run(heads);
    workspace.close();
    writeFileSync(join(user, "workspaceStorage/w1/workspace.json"), '{"folder":"file:///home/ana/tide"}');
    expect(cwds()).toEqual({ c1: "/home/ana/tide", c2: undefined });
  });

  it.each([
    ["its own workspace", { workspaceIdentifier: { id: "w1", uri: { fsPath: "/home/ana/own" } } }, {}, "/home/ana/own"],
    ["the list of composers", {}, { workspaceIdentifier: { uri: "file:///home/ana/listed" } }, "/home/ana/listed"],
    ["the workspace it names", { workspaceIdentifier: { id: "w1" } }, {}, "/home/ana/shop"],
    ["a prompt", {}, {}, "/home/ana/prompt"],
  ])("belongs to the folder of %s", (_, composer, head, cwd) => {
    writeFileSync(join(folder("workspaceStorage/w1"), "workspace.json"), '{"folder":"file:///home/ana/shop"}');
    const prompt = { ...bubble(1, "ask"), workspaceUris: ["file:///home/ana/prompt"] };
    compose("c1", composer, { b1: prompt });
    list({ composerId: "c1", ...head });
    expect(cwds().c1).toBe(cwd);
  });
});

describe("a database", () => {
  it.each(["state.vscdb", "store.db"])("that is none throws: %s", (name) => {
    const path = join(folder("chats/s1"), name);
    writeFileSync(path, "no database, whatever it is called, and however long it may be ".repeat(50));
    expect(() => cursor.open?.({ path, unit: "container" })).toThrow();
  });

  it.each(["state.vscdb", "store.db"])("of another generation is not taken for an empty one: %s", (name) => {
    const path = join(folder("chats/s1"), name);
    const database = new Database(path);
    database.exec("VACUUM");
    expect(readParts(cursor, { path, unit: "container" })).toEqual([]);
    database.exec("CREATE TABLE other (key TEXT)").close();
    expect(() => readParts(cursor, { path, unit: "container" })).toThrow("has tables that are not understood");
  });
});

describe("a text", () => {
  it("is one part, which is another when the file is", () => {
    const path = join(folder("projects/a/agent-transcripts"), "s1.txt");
    const revision = () => readParts(cursor, { path, unit: "container" }).map(({ part }) => part.revision);
    writeFileSync(path, "user:\nhello\n");
    const first = revision();
    expect(revision()).toEqual(first);
    utimesSync(path, statSync(path).atime, new Date(0));
    expect(revision()).not.toEqual(first);
  });
});

describe("readRoot", () => {
  const hash = "ab".repeat(32);
  const child = (hex = hash) => Buffer.concat([Buffer.from([0x0a, 0x20]), Buffer.from(hex, "hex")]);
  const folderField = Buffer.concat([Buffer.from([0x4a, 0x0b]), Buffer.from("file:///a/b")]);
  it.each([
    ["nothing", Buffer.alloc(0), { messages: [] }],
    [
      "messages and a folder",
      Buffer.concat([child(), child(), folderField]),
      { messages: [hash, hash], workspace: "file:///a/b" },
    ],
    [
      "other fields",
      Buffer.from([0x10, 0x96, 0x01, 0x19, ...Array(8).fill(1), 0x25, 1, 1, 1, 1, 0x12, 1, 65]),
      { messages: [] },
    ],
    ["a hash within another field", Buffer.concat([Buffer.from([0x1a, 0x22]), child()]), { messages: [] }],
    ["an end that is missing", Buffer.concat([child(), Buffer.from([0x0a, 0x20, 1, 2])]), { messages: [hash] }],
    [
      "a length without end",
      Buffer.concat([child(), Buffer.from([0x0a, ...Array(12).fill(0xff)])]),
      { messages: [hash] },
    ],
    ["noise", Buffer.from("not what was expected"), { messages: [] }],
  ])("of %s", (_, bytes, root) => {
    expect(readRoot(bytes)).toEqual(root);
  });
});

function create(path: string): Database.Database {
  folder(dirname(path));
  const database = new Database(join(user, path));
  for (const table of ["ItemTable", "cursorDiskKV"]) {
    database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
  }
  return database;
}

function put(key: string, value: object | string | null): void {
  const text = value === null || typeof value === "string" ? value : JSON.stringify(value);
  editor.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run(key, text);
}

function compose(id: string, fields: object, bubbles: Readonly<Record<string, object>>): void {
  const fullConversationHeadersOnly = Object.keys(bubbles).map((bubbleId) => ({ bubbleId }));
  put(`composerData:${id}`, { composerId: id, ...fields, fullConversationHeadersOnly });
  for (const [name, value] of Object.entries(bubbles)) put(`bubbleId:${id}:${name}`, value);
}

function list(head: object): void {
  const text = JSON.stringify({ allComposers: [head] });
  editor.prepare("INSERT INTO ItemTable VALUES ('composer.composerHeaders', ?)").run(text);
}

function bubble(type: number, text: string): object {
  return { type, text };
}

function folder(path: string): string {
  mkdirSync(join(user, path), { recursive: true });
  return join(user, path);
}

function global(): FoundFile {
  return { path: join(user, "globalStorage/state.vscdb"), unit: "container" };
}

function revisions(): Record<string, string> {
  return Object.fromEntries(readParts(cursor, global()).map(({ part }) => [part.name, part.revision]));
}

function texts(session: string): string[] {
  return readParts(cursor, global())
    .filter((part) => part.session === session)
    .flatMap(({ items }) => messagesIn(items).map(({ text }) => text));
}

function cwds(): Record<string, string | undefined> {
  return Object.fromEntries(
    readParts(cursor, global()).map(({ session, items }) => [
      session,
      items.flatMap((item) => (item.kind === "session" ? [item.cwd] : []))[0],
    ]),
  );
}
