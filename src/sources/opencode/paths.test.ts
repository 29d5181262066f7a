import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, findFiles, findProblems } from "../../../test/support/read-items.ts";
import type { Source } from "../source.ts";
import { placeOfSession } from "./place.ts";
import { kilo, mimoCode, openCode } from "./source.ts";

const DATA = ".local/share/opencode";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "opencode-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("roots", () => {
  it.each([
    { source: openCode, platform: "linux", variables: {}, roots: [".local/share/opencode"] },
    { source: openCode, platform: "win32", variables: {}, roots: [".local/share/opencode"] },
    {
      source: openCode,
      platform: "darwin",
      variables: {},
      roots: [".local/share/opencode", "Library/Application Support/opencode"],
    },
    { source: openCode, platform: "linux", variables: { XDG_DATA_HOME: "/h/data" }, roots: ["data/opencode"] },
    {
      source: openCode,
      platform: "linux",
      variables: { OPENCODE_DB: "/h/work/my.db" },
      roots: [".local/share/opencode", "work"],
    },
    { source: openCode, platform: "linux", variables: { OPENCODE_DB: "my.db" }, roots: [".local/share/opencode"] },
    { source: openCode, platform: "linux", variables: { OPENCODE_DB: ":memory:" }, roots: [".local/share/opencode"] },
    { source: kilo, platform: "linux", variables: {}, roots: [".local/share/kilo"] },
    { source: mimoCode, platform: "linux", variables: {}, roots: [".local/share/mimocode"] },
    { source: mimoCode, platform: "linux", variables: { MIMOCODE_HOME: "/h/mimo" }, roots: ["mimo/data"] },
    { source: mimoCode, platform: "linux", variables: { MIMOCODE_HOME: "mimo" }, roots: [".local/share/mimocode"] },
  ] as const)("of $source.name on $platform with $variables", ({ source, platform, variables, roots }) => {
    const found = source.roots(environmentOf("/h", { platform, variables }));
    expect(found.map((path) => relative("/h", path))).toEqual(roots);
  });
});

