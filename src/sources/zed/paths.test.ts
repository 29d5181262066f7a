import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, readParts } from "../../../test/support/read-items.ts";
import type { FoundFile, SourceEnvironment } from "../source.ts";
import { zed } from "./source.ts";

const DATA = ".local/share/zed";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "zed-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  const flatpak = "/home/ana/.var/app/dev.zed.Zed/data/zed";
  const inside = (...folders: readonly string[]) =>
    folders.flatMap((folder) => [`${folder}/threads`, `${folder}/conversations`]);

  it.each([
    { platform: "linux", variables: {}, roots: inside("/home/ana/.local/share/zed", flatpak) },
    { platform: "linux", variables: { XDG_DATA_HOME: "/data" }, roots: inside("/data/zed", flatpak) },
    { platform: "linux", variables: { XDG_DATA_HOME: "data" }, roots: inside("/home/ana/.local/share/zed", flatpak) },
    {
      platform: "linux",
      variables: { XDG_DATA_HOME: "/data", FLATPAK_XDG_DATA_HOME: "/flat" },
      roots: inside("/flat/zed", flatpak),
    },
    {
      platform: "darwin",
      variables: {},
      roots: ["/home/ana/Library/Application Support/Zed/threads", "/home/ana/.config/zed/conversations"],
    },
    { platform: "win32", variables: {}, roots: inside("/home/ana/AppData/Local/Zed") },
    { platform: "win32", variables: { LOCALAPPDATA: "/local" }, roots: inside("/local/Zed") },
  ] as const)("on $platform with $variables are $roots", ({ platform, variables, roots }) => {
    expect(zed.roots(environmentOf("/home/ana", { platform, variables }))).toEqual(roots);
  });
});

describe("find", () => {
  it("gives the database with its log beside it, then text threads", () => {
    touch(`${DATA}/conversations/b - 1.zed.json`, `${DATA}/threads/threads.db`, `${DATA}/conversations/a - 1.zed.json`);
    expect(files()).toEqual([
      {
        path: join(home, DATA, "threads/threads.db"),
        unit: "container",
        beside: [join(home, DATA, "threads/threads.db-wal")],
      },
      { path: join(home, DATA, "conversations/a - 1.zed.json"), unit: "document" },
      { path: join(home, DATA, "conversations/b - 1.zed.json"), unit: "document" },
    ]);
  });

  it.each(["threads/threads.db-wal", "threads/0/threads.db", "db/0-stable/db.sqlite", "conversations/a.json"])(
    "passes over %s",
    (name) => {
      touch(`${DATA}/${name}`);
      expect(files()).toEqual([]);
    },
  );

  it("follows links and reports what it cannot look into", () => {
    touch("disk/threads.db");
    mkdirSync(join(home, DATA), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, DATA, "threads"));
    symlinkSync(join(home, DATA, "conversations"), join(home, DATA, "conversations"));
    const entries = [...zed.find(environmentOf(home, LINUX))];
    expect(entries.map(({ path }) => relative(home, path))).toEqual(["disk/threads.db", `${DATA}/conversations`]);
    expect(entries[1]).toMatchObject({ problem: "cannot be read (ELOOP)" });
  });

  it("is empty, without a problem, where Zed was not used", () => {
    expect([...zed.find(environmentOf(home, LINUX))]).toEqual([]);
  });
});

describe("open", () => {
  it("reads what stands in the log alone, and gives a thread another revision when it is saved", () => {
    const writer = database();
    const before = parts();
    writer.prepare("UPDATE threads SET data = ?").run(Buffer.from('{"version":"0.3.0","messages":["Resume"]}'));
    const after = parts();
    writer.close();
    expect(before.map(({ part }) => part.name)).toEqual(["t1"]);
    expect(before[0]?.part).toMatchObject({ updatedAt: Date.parse("2026-03-02T09:00:00Z") });
    expect(after[0]?.part.revision).not.toBe(before[0]?.part.revision);
  });

  it("of a database without threads gives no sessions", () => {
    const writer = database();
    writer.exec("DROP TABLE threads");
    writer.close();
    expect(parts()).toEqual([]);
  });

  it("of a file that is no database throws", () => {
    touch(`${DATA}/threads/threads.db`);
    writeFileSync(join(home, DATA, "threads/threads.db"), "Killed: 9");
    expect(parts).toThrow("not a database");
  });
});

const LINUX = { platform: "linux" } as const;

/** A database with one thread, that is still open. */
function database(): Database.Database {
  mkdirSync(join(home, DATA, "threads"), { recursive: true });
  const database = new Database(join(home, DATA, "threads/threads.db"));
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)");
  const insert = database.prepare("INSERT INTO threads VALUES ('t1', 'Tides', '2026-03-02T09:00:00+00:00', 'json', ?)");
  insert.run(Buffer.from('{"version":"0.3.0","messages":[]}'));
  return database;
}

function parts(): ReturnType<typeof readParts> {
  return files().flatMap((file) => readParts(zed, file));
}

function files(more: Partial<SourceEnvironment> = {}): FoundFile[] {
  const found = [...zed.find(environmentOf(home, { ...LINUX, ...more }))];
  return found.filter((entry): entry is FoundFile => "unit" in entry);
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
