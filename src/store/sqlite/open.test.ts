import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { YoreError } from "../../core/errors.ts";
import { openForWriting, translate } from "./open.ts";

const failure = (code: string): Error => Object.assign(new Error("text of SQLite"), { code });

describe("translate", () => {
  it.each([
    ["SQLITE_NOTADB", "corrupt-store"],
    ["SQLITE_CORRUPT", "corrupt-store"],
    ["SQLITE_CORRUPT_VTAB", "corrupt-store"],
    ["SQLITE_FULL", "disk-full"],
    ["ENOSPC", "disk-full"],
    ["SQLITE_BUSY", "busy"],
    ["SQLITE_BUSY_SNAPSHOT", "busy"],
    ["SQLITE_CANTOPEN", "unreadable"],
    ["SQLITE_CANTOPEN_ISDIR", "unreadable"],
    ["SQLITE_READONLY", "unreadable"],
    ["SQLITE_READONLY_DIRECTORY", "unreadable"],
    ["SQLITE_IOERR_READ", "unreadable"],
    ["EACCES", "unreadable"],
    ["ENOTDIR", "unreadable"],
  ])("%s is %s", (code, ours) => {
    const cause = failure(code);
    const translated = translate("/home/ana/.yore/yore.db", cause);
    expect(translated).toBeInstanceOf(YoreError);
    expect(translated).toMatchObject({ code: ours, cause, hint: expect.any(String) });
    expect(String(translated)).not.toContain("text of SQLite");
  });

  it.each([
    ["another failure of SQLite", failure("SQLITE_ERROR")],
    ["any other error", new TypeError("x")],
    ["our own", new YoreError("bad-input", "x")],
    ["what is no error", "x"],
  ])("leaves %s as it is", (_, error) => {
    expect(translate("/x", error)).toBe(error);
  });
});

describe("a database of another program", () => {
  it("is refused and left as it is", () => {
    const path = join(mkdtempSync(join(tmpdir(), "yore-foreign-")), "yore.db");
    const other = new Database(path);
    other.exec("CREATE TABLE notes (text TEXT)");
    other.close();
    const before = readFileSync(path);
    expect(() => openForWriting(path)).toThrow(/another program's data/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
