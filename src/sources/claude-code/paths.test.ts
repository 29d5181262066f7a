import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFiles, findProblems } from "../../../test/support/read-items.ts";
import { placeOf } from "./place.ts";
import { claudeCode } from "./source.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "yore-paths-")));
});

afterEach(() => rmSync(home, { recursive: true }));

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}

function link(from: string, to: string): void {
  mkdirSync(dirname(join(home, from)), { recursive: true });
  symlinkSync(join(home, to), join(home, from));
}

function found(variables: Record<string, string> = {}): string[] {
  return findFiles(claudeCode, home, variables).map((file) => relative(home, file.path));
}

describe("find", () => {
  it("finds main transcripts and subagents of both layouts, in order", () => {
    touch(
      ".claude/projects/b/s1.jsonl",
      ".claude/projects/a/s3.jsonl",
      ".claude/projects/a/agent-1.jsonl",
      ".claude/projects/a/s3/subagents/agent-3.jsonl",
      ".claude/projects/a/s3/subagents/agent-2.jsonl",
      ".claude/projects/a/s3/subagents/agent-aprompt_suggestion-1.jsonl",
      ".claude/projects/a/s3/subagents/workflows/run/agent-4.jsonl",
      ".config/claude/projects/c/s4.jsonl",
    );
    expect(found()).toEqual([
      ".claude/projects/a/agent-1.jsonl",
      ".claude/projects/a/s3.jsonl",
      ".claude/projects/a/s3/subagents/agent-2.jsonl",
      ".claude/projects/a/s3/subagents/agent-3.jsonl",
      ".claude/projects/a/s3/subagents/agent-aprompt_suggestion-1.jsonl",
      ".claude/projects/a/s3/subagents/workflows/run/agent-4.jsonl",
      ".claude/projects/b/s1.jsonl",
      ".config/claude/projects/c/s4.jsonl",
    ]);
  });

  it.each([
    ".claude/history.jsonl",
    ".claude/projects/stray.jsonl",
    ".claude/projects/a/sessions-index.json",
    ".claude/projects/a/s.jsonl.bak",
    ".claude/projects/a/s/subagents/agent-acompact-1.jsonl",
    ".claude/projects/a/s/subagents/agent-1.meta.json",
    ".claude/projects/a/s/subagents/workflows/run/journal.jsonl",
    ".claude/projects/a/s/tool-results/agent-1.jsonl",
    ".claude/projects/a/memory/agent-1.jsonl",
    ".claude/file-history/s/agent-1.jsonl",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it("looks below CLAUDE_CONFIG_DIR instead, which may name several folders", () => {
    touch(".claude/projects/a/s1.jsonl", "one/projects/a/s2.jsonl", "two/projects/a/s3.jsonl");
    const variables = { CLAUDE_CONFIG_DIR: `${join(home, "one")}, ~/two` };
    expect(found(variables)).toEqual(["one/projects/a/s2.jsonl", "two/projects/a/s3.jsonl"]);
    expect(claudeCode.roots({ home, platform: "linux", variables, workFolders: [] })).toEqual(
      ["one/projects", "two/projects", "one/transcripts", "two/transcripts"].map((path) => join(home, path)),
    );
  });

  it("finds transcripts, but none that projects hold too", () => {
    touch(".claude/transcripts/ses_1.jsonl", ".claude/transcripts/s1.jsonl", ".claude/projects/a/s1.jsonl");
    touch(".claude/transcripts/deeper/ses_2.jsonl");
    expect(found()).toEqual([".claude/projects/a/s1.jsonl", ".claude/transcripts/ses_1.jsonl"]);
  });

  it.each([
    ["a root", ".claude", "data/claude", "data/claude/projects/a/s1.jsonl"],
    ["the projects folder", ".claude/projects", "data/projects", "data/projects/a/s1.jsonl"],
    ["a project", ".claude/projects/a", "data/a", "data/a/s1.jsonl"],
    ["a transcript", ".claude/projects/a/s1.jsonl", "data/s1.jsonl", "data/s1.jsonl"],
    ["a session's folder", ".claude/projects/a/s1", "data/s1", "data/s1/subagents/agent-1.jsonl"],
    ["subagents", ".claude/projects/a/s1/subagents", "data/subagents", "data/subagents/agent-1.jsonl"],
  ])("follows a symbolic link to %s", (_, from, to, file) => {
    touch(file);
    link(from, to);
    expect(found()).toEqual([file]);
  });

  it("finds a file once, however many ways lead to it", () => {
    touch(".claude/projects/b/s1.jsonl");
    link(".claude/projects/a", ".claude/projects/b");
    link(".claude/projects/b/loop", ".claude/projects");
    link(".claude/projects/c/s1.jsonl", ".claude/projects/b/s1.jsonl");
    link(".config/claude", ".claude");
    expect(found()).toEqual([".claude/projects/b/s1.jsonl"]);
  });

  it("finds nothing, and no problem, where Claude Code was never used", () => {
    expect(found()).toEqual([]);
    expect(findProblems(claudeCode, home)).toEqual([]);
  });

  it("reports what cannot be looked at, and finds the rest", () => {
    touch(".claude/projects", ".config/claude/projects/a/s1.jsonl");
    link(".config/claude/projects/b", ".config/claude/projects/b");
    link(".config/claude/projects/c", "gone");
    expect(found()).toEqual([".config/claude/projects/a/s1.jsonl"]);
    expect(findProblems(claudeCode, home)).toEqual([
      { path: join(home, ".config/claude/projects/b"), problem: "cannot be read (ELOOP)" },
    ]);
  });
});

describe("placeOf", () => {
  it.each([
    ["/h/projects/p/s1.jsonl", "main", "s1"],
    ["/h/projects/p/agent-1.jsonl", "subagent", undefined],
    ["/subagents/projects/p/agent-1.jsonl", "subagent", undefined],
    ["/h/projects/p/s1/subagents/agent-1.jsonl", "subagent", "s1"],
    ["/h/projects/p/s1/subagents/workflows/run/agent-1.jsonl", "subagent", "s1"],
    ["/h/projects/p/s1/subagents/agent-aprompt_suggestion-1.jsonl", "suggestion", "s1"],
  ])("%s is a %s of session %s", (path, kind, session) => {
    expect(placeOf(path)).toMatchObject({ kind, session });
  });
});
