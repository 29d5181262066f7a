import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findProblems } from "../../../test/support/read-items.ts";
import { ampRoots, threadOf } from "./paths.ts";
import { amp } from "./source.ts";

const CENTRAL = ".local/share/amp/threads";
const EXTENSION = "globalStorage/sourcegraph.amp";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "amp-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  it.each([
    { platform: "linux", editor: ".config/Code/User" },
    { platform: "darwin", editor: "Library/Application Support/Code/User" },
    { platform: "win32", editor: "AppData/Roaming/Code/User" },
  ] as const)("on $platform are the central folder and those of editors", ({ platform, editor }) => {
    const roots = ampRoots(environmentOf(home, { platform })).map((root) => relative(home, root));
    expect(roots[0]).toBe(CENTRAL);
    expect(roots).toContain(`${editor}/${EXTENSION}/threads3`);
    expect(roots).toContain(`${editor}/${EXTENSION}/threads3-development`);
  });
});

describe("find", () => {
  it("gives threads by name, those of editors after the central ones", () => {
    touch(
      `.config/Cursor/User/${EXTENSION}/threads3-development/T-00000004.json`,
      `.config/Code/User/${EXTENSION}/threads3/T-00000003.json`,
      `${CENTRAL}/T-00000002.json`,
      `${CENTRAL}/T-00000001.json`,
    );
    expect(found()).toEqual([
      `${CENTRAL}/T-00000001.json`,
      `${CENTRAL}/T-00000002.json`,
      `.config/Code/User/${EXTENSION}/threads3/T-00000003.json`,
      `.config/Cursor/User/${EXTENSION}/threads3-development/T-00000004.json`,
    ]);
  });

  it.each([
    `${CENTRAL}/settings.json`,
    `${CENTRAL}/T-00000001.json.tmp`,
    `${CENTRAL}/.T-00000001.json`,
    `${CENTRAL}/deeper/T-00000001.json`,
    ".local/share/amp/history.jsonl",
    ".local/share/amp/session.json",
    `.config/Code/User/${EXTENSION}/T-00000001.json`,
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it.each([
    { variables: { XDG_DATA_HOME: "data" }, path: "data/amp/threads/T-00000001.json" },
    { variables: { XDG_CONFIG_HOME: "set" }, path: `set/Code/User/${EXTENSION}/threads3/T-00000001.json` },
  ])("follows $variables", ({ variables, path }) => {
    touch(path);
    const absolute = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, join(home, value)]));
    expect(found()).toEqual([]);
    expect(found(absolute)).toEqual([path]);
  });

  it("leaves the usual folder where another is given, and only there", () => {
    touch(`${CENTRAL}/T-00000001.json`);
    expect(found({ XDG_DATA_HOME: join(home, "data") })).toEqual([]);
    expect(found({ XDG_DATA_HOME: " " })).toHaveLength(1);
  });

  it("follows links, and gives a file once", () => {
    touch("disk/T-00000001.json");
    mkdirSync(join(home, CENTRAL), { recursive: true });
    symlinkSync(join(home, "disk/T-00000001.json"), join(home, CENTRAL, "T-00000009.json"));
    mkdirSync(join(home, ".config/Code/User", EXTENSION), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, ".config/Code/User", EXTENSION, "threads3"));
    expect(found()).toEqual(["disk/T-00000001.json"]);
  });

  it("reports what it cannot look into and goes on", () => {
    touch(`.config/Code/User/${EXTENSION}/threads3/T-00000003.json`);
    mkdirSync(dirname(join(home, CENTRAL)), { recursive: true });
    symlinkSync(join(home, CENTRAL), join(home, CENTRAL));
    expect(found()).toHaveLength(1);
    const problems = findProblems(amp, home).map(({ path, problem }) => `${relative(home, path)}: ${problem}`);
    expect(problems).toEqual([`${CENTRAL}: cannot be read (ELOOP)`]);
  });
});

describe("threadOf", () => {
  it.each([
    ["/h/threads/T-0199.json", "T-0199"],
    ["C:\\h\\threads\\T-0199.json", "T-0199"],
  ])("of %s is %s", (path, thread) => {
    expect(threadOf(path)).toBe(thread);
  });
});

function found(variables: Record<string, string> = {}): string[] {
  const entries = [...amp.find(environmentOf(home, { platform: "linux", variables }))];
  return entries.flatMap((entry) => ("unit" in entry ? [relative(home, entry.path)] : []));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
