import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFiles, findProblems } from "../../../test/support/read-items.ts";
import { sessionOf, workspaceFile } from "./paths.ts";
import { copilotCli } from "./source.ts";

const STATE = ".copilot/session-state";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "copilot-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("find", () => {
  it("gives the event logs of all sessions, then those that stand alone", () => {
    touch(`${STATE}/b/events.jsonl`, `${STATE}/a/events.jsonl`, `${STATE}/d.jsonl`, `${STATE}/c.jsonl`);
    expect(found()).toEqual(
      ["a/events.jsonl", "b/events.jsonl", "c.jsonl", "d.jsonl"].map((name) => `${STATE}/${name}`),
    );
  });

  it("leaves a log that a newer version moved into a folder", () => {
    touch(`${STATE}/a.jsonl`, `${STATE}/a/events.jsonl`, `${STATE}/b.jsonl`, `${STATE}/b/workspace.yaml`);
    expect(found()).toEqual([`${STATE}/a/events.jsonl`, `${STATE}/b.jsonl`]);
  });

  it.each([
    `${STATE}/a/workspace.yaml`,
    `${STATE}/a/checkpoints/index.md`,
    `${STATE}/a/files/events.jsonl`,
    `${STATE}/a/session.db`,
    `${STATE}/events.jsonl.tmp`,
    ".copilot/session-store.db",
    ".copilot/history-session-state/a.json",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it("looks below COPILOT_HOME alone where that is set", () => {
    touch(`${STATE}/a/events.jsonl`, "elsewhere/session-state/b/events.jsonl");
    expect(found({ COPILOT_HOME: join(home, "elsewhere") })).toEqual(["elsewhere/session-state/b/events.jsonl"]);
    expect(found({ COPILOT_HOME: " " })).toEqual([`${STATE}/a/events.jsonl`]);
  });

  it("looks below XDG_STATE_HOME too, where older versions wrote", () => {
    touch(`${STATE}/a/events.jsonl`, "state/.copilot/session-state/b/events.jsonl");
    expect(found({ XDG_STATE_HOME: join(home, "state") })).toEqual([
      `${STATE}/a/events.jsonl`,
      "state/.copilot/session-state/b/events.jsonl",
    ]);
  });

  it("follows links and gives a file once", () => {
    touch("disk/a/events.jsonl", "log.jsonl");
    mkdirSync(join(home, ".copilot"));
    symlinkSync(join(home, "disk"), join(home, STATE));
    symlinkSync(join(home, "disk/a"), join(home, "disk/b"));
    symlinkSync(join(home, "disk"), join(home, "disk/loop"));
    symlinkSync(join(home, "log.jsonl"), join(home, "disk/c.jsonl"));
    mkdirSync(join(home, "disk/d"));
    symlinkSync(join(home, "log.jsonl"), join(home, "disk/d/events.jsonl"));
    symlinkSync(join(home, "gone"), join(home, "disk/e.jsonl"));
    expect(found()).toEqual(["disk/a/events.jsonl", "log.jsonl"]);
    expect(findProblems(copilotCli, home)).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    touch(`${STATE}/a/events.jsonl`);
    symlinkSync(join(home, STATE, "loop"), join(home, STATE, "loop"));
    expect(found()).toEqual([`${STATE}/a/events.jsonl`]);
    expect(findProblems(copilotCli, home)).toEqual([
      { path: join(home, STATE, "loop"), problem: "cannot be read (ELOOP)" },
    ]);
  });

  it("is empty, without a problem, where Copilot was never used", () => {
    expect(found()).toEqual([]);
    expect(findProblems(copilotCli, home)).toEqual([]);
  });
});

describe("what a path tells", () => {
  it.each([
    { path: "/h/session-state/s1/events.jsonl", session: "s1", workspace: "/h/session-state/s1/workspace.yaml" },
    { path: "/h/session-state/s1.jsonl", session: "s1", workspace: undefined },
  ])("of $path", ({ path, session, workspace }) => {
    expect(sessionOf(path)).toBe(session);
    expect(workspaceFile(path)).toBe(workspace);
  });
});

function found(variables: Record<string, string> = {}): string[] {
  return findFiles(copilotCli, home, variables).map(({ path }) => relative(home, path));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
