import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import type { FoundPart } from "../source.ts";
import { openPrompts } from "./container.ts";
import { claudePrompts } from "./source.ts";

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "yore-prompts-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

function line(sessionId: string, timestamp = 1_772_442_000_000): string {
  return `${JSON.stringify({ display: "hello", pastedContents: {}, timestamp, project: "/home/ana/code/tide", sessionId })}\n`;
}

function write(path: string, text = line("s1")): string {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), text);
  return join(home, path);
}

function partsOf(path: string): FoundPart[] {
  const prompts = openPrompts({ path, unit: "container" });
  const parts = [...prompts.parts()].flatMap((part) => ("problem" in part ? [] : [part]));
  prompts.close();
  return parts;
}

const namesOf = (path: string) => partsOf(path).map(({ name }) => name);

describe("the prompt history", () => {
  it("is looked for in Claude Code's folders", () => {
    const paths = [write(".claude/history.jsonl"), write(".config/claude/history.jsonl")];
    write(".claude/projects/a/history.jsonl");
    expect(findFiles(claudePrompts, home)).toEqual(paths.map((path) => ({ path, unit: "container" })));
  });

  it.each([
    ["one folder", "elsewhere"],
    ["several", "gone, elsewhere"],
    ["below the home folder", "~/elsewhere"],
  ])("is looked for where CLAUDE_CONFIG_DIR says: %s", (_, value) => {
    write(".claude/history.jsonl");
    const path = write("elsewhere/history.jsonl");
    const found = findFiles(claudePrompts, home, { CLAUDE_CONFIG_DIR: value });
    expect(found.map((file) => file.path)).toEqual([path]);
    expect(claudePrompts.roots(environmentOf(home, { variables: { CLAUDE_CONFIG_DIR: value } }))).toContain(
      join(home, "elsewhere"),
    );
  });

  it("is found by its real path, and what cannot be looked at is told", () => {
    const path = write("disk/history.jsonl");
    symlinkSync(join(home, "disk"), join(home, ".claude"));
    mkdirSync(join(home, ".config"));
    symlinkSync(join(home, ".config/claude"), join(home, ".config/claude"));
    expect(findFiles(claudePrompts, home).map((file) => file.path)).toEqual([path]);
    expect(findProblems(claudePrompts, home)).toEqual([
      { problem: "cannot be read (ELOOP)", path: join(home, ".config/claude") },
    ]);
  });
});

describe("the sessions in it", () => {
  it("tell which of Claude Code's they repeat", () => {
    const [part] = partsOf(write(".claude/history.jsonl", line("s1")));
    expect(part?.copyOf).toEqual({ agent: "claude-code", session: "s1" });
  });

  it("have another revision where a prompt was added, and the others the same", () => {
    const history = write(".claude/history.jsonl", line("s1") + line("s2"));
    const [before, other] = partsOf(history);
    appendFileSync(history, line("s1", 1_772_442_005_000));
    expect(partsOf(history)[0]?.revision).not.toBe(before?.revision);
    expect(partsOf(history)[1]).toEqual(other);
  });

  it("are as complete as the lines that have ended", () => {
    const history = write(".claude/history.jsonl", line("s1") + line("s2").slice(0, -1));
    expect(namesOf(history)).toEqual(["s1"]);
    appendFileSync(history, "\n");
    expect(namesOf(history)).toEqual(["s1", "s2"]);
  });

  it.each([
    [
      "a quote of another session",
      '{"display":"\\"sessionId\\":\\"s9\\"}","timestamp":1,"project":"/a","sessionId":"s1"}',
      "s1",
    ],
    ["another order", '{"sessionId":"s1","display":"a","timestamp":1772442000000,"project":"/a"}', "s1"],
    ["no session", '{"display":"a","timestamp":1772442000000,"project":"/a"}', "2026-03-02-"],
    ["a project in quotes", '{"display":"a","timestamp":1772442000000,"project":"/a\\"b","sessionId":"s1"}', "s1"],
    ["no time", '{"display":"a"}', "undated-"],
  ])("are told from lines with %s", (_, text, name) => {
    const [found = ""] = namesOf(write(".claude/history.jsonl", `${text}\n`));
    expect(found.slice(0, name.length)).toBe(name);
  });

  it("are read from a file of any size", () => {
    const lines = Array.from({ length: 3_000 }, (_, n) =>
      line(`s${n % 7}`, 1_772_442_000_000 + n * 1_000).replace("hello", "帆".repeat(n % 400)),
    );
    const history = write(".claude/history.jsonl", lines.join(""));
    const prompts = openPrompts({ path: history, unit: "container" });
    const records = [...prompts.parts()].flatMap((part) =>
      "problem" in part ? [] : [...prompts.records(part)].slice(1),
    );
    prompts.close();
    expect(records.map((record) => `${JSON.stringify(record)}\n`).sort()).toEqual([...lines].sort());
  });
});
