import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFiles, findProblems } from "../../../test/support/read-items.ts";
import { placeOf, sessionName } from "./place.ts";
import { pi } from "./source.ts";

const DAY = "2026-03-02T09-00-00-000Z";
const CLAW = ".openclaw/agents/main/sessions";
const RESET = "jsonl.reset.2026-04-02T04-00-00.123Z";
let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-paths-")));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("find", () => {
  it("gives transcripts of Pi, omp and its profiles, and OpenClaw, in this order", () => {
    touch(
      `${CLAW}/c1.jsonl`,
      ".openclaw/agents/other/sessions/c2.jsonl",
      ".clawdbot/agents/main/sessions/c3.jsonl",
      ".omp/agent/sessions/-code/o1.jsonl",
      ".omp/agent/sessions/-code/o1/Scout.jsonl",
      ".omp/agent/sessions/-code/o1/Scout/Diver.jsonl",
      ".omp/profiles/work/agent/sessions/-code/o2.jsonl",
      ".pi/agent/sessions/--b--/p2.jsonl",
      ".pi/agent/sessions/--a--/p1.jsonl",
      ".pi/agent/sessions/p3.jsonl",
    );
    expect(found()).toEqual([
      ".pi/agent/sessions/p3.jsonl",
      ".pi/agent/sessions/--a--/p1.jsonl",
      ".pi/agent/sessions/--b--/p2.jsonl",
      ".omp/agent/sessions/-code/o1.jsonl",
      ".omp/agent/sessions/-code/o1/Scout.jsonl",
      ".omp/agent/sessions/-code/o1/Scout/Diver.jsonl",
      ".omp/profiles/work/agent/sessions/-code/o2.jsonl",
      `${CLAW}/c1.jsonl`,
      ".openclaw/agents/other/sessions/c2.jsonl",
      ".clawdbot/agents/main/sessions/c3.jsonl",
    ]);
  });

  it.each([
    ".pi/agent/settings.json",
    ".pi/agent/sessions/--a--/notes.md",
    ".pi/agent/sessions/--a--/p1.jsonl.bak",
    ".omp/agent/sessions/-code/o1/__advisor.jsonl",
    ".omp/agent/sessions/-code/o1/__advisor.slow.jsonl",
    `${CLAW}/sessions.json`,
    `${CLAW}/sessions.json.bak.1770000000000`,
    `${CLAW}/c1.jsonl.bak.2026-04-02T04-00-00.123Z`,
    `${CLAW}/c1.jsonl.lock`,
    `${CLAW}/c1.trajectory.jsonl`,
    `${CLAW}/c1.checkpoint.0123abcd-0123-4123-8123-0123456789ab.jsonl`,
    `${CLAW}/deeper/c1.jsonl`,
    ".openclaw/agents/main/agent/c1.jsonl",
  ])("passes over %s", (path) => {
    touch(path);
    expect(found()).toEqual([]);
  });

  it.each([
    { variables: { PI_CODING_AGENT_DIR: "elsewhere" }, path: "elsewhere/sessions/--a--/p1.jsonl" },
    { variables: { PI_CODING_AGENT_DIR: "~/elsewhere" }, path: "elsewhere/sessions/--a--/p1.jsonl" },
    { variables: { PI_CODING_AGENT_SESSION_DIR: "kept" }, path: "kept/p1.jsonl" },
    { variables: { PI_CONFIG_DIR: ".other" }, path: ".other/agent/sessions/-a/p1.jsonl" },
    { variables: { XDG_DATA_HOME: "data" }, path: "data/omp/sessions/-a/p1.jsonl" },
    { variables: { OPENCLAW_STATE_DIR: "claw" }, path: "claw/agents/main/sessions/c1.jsonl" },
    { variables: { CLAWDBOT_STATE_DIR: "claw" }, path: "claw/agents/main/sessions/c1.jsonl" },
    { variables: { OPENCLAW_HOME: "other" }, path: "other/.openclaw/agents/main/sessions/c1.jsonl" },
  ])("follows $variables", ({ variables, path }) => {
    touch(path);
    const absolute = Object.entries(variables).map(([name, value]) => {
      const isPlain = value.startsWith("~") || value.startsWith(".");
      return [name, isPlain ? value : join(home, value)] as const;
    });
    expect(found()).toEqual([]);
    expect(found(Object.fromEntries(absolute))).toEqual([path]);
  });

  it("leaves the usual folders where an agent's folder is given", () => {
    touch(".pi/agent/sessions/--a--/p1.jsonl", ".omp/agent/sessions/-a/o1.jsonl", `${CLAW}/c1.jsonl`);
    expect(found({ PI_CODING_AGENT_DIR: join(home, "x"), OPENCLAW_STATE_DIR: join(home, "y") })).toEqual([]);
    expect(found({ PI_CODING_AGENT_DIR: " ", OPENCLAW_STATE_DIR: "" })).toHaveLength(3);
  });

  it("follows links, gives a file once, and does not run in circles", () => {
    touch("disk/--a--/p1.jsonl", "disk/p2.jsonl");
    mkdirSync(join(home, ".pi/agent"), { recursive: true });
    symlinkSync(join(home, "disk"), join(home, ".pi/agent/sessions"));
    symlinkSync(join(home, "disk"), join(home, "disk/--a--/loop"));
    symlinkSync(join(home, "disk/p2.jsonl"), join(home, "disk/--a--/p3.jsonl"));
    symlinkSync(join(home, "gone"), join(home, "disk/p4.jsonl"));
    expect(found()).toEqual(["disk/p2.jsonl", "disk/--a--/p1.jsonl"]);
    expect(problems()).toEqual([]);
  });

  it("reports what it cannot look into and goes on", () => {
    touch(".omp/agent/sessions/-a/o1.jsonl");
    mkdirSync(join(home, ".pi/agent"), { recursive: true });
    symlinkSync(join(home, ".pi/agent/sessions"), join(home, ".pi/agent/sessions"));
    expect(found()).toEqual([".omp/agent/sessions/-a/o1.jsonl"]);
    expect(problems()).toEqual([".pi/agent/sessions: cannot be read (ELOOP)"]);
  });

  it("is empty, without a problem, where no such agent was used", () => {
    expect(found()).toEqual([]);
    expect(problems()).toEqual([]);
  });
});

