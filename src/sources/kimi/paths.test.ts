import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOf } from "./place.ts";
import { kimi } from "./source.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "kimi-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it.each([
    {
      what: "the wire log alone where a session has both files",
      files: [
        ".kimi/sessions/p/s/context.jsonl",
        ".kimi/sessions/p/s/context_1.jsonl",
        ".kimi/sessions/p/s/wire.jsonl",
      ],
      found: [".kimi/sessions/p/s/wire.jsonl lines"],
    },
    {
      what: "the context and what was put aside of it where there is no wire log",
      files: [".kimi/sessions/p/s/context.jsonl", ".kimi/sessions/p/s/context_1.jsonl"],
      found: [".kimi/sessions/p/s/context.jsonl log", ".kimi/sessions/p/s/context_1.jsonl log"],
    },
    {
      what: "contexts of old subagents beside a wire log",
      files: [".kimi/sessions/p/s/context_sub_1.jsonl", ".kimi/sessions/p/s/wire.jsonl"],
      found: [".kimi/sessions/p/s/wire.jsonl lines", ".kimi/sessions/p/s/context_sub_1.jsonl log"],
    },
    {
      what: "one file of each subagent",
      files: [
        ".kimi/sessions/p/s/subagents/a/context.jsonl",
        ".kimi/sessions/p/s/subagents/a/wire.jsonl",
        ".kimi/sessions/p/s/subagents/b/context.jsonl",
        ".kimi/sessions/p/s/wire.jsonl",
      ],
      found: [
        ".kimi/sessions/p/s/wire.jsonl lines",
        ".kimi/sessions/p/s/subagents/a/wire.jsonl lines",
        ".kimi/sessions/p/s/subagents/b/context.jsonl log",
      ],
    },
    {
      what: "flat files of sessions that have no folder yet",
      files: [
        ".kimi/sessions/p/a.jsonl",
        ".kimi/sessions/p/a_1.jsonl",
        ".kimi/sessions/p/b.jsonl",
        ".kimi/sessions/p/b_sub_1.jsonl",
        ".kimi/sessions/p/b/context.jsonl",
        ".kimi/sessions/p/c.jsonl",
        ".kimi/sessions/p/c/state.json",
      ],
      found: [
        ".kimi/sessions/p/b/context.jsonl log",
        ".kimi/sessions/p/a.jsonl log",
        ".kimi/sessions/p/a_1.jsonl log",
        ".kimi/sessions/p/b_sub_1.jsonl log",
        ".kimi/sessions/p/c.jsonl log",
      ],
    },
    {
      what: "every agent of Kimi Code",
      files: [
        ".kimi-code/sessions/w/s/agents/agent-0/wire.jsonl",
        ".kimi-code/sessions/w/s/agents/main/tool-results/Bash-1.txt",
        ".kimi-code/sessions/w/s/agents/main/wire.jsonl",
        ".kimi-code/sessions/w/s/agents/main/wire.jsonl.bak",
        ".kimi-code/sessions/w/s/state.json",
      ],
      found: [
        ".kimi-code/sessions/w/s/agents/agent-0/wire.jsonl lines",
        ".kimi-code/sessions/w/s/agents/main/wire.jsonl lines",
      ],
    },
    {
      what: "nothing else",
      files: [
        ".kimi/imported_sessions/s/context.jsonl",
        ".kimi/sessions/p/s/notes.jsonl",
        ".kimi/sessions/p/s/subagents/a/output",
        ".kimi/user-history/p.jsonl",
      ],
      found: [],
    },
  ])("gives $what", ({ files, found }) => {
    for (const file of files) write(file);
    expect(find()).toEqual(found);
  });

  it.each([
    {
      variables: { KIMI_SHARE_DIR: "other" },
      found: ["other/sessions/p/s/wire.jsonl", ".kimi-code/sessions/w/s/agents/main/wire.jsonl"],
    },
    {
      variables: { KIMI_CODE_HOME: "other" },
      found: [".kimi/sessions/p/s/wire.jsonl", "other/sessions/p/s/wire.jsonl"],
    },
    { variables: { KIMI_SHARE_DIR: "other", KIMI_CODE_HOME: "other" }, found: ["other/sessions/p/s/wire.jsonl"] },
    {
      variables: { KIMI_SHARE_DIR: "" },
      found: [".kimi/sessions/p/s/wire.jsonl", ".kimi-code/sessions/w/s/agents/main/wire.jsonl"],
    },
  ])("looks where $variables say", ({ variables, found }) => {
    for (const root of [".kimi", "other"]) write(`${root}/sessions/p/s/wire.jsonl`);
    write(".kimi-code/sessions/w/s/agents/main/wire.jsonl");
    const absolute = Object.entries(variables).map(([name, path]) => [name, path === "" ? "" : join(home, path)]);
    expect(find(Object.fromEntries(absolute))).toEqual(found.map((path) => `${path} lines`));
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    write("disk/p/s/wire.jsonl");
    mkdirSync(join(home, ".kimi"));
    symlinkSync(join(home, "disk"), join(home, ".kimi/sessions"));
    symlinkSync(join(home, "disk/p"), join(home, "disk/q"));
    symlinkSync(join(home, "disk"), join(home, "disk/p/loop"));
    symlinkSync(join(home, "gone"), join(home, "disk/p/s/gone"));
    expect(find()).toEqual(["disk/p/s/wire.jsonl lines"]);
  });

  it("is empty for a home without Kimi", () => {
    expect(find()).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(".kimi/sessions/p/s/wire.jsonl");
    symlinkSync(join(home, ".kimi/sessions/q"), join(home, ".kimi/sessions/q"));
    expect(find()).toEqual([".kimi/sessions/p/s/wire.jsonl lines", ".kimi/sessions/q cannot be read (ELOOP)"]);
  });
});

describe("placeOf", () => {
  it.each([
    ["/k/sessions/p/s1/wire.jsonl", "wire", "s1"],
    ["/k/sessions/p/s1/context.jsonl", "context", "s1"],
    ["/k/sessions/p/s1/context_12.jsonl", "context", "s1"],
    ["/k/sessions/p/s1/context_sub_2.jsonl", "context", "s1/sub_2"],
    ["/k/sessions/p/s1/context_sub_2_1.jsonl", "context", "s1/sub_2"],
    ["/k/sessions/p/s1/subagents/a1/wire.jsonl", "wire", "s1/a1"],
    ["/k/sessions/p/s1/subagents/a1/context_1.jsonl", "context", "s1/a1"],
    ["/k/sessions/p/s1.jsonl", "context", "s1"],
    ["/k/sessions/p/s1_3.jsonl", "context", "s1"],
    ["/k/sessions/p/s1_sub_3.jsonl", "context", "s1/sub_3"],
    ["/k/sessions/w/session_s1/agents/main/wire.jsonl", "code", "session_s1"],
    ["/k/sessions/w/session_s1/agents/agent-0/wire.jsonl", "code", "session_s1/agent-0"],
  ])("of %s is a %s of %s", (path, format, session) => {
    expect(placeOf(path)).toMatchObject({ format, session });
  });
});

function find(variables: Record<string, string> = {}): string[] {
  return [...kimi.find({ home, platform: process.platform, variables, workFolders: [] })].map((entry) => {
    return `${relative(home, entry.path)} ${"unit" in entry ? entry.unit : entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}
