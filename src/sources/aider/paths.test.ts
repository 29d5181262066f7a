import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { environmentOf } from "../../../test/support/read-items.ts";
import { openHistory } from "./container.ts";
import { acceptHistory, aiderRoots, findHistories } from "./paths.ts";
import { findSections } from "./sections.ts";

const NAME = ".aider.chat.history.md";
const RUN = "# aider chat started at 2026-03-02 09:00:00\n\n#### hello  \n";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "yore-aider-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

function write(path: string, text = RUN): string {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), text);
  return join(home, path);
}

describe("histories", () => {
  it("are looked for in the folders worked in, and in the home folder, each once", () => {
    const workFolders = [join(home, "b"), join(home, "a"), join(home, "gone"), home];
    const [inB, inA, inHome] = [write(`b/${NAME}`), write(`a/${NAME}`), write(NAME)];
    write(`a/deeper/${NAME}`);
    const found = findHistories(environmentOf(home, { workFolders }));
    expect(found).toEqual([inB, inA, inHome].map((path) => ({ path, unit: "container" })));
    expect(aiderRoots(environmentOf(home, { workFolders }))).toEqual(workFolders);
  });

  it.each([
    { what: "a name", value: "chat.md", path: "a/chat.md" },
    { what: "a path in the folder", value: "logs/chat.md", path: "a/logs/chat.md" },
  ])("have the name that AIDER_CHAT_HISTORY_FILE says: $what", ({ value, path }) => {
    const file = write(path);
    write(`a/${NAME}`);
    const variables = { AIDER_CHAT_HISTORY_FILE: value };
    const found = findHistories(environmentOf(home, { workFolders: [join(home, "a")], variables }));
    expect(found).toEqual([{ path: file, unit: "container" }]);
  });

  it("may all be in one file", () => {
    const path = write("all.md");
    const variables = { AIDER_CHAT_HISTORY_FILE: path };
    const workFolders = [join(home, "a"), join(home, "b")];
    expect(findHistories(environmentOf(home, { workFolders, variables }))).toEqual([{ path, unit: "container" }]);
  });

  it("are found by their real paths, and what cannot be looked at is told", () => {
    const path = write(`disk/${NAME}`);
    symlinkSync(join(home, "disk"), join(home, "a"));
    symlinkSync(join(home, "loop"), join(home, "loop"));
    mkdirSync(join(home, "b", NAME), { recursive: true });
    const workFolders = ["a", "loop", "b"].map((name) => join(home, name));
    expect(findHistories(environmentOf(home, { workFolders }))).toEqual([
      { path, unit: "container" },
      { problem: "cannot be read (ELOOP)", path: join(home, "loop") },
    ]);
  });
});

describe("a file or folder that a person names", () => {
  it.each([
    { what: "a history", path: NAME, text: RUN, named: NAME },
    { what: "a history that is still empty", path: NAME, text: "", named: NAME },
    { what: "a history by another name", path: "old.md", text: `before\n\n${RUN}`, named: "old.md" },
    { what: "the folder of a history", path: `a/${NAME}`, text: RUN, named: "a" },
  ])("is accepted: $what", ({ path, text, named }) => {
    const file = write(path, text);
    expect(acceptHistory(join(home, named))).toEqual([{ path: file, unit: "container" }]);
  });

  it.each([
    {
      what: "other Markdown",
      path: "notes.md",
      text: "# notes\n\nOn # aider chat started at 2026-03-02 09:00:00",
      named: "notes.md",
    },
    { what: "an empty folder", path: "a/notes.md", text: "", named: "a" },
    { what: "nothing", path: "a", text: "", named: "b" },
  ])("is not accepted: $what", ({ path, text, named }) => {
    write(path, text);
    expect(acceptHistory(join(home, named))).toEqual([]);
  });
});

describe("the parts of a history", () => {
  const partsOf = (path: string) => {
    const history = openHistory({ path, unit: "container" });
    const parts = [...history.parts()].flatMap((part) => ("problem" in part ? [] : [part]));
    history.close();
    return parts;
  };

  it("have another revision where they grew, and the others the same", () => {
    const later = RUN.replace("09:00:00", "10:00:00");
    const path = write(NAME, `${RUN}\n${later}`);
    const before = partsOf(path).map(({ revision }) => revision);
    write(NAME, `${RUN}\n${later}\nhello to you\n`);
    const after = partsOf(path).map(({ revision }) => revision);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it.each([
    { what: "no heading and no prompt", text: "Killed: 9\n", names: [] },
    { what: "only blank lines before the first", text: `\n\n${RUN}`, names: ["2026-03-02T09-00-00"] },
    { what: "a prompt before the first", text: `#### hi  \n\n${RUN}`, names: ["untimed", "2026-03-02T09-00-00"] },
    {
      what: "a heading within a line",
      text: `${RUN}> # aider chat started at 2026-03-02 09:00:01  \n`,
      names: ["2026-03-02T09-00-00"],
    },
    { what: "two of one second", text: RUN + RUN, names: ["2026-03-02T09-00-00", "2026-03-02T09-00-00~2"] },
  ])("are named by when they were begun: $what", ({ text, names }) => {
    expect(partsOf(write(NAME, text)).map(({ name }) => name)).toEqual(names);
  });

  it("are found wherever a heading stands in a large file", () => {
    const heading = "# aider chat started at 2026-03-02 09:00:00\n";
    for (const shift of [-heading.length, -20, -1, 0, 1, 20]) {
      const filler = `${"x".repeat(4_000_000 + shift - 1)}\n`;
      const file = openSync(write("large.md", filler + heading + heading), "r");
      expect(findSections(file).map(({ from }) => from)).toEqual([0, filler.length, filler.length + heading.length]);
      closeSync(file);
    }
  });
});
