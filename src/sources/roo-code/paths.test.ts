import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rooCode } from "./source.ts";

const EXTENSION = "User/globalStorage/rooveterinaryinc.roo-cline";
const CLI = ".vscode-mock/global-storage";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "roo-code-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it("gives one file of each task, in all editors and of the CLI", () => {
    for (const path of [
      `.config/VSCodium/${EXTENSION}/tasks/a/api_conversation_history.json`,
      `.config/VSCodium/${EXTENSION}/tasks/a/ui_messages.json`,
      `.config/VSCodium/${EXTENSION}/tasks/a/history_item.json`,
      `.config/VSCodium/${EXTENSION}/tasks/_index.json`,
      `.windsurf-server/data/${EXTENSION}/tasks/b/ui_messages.json`,
      `.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/c/ui_messages.json`,
      `${CLI}/tasks/d/api_conversation_history.json`,
    ]) {
      write(path);
    }
    expect(find()).toEqual([
      `.config/VSCodium/${EXTENSION}/tasks/a/api_conversation_history.json`,
      `.windsurf-server/data/${EXTENSION}/tasks/b/ui_messages.json`,
      `${CLI}/tasks/d/api_conversation_history.json`,
    ]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(`${CLI}/tasks/a/api_conversation_history.json`);
    symlinkSync(join(home, CLI, "tasks/x"), join(home, CLI, "tasks/x"));
    expect(find()).toEqual([`${CLI}/tasks/a/api_conversation_history.json`, `${CLI}/tasks/x cannot be read (ELOOP)`]);
  });

  it("is empty for a home without Roo Code", () => {
    expect(find()).toEqual([]);
  });
});

describe("roots", () => {
  it.each([
    ["darwin", "Library/Application Support/Code"],
    ["win32", "AppData/Roaming/Code"],
    ["linux", ".config/Code"],
  ] as const)("on %s are below the folder of programs' data", (platform, editor) => {
    const roots = rooCode.roots({ home, platform, variables: {}, workFolders: [] });
    expect(roots).toContain(join(home, editor, EXTENSION, "tasks"));
    expect(roots).toContain(join(home, CLI, "tasks"));
  });
});

function find(): string[] {
  return [...rooCode.find({ home, platform: "linux", variables: {}, workFolders: [] })].map((entry) => {
    const path = relative(home, entry.path);
    return "unit" in entry ? path : `${path} ${entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "[]");
}
