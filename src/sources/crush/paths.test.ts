import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, readParts } from "../../../test/support/read-items.ts";
import type { FoundFile, SourceEnvironment } from "../source.ts";
import { crush } from "./source.ts";

const LIST = ".local/share/crush/projects.json";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "crush-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  const at = (more: Partial<SourceEnvironment>) => crush.roots(environmentOf("/home/ana", more))[0];

  it.each([
    { platform: "linux", variables: {}, root: "/home/ana/.local/share/crush" },
    { platform: "darwin", variables: {}, root: "/home/ana/.local/share/crush" },
    { platform: "win32", variables: {}, root: "/home/ana/AppData/Local/crush" },
    { platform: "win32", variables: { LOCALAPPDATA: "/local" }, root: "/local/crush" },
    { platform: "linux", variables: { XDG_DATA_HOME: "/data" }, root: "/data/crush" },
    { platform: "linux", variables: { XDG_DATA_HOME: "/data", CRUSH_GLOBAL_DATA: "/own" }, root: "/own" },
    {
      platform: "linux",
      variables: { XDG_DATA_HOME: "", CRUSH_GLOBAL_DATA: "" },
      root: "/home/ana/.local/share/crush",
    },
  ] as const)("on $platform with $variables begin with $root", ({ platform, variables, root }) => {
    expect(at({ platform, variables })).toBe(root);
  });
});

describe("find", () => {
  it("gives databases of Crush's folder, of projects in its list, of folders worked in, and of the home folder, each once", () => {
    list([
      { path: join(home, "b"), data_dir: join(home, "b/.crush") },
      { path: join(home, "c"), data_dir: "data" },
    ]);
    touch("a/.crush/crush.db", "b/.crush/crush.db", "c/data/crush.db", ".crush/crush.db", "d/.crush/crush.db");
    touch(".local/share/crush/crush.db");
    expect(found({ workFolders: [join(home, "a"), join(home, "b"), join(home, "gone")] })).toEqual([
      ".local/share/crush/crush.db",
      "b/.crush/crush.db",
      "c/data/crush.db",
      "a/.crush/crush.db",
      ".crush/crush.db",
    ]);
  });

  it("names the log and Crush's list as files beside a database", () => {
    touch(".crush/crush.db");
    const [file] = files();
    expect(file).toMatchObject({ unit: "container", beside: [join(home, ".crush/crush.db-wal"), join(home, LIST)] });
  });

  it.each([".crush/crush.db-wal", ".crush/logs/crush.log", ".crush/crush.db.bak", ".crush/old/crush.db"])(
    "passes over %s",
    (path) => {
      touch(path);
      expect(found()).toEqual([]);
    },
  );

  it.each(["{", "[]", "null", '{"projects":{}}', '{"projects":[null,1,{"data_dir":"x"},{"path":""}]}'])(
    "goes on where the list holds %s",
    (text) => {
      write(LIST, text);
      touch(".crush/crush.db");
      expect(found()).toEqual([".crush/crush.db"]);
    },
  );

  it("looks for the list where the environment says", () => {
    write(
      "own/projects.json",
      JSON.stringify({ projects: [{ path: join(home, "a"), data_dir: join(home, "a/.crush") }] }),
    );
    touch("a/.crush/crush.db");
    expect(found()).toEqual([]);
    expect(found({ variables: { CRUSH_GLOBAL_DATA: join(home, "own") } })).toEqual(["a/.crush/crush.db"]);
  });

  it("follows links and reports what it cannot look into", () => {
    touch("disk/crush.db");
    symlinkSync(join(home, "disk"), join(home, ".crush"));
    mkdirSync(join(home, "a"));
    symlinkSync(join(home, "a/.crush"), join(home, "a/.crush"));
    const entries = [...crush.find(environmentOf(home, { workFolders: [join(home, "a")] }))];
    expect(entries.map(({ path }) => relative(home, path))).toEqual(["disk/crush.db", "a/.crush"]);
    expect(entries[1]).toMatchObject({ problem: "cannot be read (ELOOP)" });
  });

  it("is empty, without a problem, where Crush was not used", () => {
    expect([...crush.find(environmentOf(home))]).toEqual([]);
  });
});

