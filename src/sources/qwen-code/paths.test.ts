import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { qwenCode } from "./source.ts";

const ID = "47c09e1e-9b87-401c-bdeb-6c357ab925f9";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "qwen-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it("gives sessions, archived ones, subagents, and the documents of the first versions", () => {
    for (const path of [
      `projects/-p/chats/${ID}.jsonl`,
      `projects/-p/chats/archive/${ID}.jsonl`,
      `projects/-p/subagents/${ID}/agent-a.jsonl`,
      "tmp/0123/chats/session-1-a.json",
      `projects/-p/chats/${ID}.ledger.jsonl`,
      `projects/-p/chats/${ID}.runtime.json`,
      `projects/-p/chats/other/${ID}.jsonl`,
      `projects/-p/subagents/${ID}/agent-a.meta.json`,
      `projects/-p/subagents/${ID}/agent-a.jsonl.stream`,
      "tmp/0123/logs.json",
      `tmp/0123/chats/${ID}.jsonl`,
    ]) {
      write(`.qwen/${path}`);
    }
    expect(find()).toEqual([
      `projects/-p/chats/${ID}.jsonl lines`,
      `projects/-p/chats/archive/${ID}.jsonl lines`,
      `projects/-p/subagents/${ID}/agent-a.jsonl lines`,
      "tmp/0123/chats/session-1-a.json document",
    ]);
  });

  it.each([
    { set: { QWEN_HOME: "HOME/one" }, found: "one" },
    { set: { QWEN_RUNTIME_DIR: "HOME/two" }, found: "two" },
    { set: { QWEN_HOME: "HOME/one", QWEN_RUNTIME_DIR: "HOME/two" }, found: "two" },
    { set: { QWEN_HOME: "~/one", QWEN_RUNTIME_DIR: "" }, found: "one" },
    { set: { QWEN_HOME: "" }, found: ".qwen" },
  ])("looks only where $set says", ({ set, found }) => {
    for (const folder of [".qwen", "one", "two"]) write(`${folder}/projects/${folder}/chats/${ID}.jsonl`);
    const variables = Object.fromEntries(Object.entries(set).map(([key, path]) => [key, path.replace("HOME", home)]));
    expect(find(variables)).toEqual([
      `${relative(join(home, ".qwen"), join(home, found)) || "."}/projects/${found}/chats/${ID}.jsonl lines`.replace(
        /^\.\/(?!\.)/,
        "",
      ),
    ]);
  });

  it("follows links, gives a file once, and reports what it cannot look into", () => {
    write(`disk/chats/${ID}.jsonl`);
    write(".qwen/projects/-p/x");
    symlinkSync(join(home, "disk"), join(home, ".qwen/projects/-q"));
    symlinkSync(join(home, "disk/chats"), join(home, ".qwen/projects/-p/chats"));
    symlinkSync(join(home, ".qwen/projects/loop"), join(home, ".qwen/projects/loop"));
    expect(find()).toEqual([`../disk/chats/${ID}.jsonl lines`, "projects/loop cannot be read (ELOOP)"]);
  });

  it("is empty for a home without Qwen Code", () => {
    expect(find()).toEqual([]);
  });
});

function find(variables: Record<string, string> = {}): string[] {
  return [...qwenCode.find({ home, platform: process.platform, variables, workFolders: [] })].map((entry) => {
    const path = relative(join(home, ".qwen"), entry.path);
    return `${path} ${"unit" in entry ? entry.unit : entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}
