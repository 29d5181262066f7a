import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import { cursorRoots, findHistory } from "./paths.ts";
import { placeOf } from "./place.ts";
import { cursor } from "./source.ts";

const USER = ".config/Cursor/User";
const LOGS = ".cursor/projects/home-ana-code-tide/agent-transcripts";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "cursor-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("find", () => {
  it("gives databases of the editor, then those of the CLI, then transcripts", () => {
    touch(
      `${LOGS}/s2.jsonl`,
      `${LOGS}/s1/subagents/a1.jsonl`,
      `${LOGS}/s1/s1.jsonl`,
      `${LOGS}/s3.txt`,
      ".cursor/chats/0123/s4/store.db",
      `${USER}/globalStorage/state.vscdb`,
      `${USER}/workspaceStorage/w1/state.vscdb`,
      ".cursor-server/data/User/globalStorage/state.vscdb",
    );
    expect(found()).toEqual([
      `${USER}/workspaceStorage/w1/state.vscdb`,
      `${USER}/globalStorage/state.vscdb`,
      ".cursor-server/data/User/globalStorage/state.vscdb",
      ".cursor/chats/0123/s4/store.db",
      `${LOGS}/s2.jsonl`,
      `${LOGS}/s3.txt`,
      `${LOGS}/s1/s1.jsonl`,
      `${LOGS}/s1/subagents/a1.jsonl`,
    ]);
  });

  it("names the log of a database, whose changes are the database's", () => {
    touch(`${USER}/globalStorage/state.vscdb`, `${USER}/globalStorage/state.vscdb-wal`, `${LOGS}/s1.txt`);
    const path = join(home, USER, "globalStorage/state.vscdb");
    expect(findFiles(cursor, home)).toEqual([
      { path, unit: "container", beside: [`${path}-wal`] },
      { path: join(home, LOGS, "s1.txt"), unit: "container" },
    ]);
  });

  it("leaves out a text that stands beside the same transcript as lines", () => {
    touch(`${LOGS}/s1/s1.txt`, `${LOGS}/s1/s1.jsonl`, `${LOGS}/s1/s2.txt`);
    expect(found()).toEqual([`${LOGS}/s1/s1.jsonl`, `${LOGS}/s1/s2.txt`]);
  });

  it.each([
    `${USER}/globalStorage/state.vscdb.backup`,
    `${USER}/globalStorage/other.vscdb`,
    `${USER}/globalStorage/ms.ext/state.vscdb`,
    `${USER}/workspaceStorage/w1/workspace.json`,
    `${USER}/state.vscdb`,
    ".cursor/chats/0123/store.db",
    ".cursor/chats/0123/s4/meta.json",
    ".cursor/projects/home-ana/s1.jsonl",
    ".cursor/projects/home-ana/terminals/1.txt",
    `${LOGS}/notes.md`,
    `${LOGS}/s1/tools/t1.jsonl`,
    ".cursor/mcp.json",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it("finds a file once, whatever links lead to it", () => {
    touch("disk/projects/home-ana/agent-transcripts/s1.jsonl", `disk/${USER}/globalStorage/state.vscdb`);
    symlinkSync(join(home, "disk"), join(home, ".cursor"));
    symlinkSync(join(home, "disk/.config"), join(home, ".config"));
    symlinkSync(join(home, "disk/projects/home-ana"), join(home, "disk/projects/linked"));
    expect(found()).toEqual([
      `disk/${USER}/globalStorage/state.vscdb`,
      "disk/projects/home-ana/agent-transcripts/s1.jsonl",
    ]);
  });

  it("tells what it could not look at, and goes on", () => {
    touch(`${LOGS}/s1.jsonl`);
    symlinkSync(join(home, LOGS, "s2"), join(home, LOGS, "s2"));
    expect(found()).toEqual([`${LOGS}/s1.jsonl`]);
    const problems = findProblems(cursor, home).map(({ path, problem }) => `${relative(home, path)}: ${problem}`);
    expect(problems).toEqual([`${LOGS}/s2: cannot be read (ELOOP)`]);
  });

  it("finds nothing where there is nothing", () => {
    expect(findHistory(environmentOf(home))).toEqual([]);
  });

  it.each([
    ["CURSOR_CONFIG_DIR", "elsewhere", "elsewhere/chats/0123/s1/store.db"],
    ["CURSOR_CONFIG_DIR", "elsewhere", "elsewhere/projects/a/agent-transcripts/s1.jsonl"],
    ["XDG_CONFIG_HOME", "xdg", "xdg/cursor/chats/0123/s1/store.db"],
    ["XDG_CONFIG_HOME", "xdg", "xdg/Cursor/User/globalStorage/state.vscdb"],
  ])("follows %s=%s to %s", (name, folder, path) => {
    touch(path, `${LOGS}/s0.jsonl`);
    const paths = findFiles(cursor, home, { [name]: join(home, folder) }).map((file) => relative(home, file.path));
    expect(paths.sort()).toEqual([`${LOGS}/s0.jsonl`, path].sort());
  });
});

describe("cursorRoots", () => {
  it.each([
    ["linux", {}, ["/h/.config/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor"]],
    ["linux", { XDG_CONFIG_HOME: "/x" }, ["/x/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor", "/x/cursor"]],
    [
      "darwin",
      { XDG_CONFIG_HOME: "/x" },
      ["/h/Library/Application Support/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor"],
    ],
    ["win32", { APPDATA: "/r" }, ["/r/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor"]],
    ["win32", {}, ["/h/AppData/Roaming/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor"]],
    [
      "linux",
      { CURSOR_CONFIG_DIR: "/c" },
      ["/h/.config/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor", "/c"],
    ],
    ["linux", { CURSOR_CONFIG_DIR: "" }, ["/h/.config/Cursor/User", "/h/.cursor-server/data/User", "/h/.cursor"]],
  ] as const)("on %s with %j", (platform, variables, roots) => {
    expect(cursorRoots({ home: "/h", platform, variables, workFolders: [] })).toEqual(roots);
  });
});

describe("placeOf", () => {
  it.each([
    ["/h/.cursor/projects/h-a/agent-transcripts/s1/s1.jsonl", { kind: "transcript", session: "s1", folderName: "h-a" }],
    ["/h/.cursor/projects/h-a/agent-transcripts/s1.jsonl", { kind: "transcript", session: "s1", folderName: "h-a" }],
    ["/h/.cursor/projects/h-a/agent-transcripts/s1.txt", { kind: "text", session: "s1", folderName: "h-a" }],
    [
      "C:\\h\\.cursor\\projects\\c-a\\agent-transcripts\\s1\\subagents\\a1.jsonl",
      { kind: "transcript", session: "a1", parent: "s1", folderName: "c-a" },
    ],
    ["/h/.cursor/chats/0123/s1/store.db", { kind: "chat", session: "s1" }],
    ["/h/User/workspaceStorage/w1/state.vscdb", { kind: "state", session: "w1" }],
    ["/elsewhere/s1.jsonl", { kind: "transcript", session: "s1" }],
  ])("of %s", (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });
});

function found(): string[] {
  return findFiles(cursor, home).map(({ path }) => relative(home, path));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
