import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pi } from "../sources/pi/source.ts";
import type { FoundFile } from "../sources/source.ts";
import { Changes, foldersOf } from "./changes.ts";
import type { Candidate, Discovery } from "./discover.ts";

function candidate(file: FoundFile, mtimeMs = 0): Candidate {
  return { source: pi, file, size: 0, mtimeMs, inode: 0, bornMs: 0 };
}

/** Two sessions and a database in an agent's own folder, and a history in a project; on disk, in a folder of its own. */
function world() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "yore-changes-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const at = (path: string): string => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    return join(top, path);
  };
  const write = (path: string): string => {
    writeFileSync(at(path), "");
    return at(path);
  };
  const found: Discovery = {
    candidates: [
      candidate({ path: write("agent/p1/deep/old.jsonl"), unit: "lines" }, 1),
      candidate({ path: write("agent/p2/new.jsonl"), unit: "lines" }, 2),
      candidate({
        path: write("agent/chat.db"),
        unit: "container",
        beside: [at("agent/chat.db-wal"), dirname(at("tree/x"))],
      }),
      candidate({ path: write("project/history.md"), unit: "container" }),
    ],
    problems: [],
    roots: [at("agent"), at("project")],
    ownRoots: [at("agent")],
  };
  const changes = new Changes();
  changes.learn(found, new Set());
  return { at, write, found, changes };
}

describe("foldersOf", () => {
  it("are those of files and of what is beside them, up to the agent's own, those of the newest first", () => {
    const { at, found } = world();
    const { own, others } = foldersOf(found);
    expect([...own]).toEqual([at("agent"), at("agent/p2"), at("agent/p1/deep"), at("agent/p1")]);
    expect([...others].sort()).toEqual([dirname(at("x")), at("project"), at("tree")].sort());
  });

  it("are the agents' own where nothing was found yet", () => {
    const { at, found } = world();
    expect(foldersOf({ ...found, candidates: [] })).toEqual({ own: new Set([at("agent")]), others: new Set() });
  });
});

describe("Changes", () => {
  it("are of files that are known, of what is beside them, and of what is in a folder beside them", () => {
    const { at, changes } = world();
    for (const path of ["agent/p2/new.jsonl", "agent/chat.db-wal", "tree/message.json", "project/history.md"]) {
      changes.hear(at(path));
    }
    expect(changes.hasNew).toBe(false);
    expect([...changes.take()]).toEqual(
      ["agent/p2/new.jsonl", "agent/chat.db-wal", "tree", "project/history.md"].map(at),
    );
    expect([changes.hasChanged, [...changes.take()]]).toEqual([false, []]);
  });

  it.each([
    ["in an agent's own folder", "agent/p3", true],
    ["beside a session", "agent/p2/other.jsonl", true],
    ["in a project", "project/main.c", false],
    ["deeper than anything is followed", "agent/p9/x/y.jsonl", false],
    ["that is a folder known before", "agent/p2", false],
  ])("with a name that was not known, %s: %s", (_, path, isNews) => {
    const { at, changes } = world();
    changes.hear(at(path));
    expect([changes.hasNew, changes.hasChanged]).toEqual([isNews, false]);
  });

  it("somewhere are news until everything was looked over", () => {
    const { changes } = world();
    changes.hear(undefined);
    expect(changes.hasNew).toBe(true);
    changes.takeNew();
    expect(changes.hasNew).toBe(false);
  });

  it("of a name that turned out to be no session are no news again", () => {
    const { at, write, found, changes } = world();
    write("agent/p2/notes.txt");
    changes.hear(at("agent/p2/notes.txt"));
    changes.learn(found, changes.takeNew());
    changes.hear(at("agent/p2/notes.txt"));
    expect(changes.hasNew).toBe(false);
  });

  it("of a file that was found meanwhile are changes of it", () => {
    const { at, write, found, changes } = world();
    const path = write("agent/p2/third.jsonl");
    const names = changes.takeNew();
    changes.hear(path);
    changes.learn({ ...found, candidates: [...found.candidates, candidate({ path, unit: "lines" })] }, names);
    expect([changes.hasNew, [...changes.take()]]).toEqual([false, [at("agent/p2/third.jsonl")]]);
  });

  it("in a new folder, and in one within it, are news before there is a session in it", () => {
    const { at, write, found, changes } = world();
    write("agent/p3/inner/notes.txt");
    changes.hear(at("agent/p3"));
    changes.learn(found, changes.takeNew());
    expect([...changes.folders]).toEqual(expect.arrayContaining([at("agent/p3"), at("agent/p3/inner")]));
    changes.hear(at("agent/p3/inner/session.jsonl"));
    expect(changes.hasNew).toBe(true);
    rmSync(at("agent/p3"), { recursive: true });
    changes.learn(found, changes.takeNew());
    expect([...changes.folders]).not.toContain(at("agent/p3"));
  });

  it("follows no more than a few hundred new folders, however many there are", () => {
    const { at, found, changes } = world();
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 300; count++) {
        mkdirSync(at(`agent/new-${round}-${count}`));
        changes.hear(at(`agent/new-${round}-${count}`));
      }
      changes.learn(found, changes.takeNew());
    }
    expect(changes.folders.size).toBeLessThan(300);
  });
});
