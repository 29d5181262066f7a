import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { runHook } from "../support/hook-process.ts";
import { jsonOf, PROGRAM, ROOT, runYore } from "../support/program.ts";

const S = sessionId(1);
const CWD = "/home/ana/code/tide";
/** Above what a hook may take on a machine with nothing else to do, since tests are run side by side. */
const SOON_MS = 4_000;

const START = ["SessionStart", "--agent", "claude-code"];
const STOP = ["Stop", "--agent", "claude-code"];

function talk(turns: number, session = S, word = "lantern"): readonly string[] {
  const made = claudeTranscript({ session });
  for (let turn = 0; turn < turns; turn++) {
    made.prompt(`${word} ${turn}`);
    made.says(`${word} answer ${turn}`);
  }
  return made.lines;
}

function event(home: TestHome, fields: object = {}) {
  return { session_id: S, transcript_path: home.claudePath(S), cwd: CWD, ...fields };
}

function expectSilence(run: Awaited<ReturnType<typeof runHook>>): void {
  expect({ ...run, ms: 0 }).toEqual({ code: 0, signal: null, stdout: "", stderr: "", ms: 0 });
  expect(run.ms).toBeLessThan(SOON_MS);
}

describe("a hook that is fed anything", () => {
  it.each([
    ["nothing", ""],
    ["garbage", "\u0000\u001b[31m}{not json"],
    ["half of an object", '{"session_id":"'],
    ["a list", "[1,2,3]"],
    ["null", "null"],
    ["fields of other kinds", '{"session_id":[],"transcript_path":{"a":1},"cwd":7,"source":false}'],
    ["a path that is none", '{"session_id":"../../x","transcript_path":"/dev/zero","cwd":"\\u0000"}'],
    ["megabytes", JSON.stringify({ session_id: S, tool_response: "x".repeat(12_000_000) })],
  ])("says nothing and succeeds: %s", async (_, input) => {
    const home = createHome();
    expectSilence(await runHook(home, START, input));
    expect((await runHook(home, ["AfterAgent", "--agent", "gemini-cli"], input)).stdout).toBe("{}");
  });

  it.each([[[]], [["Stop"]], [["Nonsense", "--agent", "codex"]], [["Stop", "--agent", "nobody"]], [["--agent"]]])(
    "says nothing, whatever is asked: %j",
    async (argv) => expectSilence(await runHook(createHome(), argv, "{}")),
  );

  it("does not wait for input that never ends", async () => {
    const home = createHome();
    const usual = { staysOpen: true, env: { YORE_HOOK_MS: undefined } };
    expectSilence(await runHook(home, START, '{"session_id":', usual));
    const { stdout, code } = await runHook(home, ["SessionStart", "--agent", "gemini-cli"], "", usual);
    expect([stdout, code]).toEqual(["{}", 0]);
  });
});