describe("find", () => {
  it("gives databases of all channels, then sessions in files, the oldest layout last", () => {
    touch(
      `${DATA}/project/home-ana/storage/session/info/ses_1.json`,
      `${DATA}/project/home-ana/storage/session/info/ses_2.json`,
      `${DATA}/storage/session/global/ses_3.json`,
      `${DATA}/storage/session/0a1b/ses_1.json`,
      `${DATA}/opencode-next.db`,
      `${DATA}/opencode.db`,
    );
    expect(found(openCode)).toEqual([
      `${DATA}/opencode-next.db`,
      `${DATA}/opencode.db`,
      `${DATA}/storage/session/0a1b/ses_1.json`,
      `${DATA}/storage/session/global/ses_3.json`,
      `${DATA}/project/home-ana/storage/session/info/ses_2.json`,
    ]);
  });

  it.each([
    `${DATA}/auth.json`,
    `${DATA}/opencode.db-wal`,
    `${DATA}/opencode.db.bak`,
    `${DATA}/other.db`,
    `${DATA}/log/opencode.db`,
    `${DATA}/storage/message/ses_1/msg_1.json`,
    `${DATA}/storage/part/msg_1/prt_1.json`,
    `${DATA}/storage/session_diff/ses_1.json`,
    `${DATA}/storage/project/0a1b.json`,
    `${DATA}/storage/migration`,
    `${DATA}/storage/session/global/ses_1.json.tmp`,
    `${DATA}/snapshot/0a1b/config.json`,
  ])("passes over %s", (path) => {
    touch(path);
    expect(found(openCode)).toEqual([]);
    expect(findProblems(openCode, home)).toEqual([]);
  });

  it.each([
    { source: kilo, path: ".local/share/kilo/kilo.db" },
    { source: kilo, path: ".local/share/kilo/kilo-dev.db" },
    { source: kilo, path: ".local/share/kilo/opencode.db" },
    { source: mimoCode, path: ".local/share/mimocode/mimocode.db" },
  ])("gives $path to $source.name alone", ({ source, path }) => {
    touch(path);
    for (const one of [openCode, kilo, mimoCode]) expect(found(one)).toEqual(one === source ? [path] : []);
  });

  it.each([
    { what: "an absolute path", name: (path: string) => path, at: "work/my.db" },
    { what: "a name in the data folder", name: () => "my.db", at: `${DATA}/my.db` },
  ])("gives the database that OPENCODE_DB names as $what, besides the usual one", ({ name, at }) => {
    touch(at, `${DATA}/opencode.db`);
    const variables = { OPENCODE_DB: name(join(home, at)) };
    expect(found(openCode, variables).sort()).toEqual([`${DATA}/opencode.db`, at].sort());
  });

  it("gives a database once by its real path, whatever links lead to it", () => {
    touch("disk/sessions.sqlite");
    mkdirSync(join(home, DATA), { recursive: true });
    symlinkSync(join(home, "disk/sessions.sqlite"), join(home, DATA, "opencode.db"));
    expect(found(openCode, { OPENCODE_DB: join(home, "disk/sessions.sqlite") })).toEqual(["disk/sessions.sqlite"]);
  });

  it.each([DATA, `${DATA}/storage/session/0a1b`, `${DATA}/project/home-ana`])(
    "reports %s, a link to itself",
    (path) => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      symlinkSync(join(home, path), join(home, path));
      expect(findProblems(openCode, home)).toEqual([{ path: join(home, path), problem: "cannot be read (ELOOP)" }]);
    },
  );

  it("reports the folder of the database that OPENCODE_DB names, a link to itself", () => {
    symlinkSync(join(home, "work"), join(home, "work"));
    expect(findProblems(openCode, home, { OPENCODE_DB: join(home, "work/my.db") })).toEqual([
      { path: join(home, "work"), problem: "cannot be read (ELOOP)" },
    ]);
  });

  it("names what shows that a history goes on", () => {
    touch(`${DATA}/opencode.db`);
    expect(besides()).toEqual([[`${DATA}/opencode.db-wal`]]);
    rmSync(join(home, DATA, "opencode.db"));
    const folder = `${DATA}/storage/message/ses_1`;
    touch(`${DATA}/storage/session/global/ses_1.json`, `${folder}/msg_1.json`, `${folder}/msg_2.json`);
    expect(besides()).toEqual([[folder, `${folder}/msg_2.json`]]);
    touch(`${DATA}/opencode.db`);
    expect(besides()).toEqual([[`${DATA}/opencode.db-wal`], undefined]);
  });
});

describe("accept", () => {
  it.each([
    { named: "copy/opencode.db", files: ["copy/opencode.db"] },
    { named: "copy", files: ["copy/opencode.db", "copy/storage/session/global/ses_1.json"] },
    { named: "copy/storage", files: [] },
    { named: "copy/notes.db", files: [] },
    { named: "copy/none.db", files: [] },
  ])("of $named", ({ named, files }) => {
    touch("copy/opencode.db", "copy/storage/session/global/ses_1.json", "copy/notes.db");
    const accepted = openCode.accept?.(join(home, named)) ?? [];
    expect(accepted.map(({ path }) => relative(home, path))).toEqual(files);
  });
});

describe("placeOfSession", () => {
  it.each([
    {
      path: "/d/storage/session/0a1b/ses_1.json",
      place: { data: "/d", messages: "/d/storage/message/ses_1", isOldest: false },
      parts: "/d/storage/part/msg_1",
    },
    {
      path: "/d/project/home-ana/storage/session/info/ses_1.json",
      place: {
        data: "/d",
        messages: "/d/project/home-ana/storage/session/message/ses_1",
        isOldest: true,
      },
      parts: "/d/project/home-ana/storage/session/part/ses_1/msg_1",
    },
  ])("of $path", ({ path, place, parts }) => {
    expect(placeOfSession(path)).toMatchObject(place);
    expect(placeOfSession(path).parts("msg_1")).toBe(parts);
  });
});

function found(source: Source, variables: Record<string, string> = {}): string[] {
  return findFiles(source, home, variables).map(({ path }) => relative(home, path));
}

function besides(): (string[] | undefined)[] {
  return findFiles(openCode, home).map(({ beside }) => beside?.map((path) => relative(home, path)));
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  }
}
