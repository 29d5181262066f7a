import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { type Finished, jsonOf, PROGRAM, type ProgramOptions, ROOT, runYore } from "../support/program.ts";

const SESSION = sessionId(1);
/** Root may read everything, so that nothing would be tested. */
const HEEDING: ProgramOptions = { heedsModes: true };

function talk(word: string, session = SESSION, turns = 1): readonly string[] {
  const transcript = claudeTranscript({ session });
  for (let turn = 0; turn < turns; turn++) {
    transcript.prompt(`${word} question ${turn}`);
    transcript.calls("Bash", { command: `make ${turn}` });
    transcript.returns(Array.from({ length: 400 }, (_, index) => `${word}${index * turn}`).join(" "));
    transcript.says(`${word} answer ${turn}`);
  }
  return transcript.lines;
}

async function indexed(sessions = 1): Promise<TestHome> {
  const home = createHome();
  for (let count = 1; count <= sessions; count++)
    home.write(home.claudePath(sessionId(count)), talk("barnacle", sessionId(count), 6));
  await jsonOf(home, ["index"]);
  return home;
}

/** A failure as people and scripts are told about it: no stack, no promise of a rejection, a way on. */
function expectExplained({ stdout, stderr }: Finished): void {
  expect(stdout).toBe("");
  expect(stderr).not.toMatch(/\n\s+at |Unhandled|SqliteError|TypeError|unexpected error/);
  expect(stderr).toMatch(/^yore: .+\nhint: .+\n$/s);
}

describe("where there is no history", () => {
  it.each([
    [["search", "barnacle"], 3],
    [["sessions"], 3],
    [["projects"], 3],
    [["tags"], 3],
    [["show", SESSION], 3],
    [["context", SESSION], 3],
    [["timeline"], 3],
    [["stats"], 3],
    [["index"], 0],
    [["doctor"], 0],
    [[], 0],
  ] as const)("yore %j is no accident", async (argv, exit) => {
    const home = createHome();
    const { code, stderr } = await runYore(home, argv);
    expect(stderr).not.toMatch(/\n\s+at |Error:|unexpected/);
    expect(code).toBe(exit);
  });

  it("yore alone says where it looked and what to do", async () => {
    const home = createHome();
    const { stdout } = await runYore(home, []);
    expect(stdout).toContain(join(home.home, ".claude", "projects"));
    expect(stdout).toContain("CLAUDE_CONFIG_DIR");
    const doctor = await runYore(home, ["doctor"]);
    expect(doctor.stdout).toMatch(/No history was found of Claude Code, Codex/);
  });

  it("a home that does not exist is one without history", async () => {
    const home = createHome();
    const { code, stderr } = await runYore({ home: join(home.home, "nobody"), yoreHome: home.yoreHome }, ["index"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("no history of an agent was found")]);
  });
});

describe("an installation that cannot be", () => {
  it("is explained, though another bundle carries it out", async () => {
    const home = createHome();
    const unknown = await runYore(home, ["install", "codx", "--yes"]);
    expectExplained(unknown);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("These can be connected: claude-code")]);
  });
});

describe("histories that cannot be read", () => {
  it("are named, and all else is read: folders, files, and files that were readable before", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    const folder = dirname(home.write(home.claudePath(sessionId(2), "/home/ana/closed"), talk("heron", sessionId(2))));
    const file = home.write(home.claudePath(sessionId(3)), talk("tern", sessionId(3)));
    const later = home.write(home.claudePath(sessionId(4)), talk("gull", sessionId(4)));
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("oyster");
    home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
    setMode(folder, 0o000);
    setMode(file, 0o000);
    const first = await runYore(home, ["index", "--json"], HEEDING);
    expect([first.code, JSON.parse(first.stdout).sessions]).toEqual([0, 3]);
    expect(first.stderr).toContain(`${folder}: cannot be read (EACCES)`);
    expect(first.stderr).toContain(`${file}: EACCES`);

    home.append(later, talk("gull", sessionId(4)));
    setMode(later, 0o000);
    const search = await runYore(home, ["search", "gull", "--json"], HEEDING);
    expect([search.code, JSON.parse(search.stdout).total]).toEqual([0, 1]);
    const doctor = await jsonOf(home, ["doctor"], HEEDING);
    expect(JSON.stringify(doctor)).toContain(`${later} could not be read`);

    for (const path of [folder, file, later]) chmodSync(path, 0o755);
    expect(await jsonOf(home, ["index"], HEEDING)).toMatchObject({ sessions: 5 });
    expect(await jsonOf(home, ["sessions"], HEEDING)).toMatchObject({
      sessions: Array.from({ length: 5 }, () => ({ state: "live" })),
    });
  });

  it("whole roots too", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("oyster");
    home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
    setMode(join(home.home, ".claude"), 0o000);
    const { code, stdout, stderr } = await runYore(home, ["index", "--json"], HEEDING);
    expect([code, JSON.parse(stdout).sessions]).toEqual([0, 1]);
    expect(stderr).toContain("EACCES");
    expect((await runYore(home, ["doctor"], HEEDING)).stdout).toContain("EACCES");
  });
});