describe("a hook in a home that is not as it should be", () => {
  it("says nothing where the store is damaged, of a later version, another program's or a folder, and leaves it alone", async () => {
    const damaged: Record<string, (path: string) => void> = {
      damaged: (path) => writeFileSync(path, "no database at all, and longer than a header is".repeat(100)),
      later: (path) => {
        const db = new Database(path);
        db.exec("CREATE TABLE x (a); PRAGMA user_version = 999");
        db.close();
      },
      foreign: (path) => {
        const db = new Database(path);
        db.exec("CREATE TABLE x (a)");
        db.close();
      },
      folder: (path) => mkdirSync(path),
    };
    for (const [name, make] of Object.entries(damaged)) {
      const home = createHome();
      home.write(home.claudePath(S), talk(1));
      mkdirSync(home.yoreHome);
      make(home.storePath);
      const before = name === "folder" ? undefined : readFileSync(home.storePath);
      expectSilence(await runHook(home, START, event(home, { source: "startup" })));
      if (before !== undefined) expect(readFileSync(home.storePath).equals(before), name).toBe(true);
    }
  });

  it("answers while another process holds the store, and captures once it is free", async () => {
    const home = createHome();
    home.write(home.claudePath(S), talk(2));
    await jsonOf(home, ["index"]);
    await jsonOf(home, ["remember", "Lanterns burn whale oil.", "--type", "decision", "--project", CWD]);
    home.append(home.claudePath(S), talk(4).slice(4));
    const holder = new Database(home.storePath);
    holder.exec("BEGIN IMMEDIATE");
    const held = await runHook(home, START, event(home, { session_id: "another", source: "startup" }));
    expect([held.code, held.stderr]).toEqual([0, ""]);
    expect(held.stdout).toContain("whale oil");
    expectSilence(await runHook(home, STOP, event(home)));
    holder.exec("ROLLBACK");
    holder.close();
    expect(home.dump().messages.length).toBeLessThan(8);
    expectSilence(await runHook(home, STOP, event(home)));
    expect(home.dump().messages.filter(({ agent }) => agent === undefined || agent === "claude-code").length).toBe(8);
  });

  it("says nothing where nothing may be written, or there is no home", async () => {
    const home = createHome();
    home.write(home.claudePath(S), talk(1));
    mkdirSync(home.yoreHome);
    chmodSync(home.yoreHome, 0o500);
    const heeding = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
    expectSilence(await runHook(home, START, event(home, { source: "startup" }), { under: heeding }));
    chmodSync(home.yoreHome, 0o700);
    const nowhere = { HOME: join(home.home, "not/there"), YORE_HOME: undefined };
    expectSilence(await runHook(home, STOP, event(home), { env: nowhere }));
    expectSilence(await runHook(home, STOP, event(home), { env: { HOME: "/dev/null", YORE_HOME: undefined } }));
    expectSilence(await runHook(home, STOP, event(home), { env: { HOME: "", YORE_HOME: "/proc/nowhere" } }));
    expect(existsSync(join(ROOT, ".yore"))).toBe(false);
  });

  it("says nothing where the disk is full", () => {
    const home = createHome();
    home.write(home.claudePath(S), talk(200));
    mkdirSync(home.yoreHome);
    const input = home.writeRaw(join(home.home, "input.json"), JSON.stringify(event(home, { source: "startup" })));
    const script = `
      mount -t tmpfs -o size=600k tmpfs "$YORE_HOME" || exit 90
      "${process.execPath}" "${PROGRAM}" hook Stop --agent claude-code < "${input}" || exit 91
      head -c 2000000 /dev/zero > "$YORE_HOME/filler" 2>/dev/null
      "${process.execPath}" "${PROGRAM}" hook Stop --agent claude-code < "${input}" || exit 92
      "${process.execPath}" "${PROGRAM}" hook SessionStart --agent claude-code < "${input}" || exit 93
    `;
    const env = { PATH: process.env.PATH, HOME: home.home, YORE_HOME: home.yoreHome, TZ: "UTC" };
    const ways = [
      ["unshare", "--map-root-user", "--mount"],
      ["unshare", "--mount"],
    ];
    const runs = ways.map(([command = "", ...flags]) =>
      spawnSync(command, [...flags, "sh", "-c", script], { env, cwd: ROOT, encoding: "utf8" }),
    );
    expect(runs.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toContainEqual([0, "", ""]);
  });

  it("does nothing where hooks are off, or in a run that Yore started itself", async () => {
    const home = createHome();
    home.write(home.claudePath(S), talk(1));
    for (const env of [{ YORE_HOOKS: "0" }, { YORE_INSIDE: "1" }]) {
      expectSilence(await runHook(home, START, event(home, { source: "startup" }), { env }));
    }
    expect(existsSync(home.yoreHome)).toBe(false);
    mkdirSync(home.yoreHome);
    writeFileSync(join(home.yoreHome, "config.json"), '{"hooks":false}');
    expectSilence(await runHook(home, STOP, event(home)));
    expect(existsSync(home.storePath)).toBe(false);
    writeFileSync(join(home.yoreHome, "config.json"), "{no json");
    // It is not known what is excluded.
    expectSilence(await runHook(home, STOP, event(home)));
    expect(home.dump().messages).toEqual([]);
  });
});

describe("a hook in a new home", () => {
  it("brings in its own session alone, never the whole history", async () => {
    const home = createHome();
    home.write(home.claudePath(S), talk(2));
    for (let other = 2; other < 40; other++) home.write(home.claudePath(sessionId(other)), talk(3, sessionId(other)));
    expectSilence(await runHook(home, STOP, event(home)));
    expect(home.dump().sessions).toHaveLength(1);
    expect(home.dump().messages).toHaveLength(4);
    await jsonOf(home, ["index"]);
    const fresh = createHome({ over: home });
    await jsonOf(fresh, ["index"]);
    expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
  });
});

describe("a session with hooks", () => {
  it("is told once what is remembered, which is not found again as if it had been said", async () => {
    const home = createHome();
    home.write(home.claudePath(sessionId(9)), talk(2, sessionId(9)));
    await jsonOf(home, ["index"]);
    await jsonOf(home, ["remember", "Lanterns burn whale oil.", "--type", "decision", "--project", CWD]);
    const start = event(home, { hook_event_name: "SessionStart", source: "startup" });
    const runs = await Promise.all([1, 2, 3, 4].map(() => runHook(home, START, start)));
    const spoken = runs.filter(({ stdout }) => stdout !== "");
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, ""]));
    expect(spoken).toHaveLength(1);
    const { hookSpecificOutput } = JSON.parse(spoken[0]?.stdout ?? "");
    expect(hookSpecificOutput.additionalContext).toContain("whale oil");
    const receipt = /^receipt: (r-\w+)$/m.exec(hookSpecificOutput.additionalContext)?.[1] ?? "";
    for (const source of ["resume", "compact", "startup", "clear"]) {
      expectSilence(await runHook(home, START, { ...start, source }));
    }
    const made = claudeTranscript({ session: S });
    made.line({
      type: "attachment",
      attachment: {
        type: "hook_additional_context",
        content: [hookSpecificOutput.additionalContext],
        hookName: "SessionStart:startup",
        toolUseID: "SessionStart",
        hookEvent: "SessionStart",
      },
    });
    made.prompt("good morning");
    made.says("Good morning.");
    home.write(home.claudePath(S), made.lines);
    expectSilence(await runHook(home, STOP, event(home)));
    const found = await jsonOf(home, ["search", "whale oil"]);
    expect(found).toMatchObject({ total: 1, hits: [{ agent: "yore" }] });
    const shown = await runYore(home, ["replay", receipt]);
    if (shown.code === 0) expect(shown.stdout).toContain(hookSpecificOutput.additionalContext);
  });

  it("has all of it in the end, wherever its hooks were killed", async () => {
    const home = createHome();
    const lines = talk(60);
    home.write(home.claudePath(S), lines.slice(0, 2));
    await jsonOf(home, ["index"]);
    for (let turn = 1; turn < 24; turn++) {
      home.append(home.claudePath(S), lines.slice(turn * 2, turn * 2 + 2));
      await runHook(home, STOP, event(home), { killAfterMs: 60 + ((turn * 0.381966) % 1) * 400 });
    }
    appendFileSync(home.claudePath(S), `${lines.slice(48).join("\n")}\n`);
    await jsonOf(home, ["index"]);
    const fresh = createHome({ over: home });
    await jsonOf(fresh, ["index"]);
    expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true });
  }, 120_000);
});

