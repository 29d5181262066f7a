import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import { continueRoots, indexFile, sessionOf } from "./paths.ts";
import { continueDev } from "./source.ts";

const SESSIONS = ".continue/sessions";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "continue-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  it.each(["linux", "darwin", "win32"] as const)("on %s are one folder", (platform) => {
    expect(continueRoots(environmentOf(home, { platform }))).toEqual([join(home, SESSIONS)]);
  });
});

describe("find", () => {
  it("gives sessions by name", () => {
    touch(`${SESSIONS}/b.json`, `${SESSIONS}/a.json`);
    expect(found()).toEqual([`${SESSIONS}/a.json`, `${SESSIONS}/b.json`]);
  });

  it.each([
    `${SESSIONS}/sessions.json`,
    `${SESSIONS}/a.json.tmp`,
    `${SESSIONS}/.a.json`,
    `${SESSIONS}/deeper/a.json`,
    ".continue/config.json",
    ".continue/dev_data/a.json",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it("follows CONTINUE_GLOBAL_DIR, and then leaves the usual folder", () => {
    touch("other/sessions/b.json", `${SESSIONS}/a.json`);
    expect(found({ CONTINUE_GLOBAL_DIR: join(home, "other") })).toEqual(["other/sessions/b.json"]);
    expect(found({ CONTINUE_GLOBAL_DIR: " " })).toEqual([`${SESSIONS}/a.json`]);
  });

  it("follows links, and gives a file once", () => {
    touch("disk/a.json");
    mkdirSync(join(home, ".continue"));
    symlinkSync(join(home, "disk"), join(home, SESSIONS));
    symlinkSync(join(home, "disk/a.json"), join(home, "disk/b.json"));
    expect(found()).toEqual(["disk/a.json"]);
  });

  it("reports what it cannot look into", () => {
    mkdirSync(join(home, ".continue"));
    symlinkSync(join(home, SESSIONS), join(home, SESSIONS));
    const problems = findProblems(continueDev, home).map(({ path, problem }) => `${relative(home, path)}: ${problem}`);
    expect(problems).toEqual([`${SESSIONS}: cannot be read (ELOOP)`]);
  });

  it("is empty, without a problem, where Continue was never used", () => {
    expect(found()).toEqual([]);
    expect(findProblems(continueDev, home)).toEqual([]);
  });
});

describe("a session's path", () => {
  it.each([
    ["/h/.continue/sessions/s1.json", "s1", "/h/.continue/sessions/sessions.json"],
    ["C:\\h\\sessions\\s1.json", "s1", "C:\\h\\sessions\\sessions.json"],
  ])("%s tells its id and the list beside it", (path, session, index) => {
    expect({ session: sessionOf(path), index: indexFile(path) }).toEqual({ session, index });
  });
});

function found(variables: Record<string, string> = {}): string[] {
  return findFiles(continueDev, home, variables).map(({ path }) => relative(home, path));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
