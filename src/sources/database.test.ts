import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseSidecars, type ForeignDatabase, openDatabase } from "./database.ts";

let folder: string;
let path: string;
const writers: Database.Database[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreign-"));
  // Signs that mean something in an address.
  path = join(folder, "a b#c?d%20.db");
});

afterEach(() => {
  for (const writer of writers.splice(0)) writer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("openDatabase", () => {
  it.each(["delete", "wal"])("reads one in mode %s that was closed, and leaves nothing beside it", (mode) => {
    write(mode, "one", "two").close();
    const before = snapshot();
    expect(names(path)).toEqual(["one", "two"]);
    expect(snapshot()).toEqual(before);
  });

  it("reads a large one in mode wal that was closed, from a copy", () => {
    const writer = write("wal");
    for (let n = 0; n < 90; n += 1) add(writer, `${n} ${"x".repeat(100_000)}`);
    writer.close();
    const before = readdirSync(folder);
    expect(names(path)).toHaveLength(90);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("reads one in use with what stands in its log alone", () => {
    const writer = write("wal", "one");
    add(writer, "two");
    const before = readFileSync(path);
    expect(readFileSync(`${path}-wal`).length).toBeGreaterThan(0);
    expect(names(path)).toEqual(["one", "two"]);
    expect(readFileSync(path)).toEqual(before);
  });

  it("reads one in use whose log was just emptied, and what is written while it is open", () => {
    const writer = write("wal", "one");
    writer.pragma("wal_checkpoint(TRUNCATE)");
    const database = openDatabase(path);
    add(writer, "two");
    expect(namesIn(database)).toEqual(["one", "two"]);
    database.close();
  });

  it("reads a log that was left without its shared memory, from a copy", () => {
    add(write("wal", "one"), "two");
    const left = leave("-wal");
    const before = snapshot();
    expect(names(left)).toEqual(["one", "two"]);
    expect(snapshot()).toEqual(before);
    expect(copies()).toEqual([]);
  });

  it.each(["after a word", "after the log was emptied"])(
    "reads what a killed process left with log and shared memory, and leaves it as it is: %s",
    (when) => {
      const writer = write("wal", "one");
      add(writer, "two");
      if (when !== "after a word") writer.pragma("wal_checkpoint(TRUNCATE)");
      const left = leave("-wal", "-shm");
      const before = snapshot();
      expect(names(left)).toEqual(["one", "two"]);
      expect(snapshot()).toEqual(before);
    },
  );

  it("reads what another process goes on writing to, as of one moment", async () => {
    write("wal", "one").close();
    const writer = await writeElsewhere(path);
    let last = 0;
    for (let n = 0; n < 20; n += 1) {
      await writer.next();
      const found = names(path).slice(1).map(Number);
      expect(found).toEqual(found.map((_, place) => place));
      expect(found.length).toBeGreaterThan(last);
      last = found.length;
    }
    await writer.kill();
    const before = snapshot();
    expect(names(path).length).toBeGreaterThanOrEqual(last + 1);
    expect(snapshot()).toEqual(before);
  });

  it("keeps no copy where it could stay when this process is killed", () => {
    add(write("wal", "one"), "two");
    const left = leave("-wal");
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith(`yore-${process.pid}-`));
    const database = openDatabase(left);
    if (process.platform !== "win32")
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`yore-${process.pid}-`))).toEqual(before);
    expect(namesIn(database)).toEqual(["one", "two"]);
    database.close();
  });

  it("reads what was there before a transaction that never ended, from a copy", () => {
    const writer = write("delete", "one");
    writer.pragma("cache_size = 1");
    writer.exec("BEGIN");
    // More than the cache holds, so that both file and journal are written.
    for (let n = 0; n < 200; n += 1) add(writer, `${n} ${"x".repeat(2_000)}`);
    const left = leave("-journal");
    const before = snapshot();
    expect(names(left)).toEqual(["one"]);
    expect(snapshot()).toEqual(before);
  });

  it("reads one in place that is being written to with a journal", () => {
    const writer = write("delete", "one");
    writer.exec("BEGIN IMMEDIATE");
    add(writer, "two");
    expect(existsSync(`${path}-journal`)).toBe(true);
    expect(names(path)).toEqual(["one"]);
  });

  it("says that one is locked, and reads it later", () => {
    const writer = write("delete", "one");
    writer.exec("BEGIN EXCLUSIVE");
    expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
    writer.exec("COMMIT");
    expect(names(path)).toEqual(["one"]);
  });

  it.each([
    ["text", Buffer.from("not a database, but long enough to hold the header of one ".repeat(20))],
    ["a header with nothing behind it", walHeader()],
    ["a header in the middle of noise", Buffer.concat([walHeader(), Buffer.alloc(4_000, 7)])],
  ])("throws over %s, and leaves it as it is", (_, bytes) => {
    writeFileSync(path, bytes);
    expect(() => openDatabase(path)).toThrow();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it.each(["gone.db", "folder"])("throws where there is no file: %s", (name) => {
    mkdirSync(join(folder, "folder"));
    expect(() => openDatabase(join(folder, name))).toThrow();
    expect(readdirSync(folder)).toEqual(["folder"]);
  });

  it("takes an empty file for a database without tables", () => {
    writeFileSync(path, "");
    const database = openDatabase(path);
    expect([...database.columns("said")]).toEqual([]);
    database.close();
  });

  it.each(["delete", "wal"])("cannot be written to in mode %s", (mode) => {
    write(mode, "one").close();
    const database = openDatabase(path);
    expect(() => database.row("INSERT INTO said VALUES ('two', NULL) RETURNING word")).toThrow(/readonly/);
    database.close();
  });
});

describe("an open database", () => {
  it.each(["delete", "wal"])("tells rows, a row and columns in mode %s", (mode) => {
    write(mode, "one", "two", "three").close();
    const database = openDatabase(path);
    expect([...database.columns("said")]).toEqual(["word", "bytes"]);
    expect(database.columns("heard").size).toBe(0);
    const sql = "SELECT word FROM said WHERE word = ?";
    expect(["one", "four", "two"].map((word) => database.row(sql, word)?.word)).toEqual(["one", undefined, "two"]);
    for (const { word } of database.rows("SELECT word FROM said ORDER BY rowid")) {
      expect(word).toBe("one");
      // Another question may be asked meanwhile.
      expect(database.row(sql, "three")?.word).toBe("three");
      break;
    }
    expect([...database.rows("SELECT word FROM said WHERE word >= ?", "t")]).toHaveLength(2);
    database.close();
  });
});

describe("databaseSidecars", () => {
  it("names the log", () => expect(databaseSidecars("/h/a.db")).toEqual(["/h/a.db-wal"]));
});

function write(mode: string, ...words: readonly string[]): Database.Database {
  const writer = new Database(path);
  writers.push(writer);
  writer.pragma(`journal_mode = ${mode}`);
  writer.exec("CREATE TABLE said (word TEXT, bytes BLOB)");
  for (const word of words) add(writer, word);
  return writer;
}

function add(writer: Database.Database, word: string): void {
  writer.prepare("INSERT INTO said VALUES (?, NULL)").run(word);
}

/** What a process leaves that ended without closing the database: it and its log or journal, in a folder of their own. */
function leave(...suffixes: readonly string[]): string {
  const left = join(folder, "left");
  mkdirSync(left);
  for (const end of ["", ...suffixes]) copyFileSync(path + end, join(left, `a.db${end}`));
  for (const writer of writers.splice(0)) writer.close();
  return join(left, "a.db");
}

/** A process that writes numbers, one more each time that it is asked, with the log emptied now and then. */
async function writeElsewhere(at: string): Promise<{ next(): Promise<void>; kill(): Promise<void> }> {
  const library = fileURLToPath(import.meta.resolve("better-sqlite3"));
  const script = `
    const database = new (require(${JSON.stringify(library)}))(${JSON.stringify(at)});
    let n = 0;
    process.stdin.on("data", () => {
      database.prepare("INSERT INTO said VALUES (?, zeroblob(20000))").run(String(n++));
      if (n % 5 === 0) database.pragma("wal_checkpoint(RESTART)");
      process.stdout.write("written\\n");
    });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  return {
    next: async () => {
      child.stdin.write("next");
      await once(child.stdout, "data");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function names(at: string): unknown[] {
  const before = copies();
  const database = openDatabase(at);
  try {
    return namesIn(database);
  } finally {
    database.close();
    expect(copies()).toEqual(before);
  }
}

function namesIn(database: ForeignDatabase): unknown[] {
  return [...database.rows("SELECT word FROM said ORDER BY rowid")].map(({ word }) => word);
}

/** Copies of databases that were made here and are still there. */
function copies(): string[] {
  return readdirSync(tmpdir(), { recursive: false, encoding: "utf8" }).filter(
    (name) => name.startsWith("yore-") && existsSync(join(tmpdir(), name, "a.db")),
  );
}

function snapshot(): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString("base64")]),
  );
}

/** The beginning of a database in write-ahead mode. */
function walHeader(): Buffer {
  const header = Buffer.alloc(100);
  header.write("SQLite format 3\0", "latin1");
  header[18] = 2;
  header[19] = 2;
  return header;
}