describe("what was compiled", () => {
  const cached = (home: TestHome) => join(home.yoreHome, "cache");

  it("is kept for oneself below the folder of the store, where there is one, and taken the next time", async () => {
    const home = createHome();
    expect((await runYore(home, ["--version"])).code).toBe(0);
    expect(existsSync(home.yoreHome)).toBe(false);
    mkdirSync(home.yoreHome, { mode: 0o700 });
    expect((await runYore(home, ["--version"])).code).toBe(0);
    const [name = "", ...others] = readdirSync(cached(home));
    expect([name, others]).toEqual([expect.stringMatching(/^cli-other-\w+\.bin$/), []]);
    expect(statSync(cached(home)).mode & 0o777).toBe(0o700);
    expect(statSync(join(cached(home), name)).mode & 0o777).toBe(0o600);
    const before = statSync(join(cached(home), name));
    expect(await runYore(home, ["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d/) });
    expect(statSync(join(cached(home), name))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it.each([
    ["garbage", () => Buffer.from("garbage")],
    ["nothing", () => Buffer.alloc(0)],
    ["one bit of it", (kept: Buffer) => kept.fill(kept.readUInt8(50_000) ^ 1, 50_000, 50_001)],
    ["half of it", (kept: Buffer) => kept.subarray(0, kept.length / 2)],
  ])("is made anew where it was damaged: %s", async (_, damage) => {
    const home = createHome();
    mkdirSync(home.yoreHome, { mode: 0o700 });
    await runHook(home, STOP, "{}");
    const names = readdirSync(cached(home));
    const path = join(cached(home), names.find((name) => name.startsWith("hook-capture-")) ?? "");
    const kept = readFileSync(path);
    writeFileSync(path, damage(Buffer.from(kept)));
    expectSilence(await runHook(home, STOP, "{}"));
    expect(readFileSync(path).length).toBeGreaterThan(kept.length / 2);
    expect(readdirSync(cached(home))).toEqual(names);
  });

  it("is told apart by the flags of Node, and missed by nobody where it cannot be kept", async () => {
    const home = createHome();
    mkdirSync(home.yoreHome, { mode: 0o700 });
    writeFileSync(cached(home), "a file in its place");
    expect((await runYore(home, ["--version"])).code).toBe(0);
    rmSync(cached(home));
    for (const options of [{}, { node: ["--no-opt"] }, { node: ["--no-opt"] }])
      expect(await runYore(home, ["--version"], options)).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(cached(home))).toHaveLength(2);
  });
});
