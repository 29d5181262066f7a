import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SourceEnvironment } from "../source.ts";
import { fileSession } from "./paths.ts";
import { codex } from "./source.ts";

const ID = "019d95a4-64c6-7b20-97f0-81e518d38258";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "codex-paths-")));
});

afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it.each([
    {
      what: "sessions by date, then archived ones",
      files: [
        "archived_sessions/rollout-1.jsonl",
        "sessions/2026/10/01/rollout-3.jsonl",
        "sessions/2026/09/30/rollout-2.jsonl",
      ],
      found: [
        "sessions/2026/09/30/rollout-2.jsonl",
        "sessions/2026/10/01/rollout-3.jsonl",
        "archived_sessions/rollout-1.jsonl",
      ],
    },
    {
      what: "a compressed file",
      files: ["sessions/2026/01/01/rollout-1.jsonl.zst"],
      found: ["sessions/2026/01/01/rollout-1.jsonl.zst zstd"],
    },
    {
      what: "the plain one of twins",
      files: ["sessions/2026/01/01/rollout-1.jsonl.zst", "sessions/2026/01/01/rollout-1.jsonl"],
      found: ["sessions/2026/01/01/rollout-1.jsonl"],
    },
    {
      what: "the plain one of twins in two roots",
      files: ["sessions/2026/01/01/rollout-1.jsonl.zst", "archived_sessions/rollout-1.jsonl"],
      found: ["archived_sessions/rollout-1.jsonl"],
    },
    {
      what: "a document",
      files: ["sessions/rollout-2025-04-30-1.json"],
      found: ["sessions/rollout-2025-04-30-1.json document"],
    },
    {
      what: "nothing else",
      files: [
        "sessions/2026/01/01/notes.jsonl",
        "sessions/rollout-1.jsonl.tmp",
        "history.jsonl",
        "session_index.jsonl",
      ],
      found: [],
    },
  ])("gives $what", ({ files, found }) => {
    for (const file of files) write(`.codex/${file}`);
    expect(find()).toEqual(found);
  });

  it("looks below CODEX_HOME alone where that is set", () => {
    write(".codex/sessions/2026/01/01/rollout-1.jsonl");
    write("elsewhere/sessions/2026/01/01/rollout-2.jsonl");
    expect(find({ CODEX_HOME: join(home, "elsewhere") })).toEqual(["../elsewhere/sessions/2026/01/01/rollout-2.jsonl"]);
    expect(find({ CODEX_HOME: "" })).toEqual(["sessions/2026/01/01/rollout-1.jsonl"]);
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    write("disk/2026/01/01/rollout-1.jsonl");
    write("disk/2026/01/01/rollout-2.jsonl");
    mkdirSync(join(home, ".codex"));
    symlinkSync(join(home, "disk"), join(home, ".codex/sessions"));
    symlinkSync(join(home, "disk/2026/01/01"), join(home, "disk/2026/01/02"));
    symlinkSync(join(home, "disk"), join(home, "disk/2026/loop"));
    symlinkSync(join(home, "disk/2026/01/01/rollout-1.jsonl"), join(home, "disk/2026/01/01/rollout-3.jsonl"));
    symlinkSync(join(home, "gone"), join(home, "disk/2026/01/01/rollout-4.jsonl"));
    expect(find()).toEqual(["../disk/2026/01/01/rollout-1.jsonl", "../disk/2026/01/01/rollout-2.jsonl"]);
  });

  it("is empty for a home without Codex", () => {
    expect([...codex.find(environment())]).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(".codex/sessions");
    write(".codex/archived_sessions/rollout-1.jsonl");
    const path = join(home, ".codex/sessions");
    symlinkSync(join(home, ".codex/loop"), join(home, ".codex/loop"));
    symlinkSync(join(home, ".codex/loop"), join(home, ".codex/archived_sessions/circle"));
    const found = [...codex.find(environment())];
    expect(found.map((entry) => ("unit" in entry ? entry.unit : entry.problem))).toEqual([
      "lines",
      "cannot be read (ELOOP)",
    ]);
    expect(found.some((entry) => entry.path === path)).toBe(false);
  });
});

describe("fileSession", () => {
  it.each([
    [`/s/rollout-2026-04-16T09-34-38-${ID}.jsonl`, ID],
    [`/s/rollout-2026-04-16T09-34-38-${ID}.jsonl.zst`, ID],
    [`/s/rollout-2026-04-16T09-34-38-${ID}_019d95a4-0000-7b20-97f0-81e518d38258.jsonl`, ID],
    [`/s/rollout-2025-04-30-${ID.toUpperCase()}.json`, ID],
    ["/s/rollout-2026-01-01.jsonl", "rollout-2026-01-01"],
    ["/s/rollout-x.jsonl.zst", "rollout-x"],
  ])("of %s is %s", (path, session) => {
    expect(fileSession(path)).toBe(session);
  });
});

function environment(variables: Record<string, string> = {}): SourceEnvironment {
  return { home, platform: process.platform, variables, workFolders: [] };
}

function find(variables: Record<string, string> = {}): string[] {
  return [...codex.find(environment(variables))].map((entry) => {
    const path = relative(join(home, ".codex"), entry.path);
    if (!("unit" in entry)) return `${path} ${entry.problem}`;
    return [path, entry.compression, entry.unit === "document" ? entry.unit : undefined]
      .filter((part) => part !== undefined)
      .join(" ");
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}
