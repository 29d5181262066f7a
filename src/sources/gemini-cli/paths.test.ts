import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOf } from "../gemini-format/place.ts";
import { geminiCli } from "./source.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "gemini-paths-")));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("find", () => {
  it("gives documents and logs of all projects in order, and subagents behind them", () => {
    for (const path of [
      "tide/chats/session-2-b.jsonl",
      "tide/chats/session-1-a.json",
      "tide/chats/5e55/k3f9x2.jsonl",
      "0123abcd/chats/session-3-c.json",
      "tide/chats/session-4-d.jsonl.tmp-77",
      "tide/chats/notes.json",
      "tide/chats/5e55/.hidden.jsonl",
      "tide/logs.json",
      "tide/logs/session-5-e.jsonl",
      "tide/checkpoint-x.json",
      "bin/rg",
    ]) {
      write(`.gemini/tmp/${path}`);
    }
    expect(find()).toEqual([
      "0123abcd/chats/session-3-c.json document",
      "tide/chats/session-1-a.json document",
      "tide/chats/session-2-b.jsonl log",
      "tide/chats/5e55/k3f9x2.jsonl log",
    ]);
  });

  it("looks below GEMINI_CLI_HOME alone where that is set", () => {
    write(".gemini/tmp/a/chats/session-1.jsonl");
    write("other/.gemini/tmp/b/chats/session-2.jsonl");
    expect(find({ GEMINI_CLI_HOME: join(home, "other") })).toEqual([
      "../../other/.gemini/tmp/b/chats/session-2.jsonl log",
    ]);
    expect(find({ GEMINI_CLI_HOME: "" })).toEqual(["a/chats/session-1.jsonl log"]);
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    write("disk/chats/session-1.jsonl");
    write(".gemini/tmp/a/x");
    symlinkSync(join(home, "disk"), join(home, ".gemini/tmp/b"));
    symlinkSync(join(home, "disk/chats"), join(home, ".gemini/tmp/a/chats"));
    symlinkSync(join(home, "disk/chats"), join(home, "disk/chats/loop"));
    symlinkSync(join(home, "gone"), join(home, "disk/chats/session-2.jsonl"));
    expect(find()).toEqual(["../../disk/chats/session-1.jsonl log"]);
  });

  it("is empty for a home without Gemini CLI", () => {
    expect(find()).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    write(".gemini/tmp/a/chats/session-1.jsonl");
    symlinkSync(join(home, ".gemini/tmp/loop"), join(home, ".gemini/tmp/loop"));
    expect(find()).toEqual(["a/chats/session-1.jsonl log", "loop cannot be read (ELOOP)"]);
  });
});

describe("placeOf", () => {
  it.each([
    ["/g/tmp/tide/chats/session-1-a.json", { stem: "session-1-a", parent: undefined, project: "/g/tmp/tide" }],
    ["/g/tmp/tide/chats/5e55/k3f9x2.jsonl", { stem: "k3f9x2", parent: "5e55", project: "/g/tmp/tide" }],
  ])("of %s", (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });
});

function find(variables: Record<string, string> = {}): string[] {
  return [...geminiCli.find({ home, platform: process.platform, variables, workFolders: [] })].map((entry) => {
    const path = relative(join(home, ".gemini/tmp"), entry.path);
    return `${path} ${"unit" in entry ? entry.unit : entry.problem}`;
  });
}

function write(path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), "");
}