describe("open", () => {
  it("reads what stands in the log alone, and leaves nothing behind", () => {
    const writer = database(".crush/crush.db", "Tides");
    const file = { path: join(home, ".crush/crush.db"), unit: "container" } as const;
    expect(readParts(crush, file).map(({ part }) => part.name)).toEqual(["s1"]);
    const names = readdirSync(join(home, ".crush"));
    writer.close();
    expect(names).toEqual(["crush.db", "crush.db-shm", "crush.db-wal"]);
    expect(readParts(crush, file)).toHaveLength(1);
    expect(readdirSync(join(home, ".crush"))).toEqual(["crush.db"]);
  });

  it("gives a session another revision when a message grows within the second", () => {
    const writer = database(".crush/crush.db", "Tides");
    const file = { path: join(home, ".crush/crush.db"), unit: "container" } as const;
    const before = readParts(crush, file)[0]?.part.revision;
    writer.exec(`UPDATE messages SET parts = '[{"type":"text","data":{"text":"longer"}}]'`);
    writer.close();
    expect(readParts(crush, file)[0]?.part.revision).not.toBe(before);
  });

  it.each([
    { what: "of the folder that holds `.crush`", folder: "a/.crush", projects: [], cwd: "a" },
    { what: "of the project that keeps its data elsewhere", folder: "data", projects: ["b"], cwd: "b" },
    { what: "of no project, where several share the data", folder: "data", projects: ["b", "c"], cwd: undefined },
  ])("tells the folder worked in: $what", ({ folder, projects, cwd }) => {
    list(projects.map((name) => ({ path: join(home, name), data_dir: join(home, folder) })));
    database(`${folder}/crush.db`, "Tides").close();
    const [file] = files({ workFolders: [join(home, "a")] });
    const told = file === undefined ? [] : readParts(crush, file).flatMap(({ items }) => items);
    const [session] = told.flatMap((item) => (item.kind === "session" ? [item.cwd] : []));
    expect(session).toBe(cwd === undefined ? undefined : join(home, cwd));
  });

  it("of a database that was just made gives no sessions, and of one with other tables throws", () => {
    mkdirSync(join(home, ".crush"));
    const database = new Database(join(home, ".crush/crush.db"));
    const read = () => readParts(crush, { path: join(home, ".crush/crush.db"), unit: "container" });
    database.exec("CREATE TABLE goose_db_version (id INTEGER)");
    expect(read()).toEqual([]);
    database.exec("CREATE TABLE other (id TEXT)").close();
    expect(read).toThrow("has tables that are not understood");
  });

  it("of a file that is no database throws", () => {
    write(".crush/crush.db", "Killed: 9");
    expect(() => crush.open?.({ path: join(home, ".crush/crush.db"), unit: "container" })).toThrow("not a database");
  });
});

/** A database with one session, that is still open. */
function database(path: string, title: string): Database.Database {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  const database = new Database(join(home, path));
  database.pragma("journal_mode = WAL");
  database.exec(`
    CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, created_at INTEGER, updated_at INTEGER);
    CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, created_at INTEGER, updated_at INTEGER);
    INSERT INTO sessions VALUES ('s1', NULL, '${title}', 1772442000, 1772442000);
    INSERT INTO messages VALUES ('m1', 's1', 'user', '[{"type":"text","data":{"text":"hi"}}]', 1772442000, 1772442000);
  `);
  return database;
}

function files(more: Partial<SourceEnvironment> = {}): FoundFile[] {
  return [...crush.find(environmentOf(home, more))].filter((entry): entry is FoundFile => "unit" in entry);
}

function found(more: Partial<SourceEnvironment> = {}): string[] {
  return files(more).map(({ path }) => relative(home, path));
}

function list(projects: readonly object[]): void {
  write(LIST, JSON.stringify({ projects }));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) write(path, "");
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}
