import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { generationOf, isOpenSomewhere } from "./database-use.ts";

describe("isOpenSomewhere", () => {
  it("tells a database that is open from files that a process left, where the system says so", () => {
    const { path, database } = open();
    const left = join(path, "..", "left.db");
    // Not a copy: to close the file here would give up this process's lock on it.
    for (const end of ["", "-wal", "-shm"]) writeFileSync(left + end, "");
    expect([isOpenSomewhere(path), isOpenSomewhere(left)]).toEqual(
      process.platform === "linux" ? [true, false] : [undefined, undefined],
    );
    database.close();
    expect(isOpenSomewhere(path)).toBe(false);
  });
});

describe("generationOf", () => {
  it.each([
    { what: "nothing", change: () => {}, isSame: true },
    { what: "a row in the log", change: (one: Database.Database) => add(one), isSame: true },
    { what: "the log written into it", change: (one: Database.Database) => one.pragma("wal_checkpoint"), isSame: true },
    {
      what: "a row after that",
      change: (one: Database.Database) => {
        one.pragma("wal_checkpoint(RESTART)");
        add(one);
      },
      isSame: false,
    },
    {
      what: "the log emptied",
      change: (one: Database.Database) => one.pragma("wal_checkpoint(TRUNCATE)"),
      isSame: false,
    },
    { what: "its end", change: (one: Database.Database) => one.close(), isSame: false },
  ])("with $what", ({ change, isSame }) => {
    const { path, database } = open();
    const before = generationOf(path);
    change(database);
    expect(generationOf(path) === before).toBe(isSame);
  });

  it("is another one where a closed database was written to", () => {
    const { path, database } = open();
    database.close();
    const before = generationOf(path);
    const again = new Database(path);
    add(again);
    again.close();
    expect(generationOf(path)).not.toBe(before);
  });
});

function open(): { readonly path: string; readonly database: Database.Database } {
  const folder = mkdtempSync(join(tmpdir(), "in-use-"));
  const path = join(folder, "a.db");
  const database = new Database(path);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE said (word TEXT)");
  return { path, database };
}

function add(database: Database.Database): void {
  database.exec(`INSERT INTO said VALUES ('${"x".repeat(5_000)}')`);
}