describe("transcripts that OpenClaw put away", () => {
  const other = "b1.jsonl";

  it.each([
    { what: "a reset one", files: { [`a.${RESET}`]: "a" }, kept: [`a.${RESET}`] },
    {
      what: "a deleted one, compressed",
      files: { "a.jsonl.deleted.2026-04-02T04-00-00.123Z.zst": "" },
      kept: ["a.jsonl.deleted.2026-04-02T04-00-00.123Z.zst zstd"],
    },
    {
      what: "the plain one of twins",
      files: { [`a.${RESET}`]: "a", [`a.${RESET}.zst`]: "" },
      kept: [`a.${RESET}`],
    },
    {
      what: "one beside another's transcript",
      files: { [`a.${RESET}`]: "a", [other]: "b" },
      kept: [`a.${RESET}`, other],
    },
    { what: "none beside its live twin", files: { [`a.${RESET}`]: "a", "a.jsonl": "a" }, kept: ["a.jsonl"] },
    {
      what: "none beside a live twin it can't be told from",
      files: { [`a.${RESET}`]: "", "a.jsonl": "a", "a.jsonl.deleted.2026-04-02T04-00-00Z.zst": "" },
      kept: ["a.jsonl"],
    },
    {
      what: "one that left its name to another session",
      files: { [`a.${RESET}`]: "a", "a.jsonl": "a2" },
      kept: ["a.jsonl", `a.${RESET}`],
    },
  ])("are found: $what", ({ files, kept }) => {
    for (const [name, id] of Object.entries(files)) {
      write(`${CLAW}/${name}`, id === "" ? "" : `{"type":"session","id":"${id}"}\n`);
    }
    const names = findFiles(pi, home).map(({ path, compression }) =>
      [relative(join(home, CLAW), path), compression].filter((part) => part !== undefined).join(" "),
    );
    expect(names).toEqual(kept);
  });

  it("are found when they were moved into a database", () => {
    const archive = ".openclaw/agents/main/session-sqlite-import-archive";
    touch(`${archive}/a.jsonl.imported-1775100000000`, `${archive}/b.jsonl`);
    expect(found()).toEqual([`${archive}/a.jsonl.imported-1775100000000`, `${archive}/b.jsonl`]);
  });
});

describe("placeOf", () => {
  it.each([
    { path: `/h/.pi/agent/sessions/--a--/${DAY}_s1.jsonl`, session: "s1" },
    { path: "/h/.pi/agent/sessions/--a--/large.jsonl", session: undefined },
    { path: `C:\\h\\.pi\\agent\\sessions\\--a--\\${DAY}_s1.jsonl`, session: "s1" },
    { path: `/h/sessions/-a/${DAY}_s1/Scout.jsonl`, session: "s1/Scout", parent: "s1" },
    { path: `/h/sessions/-a/${DAY}_s1/Scout/Diver.jsonl`, session: "s1/Scout/Diver", parent: "s1/Scout" },
    { path: "/h/.openclaw/agents/main/sessions/s1.jsonl", session: undefined, isChannel: true },
    { path: `/h/.openclaw/agents/main/sessions/s1.${RESET}`, session: undefined, isChannel: true },
  ])("of $path", ({ path, session, parent, isChannel = false }) => {
    expect(placeOf(path)).toMatchObject({ session, parent, isChannel });
  });

  it.each([
    "s1.jsonl",
    `s1.${RESET}`,
    `s1.${RESET}.zst`,
    "s1.jsonl.deleted.2026-04-02T04-00-00Z",
    "s1.jsonl.imported-1775100000000",
  ])("takes the endings from %s", (name) => {
    expect(placeOf(`/h/.openclaw/agents/main/sessions/${name}`).stem).toBe("s1");
  });
});

describe("sessionName", () => {
  it.each([
    [`/h/.pi/agent/sessions/--a--/${DAY}_s1.jsonl`, "s1"],
    [`C:\\h\\${DAY}_s1.jsonl`, "s1"],
    ["/h/s1.jsonl", "s1"],
    ["s1", "s1"],
  ])("of %s is %s", (reference, name) => {
    expect(sessionName(reference)).toBe(name);
  });
});

function found(variables: Record<string, string> = {}): string[] {
  return findFiles(pi, home, variables).map(({ path }) => relative(home, path));
}

function problems(): string[] {
  return findProblems(pi, home).map(({ path, problem }) => `${relative(home, path)}: ${problem}`);
}

function touch(...paths: readonly string[]): void {
  for (const path of paths) write(path, "");
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}
