import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cline } from "./source.ts";

const EXTENSION = "User/globalStorage/saoudrizwan.claude-dev";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "cline-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it("gives one file of each task, in all editors and on servers", () => {
    for (const path of [
      `.config/Code/${EXTENSION}/tasks/1/api_conversation_history.json`,
      `.config/Code/${EXTENSION}/tasks/1/ui_messages.json`,
      `.config/Code/${EXTENSION}/tasks/1/checkpoints/x.json`,
      `.config/Code/${EXTENSION}/tasks/2/ui_messages.json`,
      `.config/Code/${EXTENSION}/tasks/3/claude_messages.json`,
      `.config/Code/${EXTENSION}/tasks/4/task_metadata.json`,
      `.config/Code/${EXTENSION}/state/taskHistory.json`,
      `.config/Cursor/${EXTENSION}/tasks/5/api_conversation_history.json`,
      `.config/Code/User/globalStorage/other.extension/tasks/6/api_conversation_history.json`,
      `.vscode-server/data/${EXTENSION}/tasks/7/api_conversation_history.json`,
      `.vscode-remote/data/${EXTENSION}/tasks/8/api_conversation_history.json`,
      ".cline/data/tasks/9/api_conversation_history.json",
    ]) {
      write(path);
    }
    expect(find()).toEqual([
      `.config/Code/${EXTENSION}/tasks/1/api_conversation_history.json`,
      `.config/Code/${EXTENSION}/tasks/2/ui_messages.json`,
      `.config/Code/${EXTENSION}/tasks/3/claude_messages.json`,
      `.config/Cursor/${EXTENSION}/tasks/5/api_conversation_history.json`,
      `.vscode-server/data/${EXTENSION}/tasks/7/api_conversation_history.json`,
      `.vscode-remote/data/${EXTENSION}/tasks/8/api_conversation_history.json`,
      ".cline/data/tasks/9/api_conversation_history.json",
    ]);
  });

  it("gives the messages of sessions and of their subagents, with what stands beside them", () => {
    for (const name of ["s1.json", "s1.messages.json", "s1.compaction.json", "s1.log", "agent_1.messages.json"]) {
      write(`.cline/data/sessions/s1/${name}`);
    }
    write(".cline/data/sessions/stray.messages.json");
    expect(find()).toEqual([
      ".cline/data/sessions/s1/agent_1.messages.json",
      ".cline/data/sessions/s1/s1.messages.json",
    ]);
    const [file] = [...cline.find(environment())];
    const folder = join(home, ".cline/data/sessions/s1");
    expect(file).toMatchObject({ beside: [join(folder, "s1.json"), join(folder, "s1.compaction.json")] });
  });

  it("names what stands beside a task", () => {
    write(".cline/data/tasks/1/api_conversation_history.json");
    const folder = join(home, ".cline/data/tasks/1");
    expect([...cline.find(environment())]).toEqual([
      {
        path: join(folder, "api_conversation_history.json"),
        unit: "document",
        beside: ["ui_messages.json", "history_item.json", "task_metadata.json"].map((name) => join(folder, name)),
      },
    ]);
  });

  it.each([
    [{ CLINE_DIR: "moved" }, ["moved/data/tasks/1", "moved/data/sessions/s"]],
    [{ CLINE_DATA_DIR: "data", CLINE_DIR: "moved" }, ["data/tasks/1", "data/sessions/s"]],
    [{ CLINE_SESSION_DATA_DIR: "sessions" }, [".cline/data/tasks/1", "sessions/s"]],
    [{ CLINE_DIR: " ", CLINE_DATA_DIR: "" }, [".cline/data/tasks/1", ".cline/data/sessions/s"]],
  ])("looks where %j says", (variables, folders) => {
    for (const base of [".cline/data", "moved/data", "data"]) {
      write(`${base}/tasks/1/ui_messages.json`);
      write(`${base}/sessions/s/s.messages.json`);
    }
    write("sessions/s/s.messages.json");
    const absolute = Object.entries(variables).map(([name, path]) => [
      name,
      path.trim() === "" ? path : join(home, path),
    ]);
    expect(find(Object.fromEntries(absolute)).map((path) => dirname(path))).toEqual(folders);
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    write("disk/1/api_conversation_history.json");
    mkdirSync(join(home, ".cline/data"), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, ".cline/data/tasks"));
    symlinkSync(join(home, "disk/1"), join(home, "disk/2"));
    symlinkSync(join(home, "disk"), join(home, "disk/loop"));
    symlinkSync(join(home, "gone"), join(home, "disk/1/ui_messages.json"));
    expect(find()).toEqual(["disk/1/api_conversation_history.json"]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(".cline/data/tasks/1/api_conversation_history.json");
    symlinkSync(join(home, ".cline/data/tasks/x"), join(home, ".cline/data/tasks/x"));
    expect(find()).toEqual([
      ".cline/data/tasks/1/api_conversation_history.json",
      ".cline/data/tasks/x cannot be read (ELOOP)",
    ]);
  });

  it("is empty for a home without Cline", () => {
    expect(find()).toEqual([]);
  });
});

describe("roots", () => {
  it.each([
    ["darwin", {}, "Library/Application Support/Code"],
    ["win32", {}, "AppData/Roaming/Code"],
    ["linux", {}, ".config/Code"],
  ] as const)("on %s are below the folder of programs' data", (platform, variables, editor) => {
    const roots = cline.roots({ home, platform, variables, workFolders: [] });
    expect(roots).toContain(join(home, editor, EXTENSION, "tasks"));
    expect(roots).toContain(join(home, ".cline/data/tasks"));
    expect(roots).toContain(join(home, ".cline/data/sessions"));
    expect(new Set(roots).size).toBe(roots.length);
  });
});

function environment(variables: Record<string, string> = {}) {
  return { home, platform: "linux", variables, workFolders: [] } as const;
}

function find(variables: Record<string, string> = {}): string[] {
  return [...cline.find(environment(variables))].map((entry) => {
    const path = relative(home, entry.path);
    return "unit" in entry ? path : `${path} ${entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "[]");
}