/** Sets a mode, and gives everything back when the test has ended. */
function setMode(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => {
    if (existsSync(path)) chmodSync(path, 0o755);
  });
}

describe("a store that is damaged", () => {
  it.each([
    ["is no database", () => Buffer.from("This is no database. ".repeat(500))],
    ["is empty of sense from its first byte", (bytes: Buffer) => Buffer.alloc(bytes.length, 0xff)],
    ["has a torn header", () => Buffer.concat([Buffer.from("SQLite format 3\u0000"), Buffer.alloc(9_000, 7)])],
  ] as const)("because it %s is left as it is, and the way back is told and works", async (_, damage) => {
    const home = await indexed();
    const damaged = damage(readFileSync(home.storePath));
    writeFileSync(home.storePath, damaged);
    for (const argv of [["search", "barnacle"], ["sessions"], ["index"], ["index", "--rebuild"], ["doctor"], []]) {
      const finished = await runYore(home, argv);
      expect([argv, finished.code]).toEqual([argv, 1]);
      expectExplained(finished);
      expect(finished.stderr).toMatch(/The store at .* is damaged/);
      expect(readFileSync(home.storePath).equals(damaged)).toBe(true);
    }
    const { stderr } = await runYore(home, ["search", "barnacle", "--json"]);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "corrupt-store", hint: expect.stringContaining("`yore restore`") },
    });
    const restored = await runYore(home, ["restore"]);
    expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("it is kept as")]);
    const aside = readdirSync(home.yoreHome).find((name) => /^yore\.db\.damaged-\w+$/.test(name)) ?? "";
    expect(readFileSync(join(home.yoreHome, aside)).equals(damaged)).toBe(true);
    expect(await jsonOf(home, ["search", "barnacle"])).toMatchObject({ total: 6 });
  });

  it.each([
    ["in the middle of its pages", (path: string) => scribble(path, 0.4, 0.6)],
    ["in the word index", (path: string) => dropWords(path)],
  ])("%s is seen by doctor, which never says that it is well", async (_, damage) => {
    const home = await indexed(30);
    damage(home.storePath);
    const before = readFileSync(home.storePath);
    const { code, stdout, stderr } = await runYore(home, ["doctor", "--json"]);
    expect(code).toBe(1);
    if (stdout !== "") expect(JSON.parse(stdout)).toMatchObject({ healthy: false, store: { integrity: "corrupt" } });
    else expect(JSON.parse(stderr)).toMatchObject({ error: { code: "corrupt-store" } });
    expect(stdout + stderr).toMatch(/yore restore|yore index/);
    expect(readFileSync(home.storePath).equals(before)).toBe(true);
  });

  it("in its word index is made whole from its messages, also those of files that are gone", async () => {
    const home = await indexed(4);
    rmSync(home.claudePath(sessionId(2)));
    await jsonOf(home, ["index"]);
    const whole = home.dump();
    dropWords(home.storePath);
    const search = await runYore(home, ["search", "barnacle"]);
    expect(search.code).toBe(1);
    expectExplained(search);
    expect(search.stderr).toContain("yore index --rebuild");
    expect((await runYore(home, ["doctor"])).stdout).toContain("yore index --rebuild");

    expect(await jsonOf(home, ["index", "--rebuild"])).toMatchObject({ sessions: 4 });
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true });
    expect(await jsonOf(home, ["search", "barnacle", "--limit", "100"])).toMatchObject({ total: 24 });
    expect(compareDumps(home.dump(), whole)).toEqual({});
  });

  it("cut off by a full disk or a bad copy is told as damage, not as nothing found", async () => {
    const home = await indexed(30);
    truncateSync(home.storePath, Math.floor(statSync(home.storePath).size / 8_192) * 4_096);
    const search = await runYore(home, ["search", "barnacle"]);
    expect(search.code).toBe(1);
    expect(search.stderr).toMatch(/damaged/);
  });

  it("of a later version is not touched", async () => {
    const home = await indexed();
    const db = new Database(home.storePath);
    db.pragma("user_version = 99");
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
    const before = readFileSync(home.storePath);
    const finished = await runYore(home, ["search", "barnacle"]);
    expect(finished.code).toBe(1);
    expectExplained(finished);
    expect(finished.stderr).toMatch(/newer version of yore/);
    expect(readFileSync(home.storePath).equals(before)).toBe(true);
  });
});

