import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import { chatsOf, placeOf } from "./paths.ts";
import { vscodeCopilot } from "./source.ts";

const USER = ".config/Code/User";
const STORAGE = `${USER}/workspaceStorage`;
const TRANSCRIPTS = "GitHub.copilot-chat/transcripts";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "vscode-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("find", () => {
  it("gives chats and transcripts of each window, then chats of windows without a folder", () => {
    touch(
      `${USER}/globalStorage/transferredChatSessions/f.json`,
      `${USER}/globalStorage/emptyWindowChatSessions/e.jsonl`,
      `${STORAGE}/w2/chatSessions/d.json`,
      `${STORAGE}/w1/${TRANSCRIPTS}/b.jsonl`,
      `${STORAGE}/w1/chatSessions/a.jsonl`,
    );
    expect(found()).toEqual([
      `log ${STORAGE}/w1/chatSessions/a.jsonl`,
      `log ${STORAGE}/w1/${TRANSCRIPTS}/b.jsonl`,
      `document ${STORAGE}/w2/chatSessions/d.json`,
      `log ${USER}/globalStorage/emptyWindowChatSessions/e.jsonl`,
      `document ${USER}/globalStorage/transferredChatSessions/f.json`,
    ]);
  });

  it("leaves a document that went on as a log beside it", () => {
    touch(
      `${STORAGE}/w/chatSessions/a.json`,
      `${STORAGE}/w/chatSessions/a.jsonl`,
      `${STORAGE}/w/chatSessions/b.json`,
      `${STORAGE}/v/chatSessions/a.json`,
    );
    expect(found()).toEqual([
      `document ${STORAGE}/v/chatSessions/a.json`,
      `log ${STORAGE}/w/chatSessions/a.jsonl`,
      `document ${STORAGE}/w/chatSessions/b.json`,
    ]);
  });

  it.each([
    `${STORAGE}/w/workspace.json`,
    `${STORAGE}/w/state.vscdb`,
    `${STORAGE}/w/chatEditingSessions/a/state.json`,
    `${STORAGE}/w/chatSessions/a.json.tmp`,
    `${STORAGE}/w/GitHub.copilot-chat/debug-logs/a.jsonl`,
    `${STORAGE}/w/${TRANSCRIPTS}/a.json`,
    `${USER}/globalStorage/github.copilot-chat/a.json`,
    `${USER}/settings.json`,
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it.each([
    ".config/Code - Insiders/User",
    ".config/VSCodium/User",
    ".config/Cursor/User",
    ".vscode-server/data/User",
    ".vscode-remote/data/User",
    ".var/app/com.visualstudio.code/config/Code/User",
  ])("looks below %s", (user) => {
    touch(`${user}/workspaceStorage/w/chatSessions/a.jsonl`);
    expect(found()).toEqual([`log ${user}/workspaceStorage/w/chatSessions/a.jsonl`]);
  });

  it("follows links and gives a file once", () => {
    touch("disk/w/chatSessions/a.jsonl", "chat.json");
    mkdirSync(join(home, USER), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, STORAGE));
    symlinkSync(join(home, "disk/w"), join(home, "disk/x"));
    symlinkSync(join(home, "chat.json"), join(home, "disk/w/chatSessions/b.json"));
    symlinkSync(join(home, "gone"), join(home, "disk/w/chatSessions/c.json"));
    expect(found()).toEqual(["log disk/w/chatSessions/a.jsonl", "document chat.json"]);
    expect(findProblems(vscodeCopilot, home)).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    touch(`${STORAGE}/w1/chatSessions/a.jsonl`, `${STORAGE}/w2/workspace.json`);
    symlinkSync(join(home, STORAGE, "w2/chatSessions"), join(home, STORAGE, "w2/chatSessions"));
    expect(found()).toEqual([`log ${STORAGE}/w1/chatSessions/a.jsonl`]);
    expect(findProblems(vscodeCopilot, home)).toEqual([
      { path: join(home, STORAGE, "w2/chatSessions"), problem: "cannot be read (ELOOP)" },
    ]);
  });

  it("is empty, without a problem, where no editor was ever used", () => {
    expect(found()).toEqual([]);
    expect(findProblems(vscodeCopilot, home)).toEqual([]);
  });
});

describe("roots", () => {
  it("are in each editor's storage", () => {
    const roots = vscodeCopilot.roots(environmentOf("/home/ana", { platform: "linux" }));
    expect(roots.slice(0, 3)).toEqual([
      "/home/ana/.config/Code/User/workspaceStorage",
      "/home/ana/.config/Code/User/globalStorage/emptyWindowChatSessions",
      "/home/ana/.config/Code/User/globalStorage/transferredChatSessions",
    ]);
  });
});

describe("what a path tells", () => {
  it.each([
    { path: "/u/workspaceStorage/w/chatSessions/s1.jsonl", isTranscript: false, storage: "/u/workspaceStorage/w" },
    { path: "/u/workspaceStorage/w/chatSessions/s1.json", isTranscript: false, storage: "/u/workspaceStorage/w" },
    { path: "/u/globalStorage/emptyWindowChatSessions/s1.jsonl", isTranscript: false, storage: "/u/globalStorage" },
    { path: `/u/workspaceStorage/w/${TRANSCRIPTS}/s1.jsonl`, isTranscript: true, storage: "/u/workspaceStorage/w" },
  ])("of $path", ({ path, isTranscript, storage }) => {
    expect(placeOf(path)).toEqual({ session: "s1", storage, isTranscript });
  });

  it("is where the chat of a transcript would be", () => {
    expect(chatsOf(placeOf(`/u/workspaceStorage/w/${TRANSCRIPTS}/s1.jsonl`))).toEqual([
      "/u/workspaceStorage/w/chatSessions/s1.jsonl",
      "/u/workspaceStorage/w/chatSessions/s1.json",
    ]);
  });
});

function found(): string[] {
  return findFiles(vscodeCopilot, home).map(({ path, unit }) => `${unit} ${relative(home, path)}`);
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
