import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "../../src/store/sqlite/migrations/index.ts";
import { openForReading, openForWriting } from "../../src/store/sqlite/open.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { human, seed } from "../support/seed.ts";
import { PAGE } from "./store/opened-store.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-files-"));
  path = join(folder, "home", "yore.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): ReturnType<typeof openSqliteStore> => openSqliteStore(path, () => 0);
const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);

async function filled(): Promise<void> {
  const store = await open();
  const messages = Array.from({ length: 300 }, (_, at) => human(`message ${at} ${"word ".repeat(50)}`));
  await seed(store, { id: "s1", messages });
  await (await store.writer()).optimise();
  await store.close();
}

describe("the file of the store", () => {
  it("is for its owner alone, with all that stands beside it", async () => {
    const umask = process.umask(0);
    try {
      const store = await open();
      await seed(store, { id: "s1", messages: [human("a")] });
      const files = readdirSync(join(folder, "home"));
      expect(files.sort()).toEqual(["yore.db", "yore.db-shm", "yore.db-wal"]);
      expect(mode(join(folder, "home"))).toBe("700");
      for (const file of files) expect([file, mode(join(folder, "home", file))]).toEqual([file, "600"]);
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  it("leaves a folder that was there as it was", async () => {
    mkdirSync(join(folder, "home"));
    chmodSync(join(folder, "home"), 0o750);
    await (await open()).close();
    expect([mode(join(folder, "home")), mode(path)]).toEqual(["750", "600"]);
  });

  it("is made where there is an empty file", async () => {
    mkdirSync(join(folder, "home"));
    writeFileSync(path, "");
    const store = await open();
    expect(await store.figures.schema()).toBe(migrations.length);
    await store.close();
  });

  it("is not written to by who only reads", async () => {
    await filled();
    const before = readFileSync(path);
    const store = await open();
    await store.sessions.list({}, { subagents: true }, PAGE);
    await store.words.best({ clauses: [{ text: "word" }], places: ["prompt"] }, 9);
    await store.close();
    expect(readFileSync(path).equals(before)).toBe(true);
    const reading = openForReading(path);
    expect(() => reading.exec("DELETE FROM messages")).toThrow("readonly");
    reading.close();
  });

  it("cannot be opened for reading before it is there", () => {
    expect(() => openForReading(path)).toThrow(expect.objectContaining({ code: "not-found" }));
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a file that is no store of ours stays as it is", () => {
  it.each([
    [
      "is something else",
      () => writeFileSync(path, "not a database, whatever its name says".repeat(500)),
      "corrupt-store",
    ],
    ["has lost its header", () => overwrite(0, Buffer.alloc(64, 7)), "corrupt-store"],
    ["was written by a later version", () => setSchema(migrations.length + 1, "WAL"), "store-too-new"],
    [
      "was written by a later version, in another way",
      () => setSchema(migrations.length + 1, "DELETE"),
      "store-too-new",
    ],
  ])("%s", async (_, damage, code) => {
    await filled();
    damage();
    const before = readFileSync(path);
    await expect(open()).rejects.toMatchObject({ name: "YoreError", code, hint: expect.any(String) });
    expect(() => openForWriting(path)).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it.each([
    ["is damaged inside", () => overwrite(4_096, Buffer.alloc(statSync(path).size - 4_096, 7))],
    ["was cut", () => writeFileSync(path, readFileSync(path).subarray(0, 8_192))],
  ])("%s, which shows when it is read", async (_, damage) => {
    await filled();
    damage();
    const before = readFileSync(path);
    const reading = async (): Promise<unknown> => {
      const store = await open();
      try {
        return await store.observations.recent({ subagents: true }, PAGE);
      } finally {
        await store.close();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: "YoreError", code: "corrupt-store" });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("whose damage nothing has met yet is found by looking for it", async () => {
    await filled();
    const half = Math.floor(statSync(path).size / 8_192) * 4_096;
    overwrite(half, Buffer.alloc(4_096, 7));
    const store = await open();
    expect(await store.figures.integrity()).toMatchObject({ ok: false, detail: expect.any(String) });
    await store.close();
  });
});

describe("a place where no store can be", () => {
  it.each([
    ["is a folder", () => mkdirSync(path, { recursive: true })],
    ["is below a file", () => writeFileSync(join(folder, "home"), "x")],
    ["has a name too long", () => (path = join(folder, "x".repeat(300)))],
  ])("%s", async (_, make) => {
    make();
    await expect(open()).rejects.toMatchObject({ name: "YoreError", code: "unreadable" });
  });
});

it("a store can be moved along by a later version, once", async () => {
  mkdirSync(join(folder, "home"));
  const [first = ""] = migrations;
  const old = new Database(path);
  old.exec(first);
  old.pragma("user_version = 1");
  old.close();
  const store = await open();
  expect(await store.figures.schema()).toBe(migrations.length);
  await seed(store, { id: "s1", messages: [human("a")] });
  await store.close();
  const again = await open();
  expect((await again.sessions.list({}, { subagents: true }, PAGE)).total).toBe(1);
  await again.close();
});

function overwrite(at: number, bytes: Buffer): void {
  const file = readFileSync(path);
  bytes.copy(file, at);
  writeFileSync(path, file);
}

function setSchema(version: number, journal: string): void {
  const db = new Database(path);
  db.pragma(`user_version = ${version}`);
  db.pragma(`journal_mode = ${journal}`);
  db.close();
}