function scribble(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, Math.floor(bytes.length * from), Math.floor(bytes.length * to));
  writeFileSync(path, bytes);
}

/** As a bug or another program may do it: the index's own tables no longer fit each other. */
function dropWords(path: string): void {
  const db = new Database(path);
  db.unsafeMode();
  db.pragma("writable_schema = ON");
  db.exec("DELETE FROM words_data WHERE id > 10");
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

describe("a folder of its own that cannot be used", () => {
  it("because nothing may be written there is told, with the way out", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    mkdirSync(home.yoreHome);
    setMode(home.yoreHome, 0o555);
    for (const argv of [["index"], ["search", "barnacle"], []]) {
      const finished = await runYore(home, argv, HEEDING);
      expect(finished.code).toBe(1);
      expectExplained(finished);
      expect(finished.stderr).toMatch(/cannot be opened.*YORE_HOME/s);
    }
    expect(readdirSync(home.yoreHome)).toEqual([]);
  });

  it("because a file stands there is told too", async () => {
    const home = createHome();
    writeFileSync(home.yoreHome, "not a folder");
    const finished = await runYore(home, ["index"]);
    expect(finished.code).toBe(1);
    expectExplained(finished);
    expect(readFileSync(home.yoreHome, "utf8")).toBe("not a folder");
  });

  it("because it may only be read is told, and the store in it stays as it is", async () => {
    const home = await indexed();
    const before = readFileSync(home.storePath);
    setMode(home.yoreHome, 0o555);
    for (const name of readdirSync(home.yoreHome)) chmodSync(join(home.yoreHome, name), 0o444);
    home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    const finished = await runYore(home, ["search", "barnacle"], HEEDING);
    expect(finished.code).toBe(1);
    expectExplained(finished);
    expect(readFileSync(home.storePath).equals(before)).toBe(true);
  });
});

describe("a full disk", () => {
  it("is told; what was stored stays and is found, and indexing goes on when there is room", async () => {
    const home = createHome();
    for (let count = 1; count <= 60; count++)
      home.write(home.claudePath(sessionId(count)), talk("barnacle", sessionId(count), 20));
    mkdirSync(home.yoreHome);
    const out = join(home.home, "out");
    mkdirSync(out);
    const yore = `"${process.execPath}" "${PROGRAM}"`;
    // A file system of its own, which is gone with the shell.
    const script = `
      mount -t tmpfs -o size=3m tmpfs "$YORE_HOME" || exit 90
      run() { name="$1"; shift; ${yore} "$@" >"$OUT/$name.out" 2>"$OUT/$name.err"; echo $? >"$OUT/$name.exit"; }
      run full index --json
      run again index --json
      run search search barnacle --json
      run doctor doctor --json
      mount -o remount,size=200m "$YORE_HOME" || exit 91
      run roomy index --json
      run healthy doctor --json
      cp "$YORE_HOME/yore.db" "$OUT/yore.db"
      if [ -s "$YORE_HOME/yore.db-wal" ]; then cp "$YORE_HOME/yore.db-wal" "$OUT/yore.db-wal"; fi
    `;
    const env = { PATH: process.env.PATH, HOME: home.home, YORE_HOME: home.yoreHome, OUT: out, TZ: "UTC" };
    const [command = "", ...before] = ownMounts();
    const shell = spawnSync(command, [...before, "sh", "-c", script], { env, cwd: ROOT, encoding: "utf8" });
    expect([shell.status, shell.stderr]).toEqual([0, ""]);
    const resultOf = (name: string) => ({
      exit: Number(readFileSync(join(out, `${name}.exit`), "utf8")),
      stdout: readFileSync(join(out, `${name}.out`), "utf8"),
      stderr: readFileSync(join(out, `${name}.err`), "utf8"),
    });

    for (const name of ["full", "again"]) {
      const { stderr } = resultOf(name);
      expect(stderr).not.toMatch(/\n\s+at |SqliteError|unexpected|ENOSPC/);
      expect(stderr).toMatch(/disk is full|no space left/i);
    }
    const search = resultOf("search");
    expect(search.exit).toBe(0);
    expect(JSON.parse(search.stdout).total).toBeGreaterThan(0);
    expect(search.stderr).toMatch(/disk is full|no space left/i);
    const doctor = resultOf("doctor");
    expect(doctor.exit).toBe(1);
    expect(doctor.stdout).toMatch(/There is no space left to index into/);
    expect(resultOf("roomy").exit).toBe(0);
    expect(JSON.parse(resultOf("roomy").stdout)).toMatchObject({ sessions: 60, messages: 60 * 80 });
    expect(JSON.parse(resultOf("healthy").stdout)).toMatchObject({ healthy: true });
  });
});

