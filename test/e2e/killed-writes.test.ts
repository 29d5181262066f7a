import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../support/bundle.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { expectAgreement, rowsIn } from "../support/layers.ts";
import { type McpAgent, openAgent } from "../support/mcp-agent.ts";
import { type Finished, jsonOf, runYore, startYore } from "../support/program.ts";
import { type Draw, drawFrom } from "../support/secret-corpus/draw.ts";
import { type Occasion, WRITE_KINDS, type Write, type WriteKind } from "../support/write-kinds.ts";

const SESSIONS = [sessionId(1), sessionId(2), sessionId(3)] as const;
const PROJECT = "/home/ana/code/tide";

/** In all: at each step of each kind of write, and the others at moments that were drawn. */
const KILLS = 500;

/**
 * Loaded before the program: kills it at a step of those that others may see, half of a text written. Where the program
 * ends before, nothing was killed.
 */
const DIE_AT_STEP = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import Database from "better-sqlite3";

let left = Number(process.env.YORE_TEST_STEP);
const dies = () => left-- === 0;
const die = () => process.kill(process.pid, "SIGKILL");
for (const name of ["openSync", "fsyncSync", "renameSync", "rmSync", "truncateSync", "copyFileSync"]) {
  const work = fs[name];
  fs[name] = (...given) => {
    const writes = name !== "openSync" || !["r", undefined, 0].includes(given[1]);
    if (writes && dies()) die();
    return work(...given);
  };
}
const write = fs.writeFileSync;
fs.writeFileSync = (to, text, options) => {
  if (dies()) {
    write(to, text.slice(0, text.length / 2), options);
    die();
  }
  return write(to, text, options);
};
syncBuiltinESMExports();
const exec = Database.prototype.exec;
Database.prototype.exec = function (sql) {
  if (dies()) die();
  const done = exec.call(this, sql);
  if (sql === "COMMIT" && dies()) die();
  return done;
};
`;

let dieAtStep: string;

beforeAll(async () => {
  dieAtStep = await bundle(DIE_AT_STEP);
});
afterAll(() => rmSync(dirname(dieAtStep), { recursive: true, force: true }));

describe("what Yore was told is kept once, in every layer, by processes that are killed", () => {
  let atSteps = 0;

  it("at each step of a command", async () => {
    atSteps = await inLanes(WRITE_KINDS, killAtEachStep);
    expect(atSteps).toBeGreaterThan(10 * WRITE_KINDS.length);
  }, 900_000);

  it("in the middle of what a server or a command does, while history is read", async () => {
    const seeds = [1, 2, 3, 4, 5, 6];
    const each = Math.ceil((KILLS - atSteps) / seeds.length);
    expect(await inLanes(seeds, (seed) => killAtMoments(seed, each))).toBe(each * seeds.length);
  }, 900_000);
});

/** As many at once as there are cores in a small machine. Gives the sum. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<number>): Promise<number> {
  const waiting = [...items];
  let done = 0;
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const more = await work(item);
      done += more;
    }
  };
  await Promise.all([lane(), lane()]);
  return done;
}

/** Kills one command after the other, each a step later, until one comes to its end. */
async function killAtEachStep(kind: WriteKind): Promise<number> {
  const world = await begin(WRITE_KINDS.indexOf(kind) + 100);
  for (const name of ["tag", "collection", "name of a project"]) await world.told(named(name));
  for (let step = 0; ; step++) {
    await world.told(named(step % 2 === 0 ? "note" : "alias"));
    world.grow();
    const options = { env: { YORE_TEST_STEP: String(step) }, node: ["--import", dieAtStep] };
    const ended = await world.run(kind, (argv) => runYore(world.home, argv, options));
    await world.check();
    if (ended.signal === null) {
      await world.finish();
      return step;
    }
  }
}

/** Kills servers and commands in the middle of a write, some answered writes after the last time. */
async function killAtMoments(seed: number, kills: number): Promise<number> {
  const world = await begin(seed);
  const { draw, home } = world;
  const usual = new Map<WriteKind, number>();
  let done = 0;
  for (let round = 0; done < kills; round++) {
    for (let more = 1 + draw.number(2); more > 0; more--) {
      const kind = ofAgents[draw.number(ofAgents.length)] ?? named("tag");
      const from = performance.now();
      await world.told(kind);
      usual.set(kind, performance.now() - from);
    }
    world.grow();
    await world.check();
    const kind = WRITE_KINDS[(seed + round) % WRITE_KINDS.length] ?? named("tag");
    if (kind.call !== undefined && round % 4 !== 0) {
      const after = ((usual.get(kind) ?? 15) * 1.2 * draw.number(1_000)) / 1_000;
      await world.killServer([kind, ofAgents[draw.number(ofAgents.length)] ?? kind], after);
      done += 1;
    } else {
      const after = 100 + draw.number(250);
      const ended = await world.run(kind, (argv) => killedAfter(home, argv, after));
      if (ended.signal !== null) done += 1;
    }
  }
  await world.check();
  await world.finish();
  return done;
}

const ofAgents = WRITE_KINDS.filter(({ call }) => call !== undefined);

function named(name: string): WriteKind {
  const found = WRITE_KINDS.find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`There is no kind of write ${name}`);
  return found;
}

async function killedAfter(home: TestHome, argv: readonly string[], ms: number): Promise<Finished> {
  const { child, finished } = startYore(home, argv);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const ended = await finished;
  clearTimeout(timer);
  return ended;
}

/** A home in which writes are made, answered and killed; what was answered is remembered. */
async function begin(seed: number) {
  const home = createHome();
  const transcripts = SESSIONS.map((session) => claudeTranscript({ session, cwd: PROJECT }));
  for (const talk of transcripts) {
    talk.prompt("Look at the tide table.");
    home.write(home.claudePath(talk.session), talk.lines);
  }
  await jsonOf(home, ["index"]);
  const draw: Draw = drawFrom(seed);
  const answered: Write[] = [];
  const killed: Write[] = [];
  let count = 0;
  let agent: McpAgent | undefined;
  const occasion = (): Occasion => {
    count += 1;
    return { mark: `w${count}`, draw, sessions: SESSIONS, project: PROJECT, kept: rowsIn(home) };
  };
  const server = async () => {
    agent ??= await openAgent(home, { env: { YORE_WRITES_PER_MINUTE: "0", YORE_WATCH: "0" } });
    return agent;
  };

  return {
    home,
    draw,

    /** A line more in a transcript, so that the next write has something to read first. */
    grow() {
      const talk = transcripts[count % transcripts.length];
      if (talk !== undefined) home.append(home.claudePath(talk.session), [talk.says(`Line ${count}.`)]);
    },

    /** A write that is answered: over MCP where that can be. */
    async told(kind: WriteKind): Promise<void> {
      const on = occasion();
      if (kind.call === undefined) {
        const ended = await runYore(home, [...(kind.argv(on) ?? ["index"]), "--json"]);
        expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
        return;
      }
      const { text, isError } = await (await server()).ask(...kind.call(on));
      expect([isError, text]).toEqual([false, text]);
      answered.push({ kind, mark: on.mark, ...numberIn(text) });
    },

    /** A command that may be killed. */
    async run(kind: WriteKind, work: (argv: readonly string[]) => Promise<Finished>): Promise<Finished> {
      const on = occasion();
      const argv = kind.argv(on) ?? ["index"];
      const ended = await work([...argv, "--json"]);
      const write = { kind, mark: on.mark, of: argv.at(-1) ?? "" };
      // Its whole answer may be there, though it was killed before it ended.
      const isAnswered = ended.code === 0 || ended.stdout.endsWith("}\n");
      if (ended.signal === null) expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
      if (argv[0] !== "index") (isAnswered ? answered : killed).push({ ...write, ...numberIn(ended.stdout) });
      return ended;
    },

    /** Kills the server so many milliseconds after it was asked for some writes at once. */
    async killServer(kinds: readonly WriteKind[], ms: number): Promise<void> {
      const { mcp, ask } = await server();
      for (const kind of kinds) {
        const on = occasion();
        const [tool, given] = kind.call?.(on) ?? ["list_tags", {}];
        const write = { kind, mark: on.mark };
        killed.push(write);
        void ask(tool, given).then(({ text, isError }) => {
          expect([isError, text]).toEqual([false, text]);
          killed.splice(killed.indexOf(write), 1);
          answered.push({ ...write, ...numberIn(text) });
        });
      }
      await new Promise((resolve) => setTimeout(resolve, ms));
      mcp.child.kill("SIGKILL");
      await mcp.exit();
      agent = undefined;
    },

    /** The next one to be asked something makes whole what was left. */
    async check(): Promise<void> {
      const { text, isError } = await (await server()).ask("list_tags");
      expect([isError, text]).toEqual([false, text]);
      const kept = expectAgreement(home);
      const told = (write: Write) => [write.kind.name, write.mark, write.kind.count(kept, write)];
      const owed = answered.filter(({ kind, number }) => kind.name !== "pin" || number !== undefined);
      expect(owed.map(told)).toEqual(owed.map(({ kind, mark }) => [kind.name, mark, 1]));
      expect(killed.map(told).filter(([, , times]) => Number(times) > 1)).toEqual([]);
    },

    /** Nothing is left to be named, and the files alone are enough to make all of it anew. */
    async finish(): Promise<void> {
      agent?.mcp.child.stdin.end();
      await agent?.mcp.exit();
      const { findings } = JSON.parse((await runYore(home, ["doctor", "--json"])).stdout);
      expect(findings.filter(({ level, message }: Finding) => level === "error" || /mirror/.test(message))).toEqual([]);
      const before = expectAgreement(home);
      const dump = dumpStore(home.storePath, { terms: "sums" });
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
      await jsonOf(home, ["restore"]);
      expect(expectAgreement(home)).toEqual(before);
      expect(compareDumps(dumpStore(home.storePath, { terms: "sums" }), dump)).toEqual({});
    },
  };
}

interface Finding {
  readonly level: string;
  readonly message: string;
}

function numberIn(answer: string): Pick<Write, "number"> {
  const [, number] = /"number": ?(\d+)|change (\d+)/.exec(answer)?.filter((group) => group !== undefined) ?? [];
  return number === undefined ? {} : { number: Number(number) };
}
