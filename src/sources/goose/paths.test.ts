import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems, readParts } from "../../../test/support/read-items.ts";
import { goose } from "./source.ts";

const SESSIONS = ".local/share/goose/sessions";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "goose-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  const usual = ["/home/ana/.local/share/goose/sessions", "/home/ana/.config/goose/sessions"];

  it.each([
    { platform: "linux", variables: {}, roots: usual },
    { platform: "darwin", variables: {}, roots: usual },
    { platform: "win32", variables: {}, roots: ["/home/ana/AppData/Roaming/Block/goose/data/sessions"] },
    { platform: "win32", variables: { APPDATA: "/roaming" }, roots: ["/roaming/Block/goose/data/sessions"] },
    { platform: "linux", variables: { GOOSE_PATH_ROOT: "/own" }, roots: ["/own/data/sessions"] },
    { platform: "win32", variables: { GOOSE_PATH_ROOT: "/own" }, roots: ["/own/data/sessions"] },
    { platform: "linux", variables: { GOOSE_PATH_ROOT: "own", XDG_DATA_HOME: "data" }, roots: usual },
    {
      platform: "linux",
      variables: { XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "/config" },
      roots: ["/data/goose/sessions", "/config/goose/sessions"],
    },
  ] as const)("on $platform with $variables are $roots", ({ platform, variables, roots }) => {
    expect(goose.roots(environmentOf("/home/ana", { platform, variables }))).toEqual(roots);
  });
});

describe("find", () => {
  it("gives transcripts and the database, with its log beside it", () => {
    touch(`${SESSIONS}/sessions.db`, `${SESSIONS}/20250605_101500.jsonl`, ".config/goose/sessions/a.jsonl");
    expect(findFiles(goose, home)).toEqual([
      { path: join(home, SESSIONS, "20250605_101500.jsonl"), unit: "log" },
      {
        path: join(home, SESSIONS, "sessions.db"),
        unit: "container",
        beside: [join(home, SESSIONS, "sessions.db-wal")],
      },
      { path: join(home, ".config/goose/sessions/a.jsonl"), unit: "log" },
    ]);
  });

  it.each(["sessions.db-wal", "sessions.db.bak", "a.jsonl.tmp", "backups/sessions.db", "recipe.yaml"])(
    "passes over %s",
    (name) => {
      touch(`${SESSIONS}/${name}`);
      expect(findFiles(goose, home)).toEqual([]);
    },
  );

  it("follows links and reports what it cannot look into", () => {
    touch("disk/sessions.db");
    mkdirSync(join(home, ".local/share/goose"), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, SESSIONS));
    mkdirSync(join(home, ".config/goose"), { recursive: true });
    symlinkSync(join(home, ".config/goose/sessions"), join(home, ".config/goose/sessions"));
    expect(findFiles(goose, home).map(({ path }) => relative(home, path))).toEqual(["disk/sessions.db"]);
    expect(findProblems(goose, home)).toEqual([
      { problem: "cannot be read (ELOOP)", path: join(home, ".config/goose/sessions") },
    ]);
  });

  it("is empty, without a problem, where Goose was not used", () => {
    expect([...goose.find(environmentOf(home))]).toEqual([]);
  });
});

describe("open", () => {
  it("reads what stands in the log alone, and gives a session another revision when it changes", () => {
    const writer = database();
    const before = parts();
    writer.exec('UPDATE messages SET metadata_json = \'{"userVisible":true,"agentVisible":false}\'');
    const after = parts();
    writer.close();
    expect(before.map(({ part }) => part.name)).toEqual(["20260302_1"]);
    expect(after[0]?.part.revision).not.toBe(before[0]?.part.revision);
  });

  it("of a version that has no messages of its own gives no sessions", () => {
    const writer = database();
    writer.exec("DROP TABLE messages");
    writer.close();
    expect(parts()).toEqual([]);
  });

  it("of a file that is no database throws", () => {
    write(`${SESSIONS}/sessions.db`, "Killed: 9");
    expect(parts).toThrow("not a database");
  });
});

/** A database with one session, that is still open. */
function database(): Database.Database {
  mkdirSync(join(home, SESSIONS), { recursive: true });
  const database = new Database(join(home, SESSIONS, "sessions.db"));
  database.pragma("journal_mode = WAL");
  database.exec(`
    CREATE TABLE sessions (id TEXT, working_dir TEXT, created_at TEXT, updated_at TEXT);
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT
    );
    INSERT INTO sessions VALUES ('20260302_1', '/tmp', '2026-03-02 09:00:00', '2026-03-02 09:00:00');
    INSERT INTO messages VALUES (1, '20260302_1', 'user', '[{"type":"text","text":"hi"}]', 1772442000, '{}');
  `);
  return database;
}

function parts(): ReturnType<typeof readParts> {
  return findFiles(goose, home).flatMap((file) => readParts(goose, file));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) write(path, "");
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}