/** What runs a command that may mount file systems, which are gone with it. */
function ownMounts(): readonly string[] {
  const ways = [
    ["unshare", "--map-root-user", "--mount"],
    ["unshare", "--mount"],
  ] as const;
  const works = ways.find(
    ([command, ...flags]) => spawnSync(command, [...flags, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0,
  );
  return works ?? ways[0];
}

describe("a request that makes no sense", () => {
  it.each([
    [["show", "5e550009-dead"], 3, /no session with that id.*Nearest: 5e550001/s],
    [["show", "5e55"], 3, /8 characters/],
    [["context", "ffffffff-0000"], 3, /no session with that id.*Nearest: /s],
    [["search", ""], 2, /needs words or a filter/],
    [["search", "   "], 2, /needs words or a filter/],
    [["search"], 2, /needs words or a filter/],
    [["search", '""'], 2, /nothing to search for/],
    [["search", "barnacle", "--limit", "0"], 2, /limit/],
    [["search", "barnacle", "--limit", "many"], 2, /limit/],
    [["search", "barnacle", "--offset", "-1"], 2, /offset|number/],
    [["search", "barnacle", "--type", "poem"], 2, /type/],
    [["sessions", "--since", "someday"], 2, /--since expects a date/],
    [["sessions", "--since", "2026-02-30"], 2, /--since expects a date/],
    [["sessions", "--until", "2026-13-01"], 2, /--until expects a date/],
    [["timeline", "--at", "soonish"], 2, /date/],
    [["context", SESSION, "--budget", "3"], 2, /budget|200/],
    [["frobnicate"], 2, /frobnicate/],
    [["index", "--frobnicate"], 2, /frobnicate/],
  ] as const)("yore %j", async (argv, exit, message) => {
    const home = await shared();
    const finished = await runYore(home, argv);
    expect([finished.code, finished.stderr]).toEqual([exit, expect.stringMatching(message)]);
    expectExplained(finished);
  });

  it.each([
    ["barnacle since:someday", /since: takes a date/],
    ["barnacle on:2026-02-30", /on: takes a date/],
    ["barnacle since:2026-06-01 until:2026-05-01", /ends before it begins/],
    ["barnacle project:atlantis", /No project fits/],
    ["barnacle agent:hal", /No agent is called/],
  ])("yore search %j warns of what it could not use", async (query, warning) => {
    const home = await shared();
    const { code, stderr } = await runYore(home, ["search", query]);
    expect([0, 3]).toContain(code);
    expect(stderr).toMatch(warning);
    expect(stderr).not.toMatch(/\n\s+at |unexpected/);
  });

  it.each([
    ["error-401 status:500"],
    ["scripts/deploy.sh user@example.com 61.2% a'b"],
    ['"unclosed phrase'],
    ["NEAR(a b) AND OR NOT * ^ { } ( )"],
    ["-- --error-on-warnings"],
    ["\u0001\u001b[31m\u202e"],
    ["漢".repeat(3_000)],
  ])("any text is a query: %j", async (query) => {
    const home = await shared();
    const { code, stderr } = await runYore(home, ["search", "--json", "--", query]);
    expect([0, 3]).toContain(code);
    expect(stderr).not.toMatch(/\n\s+at |unexpected|"error"/);
  });
});

let sharedHome: TestHome | undefined;

afterAll(() => {
  if (sharedHome !== undefined) rmSync(dirname(sharedHome.home), { recursive: true });
});

/** One home for all that only asks. */
async function shared(): Promise<TestHome> {
  if (sharedHome !== undefined && existsSync(sharedHome.storePath)) return sharedHome;
  const own = await indexed(3);
  const folder = `${dirname(own.home)}-shared`;
  cpSync(dirname(own.home), folder, { recursive: true });
  sharedHome = {
    ...own,
    home: join(folder, "home"),
    yoreHome: join(folder, "yore"),
    storePath: join(folder, "yore", "yore.db"),
  };
  return sharedHome;
}
