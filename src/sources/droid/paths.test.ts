import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { droid } from "./source.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "droid-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it.each([
    {
      what: "sessions by folder and name",
      files: [".factory/sessions/-b/2.jsonl", ".factory/sessions/-a/3.jsonl", ".factory/sessions/btw/1.jsonl"],
      found: [".factory/sessions/-a/3.jsonl", ".factory/sessions/-b/2.jsonl", ".factory/sessions/btw/1.jsonl"],
    },
    {
      what: "sessions without a folder",
      files: [".factory/sessions/1.jsonl", ".factory/sessions/-a/2.jsonl"],
      found: [".factory/sessions/1.jsonl", ".factory/sessions/-a/2.jsonl"],
    },
    {
      what: "from projects what sessions does not have",
      files: [".factory/projects/-a/1.jsonl", ".factory/projects/-a/2.jsonl", ".factory/sessions/-a/1.jsonl"],
      found: [".factory/sessions/-a/1.jsonl", ".factory/projects/-a/2.jsonl"],
    },
    {
      what: "nothing else",
      files: [
        ".factory/sessions/-a/1.jsonl.bak",
        ".factory/sessions/-a/1.settings.json",
        ".factory/history.json",
        ".factory/logs/1.jsonl",
        ".factory/sessions/1/2/3/4/5/1.jsonl",
      ],
      found: [],
    },
  ])("gives $what", ({ files, found }) => {
    for (const file of files) write(file);
    expect(find()).toEqual(found.map((path) => `${path} lines`));
  });

  it("looks below FACTORY_HOME_OVERRIDE alone where that is set", () => {
    write(".factory/sessions/-a/1.jsonl");
    write("other/.factory/sessions/-a/2.jsonl");
    expect(find({ FACTORY_HOME_OVERRIDE: join(home, "other") })).toEqual(["other/.factory/sessions/-a/2.jsonl lines"]);
    expect(find({ FACTORY_HOME_OVERRIDE: "" })).toEqual([".factory/sessions/-a/1.jsonl lines"]);
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    write("disk/-a/1.jsonl");
    mkdirSync(join(home, ".factory"));
    symlinkSync(join(home, "disk"), join(home, ".factory/sessions"));
    symlinkSync(join(home, "disk"), join(home, ".factory/projects"));
    symlinkSync(join(home, "disk/-a"), join(home, "disk/-b"));
    symlinkSync(join(home, "disk"), join(home, "disk/-a/loop"));
    symlinkSync(join(home, "disk/-a/1.jsonl"), join(home, "disk/-a/2.jsonl"));
    symlinkSync(join(home, "gone"), join(home, "disk/-a/3.jsonl"));
    expect(find()).toEqual(["disk/-a/1.jsonl lines"]);
  });

  it("is empty for a home without Droid", () => {
    expect(find()).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(".factory/sessions/-a/1.jsonl");
    symlinkSync(join(home, ".factory/sessions/loop"), join(home, ".factory/sessions/loop"));
    expect(find()).toEqual([".factory/sessions/-a/1.jsonl lines", ".factory/sessions/loop cannot be read (ELOOP)"]);
  });
});

function find(variables: Record<string, string> = {}): string[] {
  return [...droid.find({ home, platform: process.platform, variables, workFolders: [] })].map((entry) => {
    return `${relative(home, entry.path)} ${"unit" in entry ? entry.unit : entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}
