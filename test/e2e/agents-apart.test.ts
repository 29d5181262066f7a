import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT_CASES, type AgentCase, recordsOf, saveRecords } from "../support/agent-cases.ts";
import { createWords } from "../support/corpus.ts";
import { compareDumps, dumpStore, type StoreDump } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, startYore } from "../support/program.ts";

const KILLS = 8;
/** So many that a session takes several transactions. */
const TURNS = 800;

describe("one agent's store that is broken or in the way", () => {
  it.each<[string, (home: TestHome, path: string) => void]>([
    ["is locked by its agent", (_, path) => lock(path)],
    ["is no database", (_, path) => writeFileSync(path, "x".repeat(60_000_000))],
    ["is cut off", (_, path) => truncateSync(path, 5_000)],
    ["is damaged in the middle", (_, path) => damage(path)],
    ["is of no tables that are known", (_, path) => withoutTables(path)],
  ])("that %s keeps nobody else's history waiting, and is read once it is whole", async (_, breakIt) => {
    for (const broken of [caseOf("crush", "database"), caseOf("opencode", "database v1")]) {
      const home = createHome();
      const path = write(home, broken, "barnacle");
      const others = AGENT_CASES.filter(({ agent, workFolder }) => agent !== broken.agent && workFolder === undefined);
      const one = new Map(others.map((other) => [other.agent, other]));
      for (const other of one.values()) write(home, other, "cormorant");
      breakIt(home, path);
      const report = await jsonOf(home, ["index"]);
      expect(report).toMatchObject({ agents: { [broken.agent]: { messages: 0 } } });
      for (const { agent } of one.values()) expect(report).toHaveProperty(["agents", agent, "messages"], 2);
      const { hits } = (await jsonOf(home, ["search", "cormorant", "--limit", "50"])) as { hits: unknown[] };
      expect(hits.length).toBe(one.size);
      unlock();
      write(home, broken, "barnacle");
      const mended = await jsonOf(home, ["index"]);
      expect(mended).toHaveProperty(["agents", broken.agent, "messages"], 2);
    }
  });
});

describe("indexing of containers and their archive that is killed at any moment", () => {
  it("ends as if nobody had disturbed it, and the archive gives all of it back", async () => {
    const home = createHome();
    const cases = ["crush", "cursor", "opencode"].flatMap(
      (agent) => AGENT_CASES.find((one) => one.agent === agent && one.unit === "container") ?? [],
    );
    const lines = ["pi", "gemini-cli"].flatMap((agent) => AGENT_CASES.find((one) => one.agent === agent) ?? []);
    const all = [...cases, ...lines];
    for (const agentCase of all) write(home, agentCase, ...longWords(agentCase.agent, TURNS));
    const whole = createHome({ over: home });
    const started = performance.now();
    await jsonOf(whole, ["index"]);
    const took = performance.now() - started;
    const expected = sums(whole);
    expect(expected.messages.length).toBe(2 * TURNS * all.length);

    let kills = 0;
    for (let tries = 1; kills < KILLS && tries < 3 * KILLS; tries++) {
      if (await killAfter(home, 100 + ((tries * 0.381966) % 1) * took)) kills += 1;
      else {
        // It was done before it could be killed: once more from nothing.
        expect(compareDumps(sums(home), expected)).toEqual({});
        rmSync(home.yoreHome, { recursive: true });
      }
    }
    expect(kills).toBe(KILLS);
    await jsonOf(home, ["index"]);
    expect(compareDumps(sums(home), expected)).toEqual({});
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true });

    for (const agentCase of all) home.remove(join(home.home, agentCase.path));
    for (const suffix of ["", "-wal", "-shm"]) rmSync(home.storePath + suffix, { force: true });
    await jsonOf(home, ["restore"]);
    const restored = sums(home);
    for (const section of ["sessions", "messages", "observations", "usage", "words"] as const)
      expect([section, restored[section]]).toEqual([section, expected[section]]);
  }, 300_000);
});

let openLock: Database.Database | undefined;

/** As an agent that is in the middle of writing. */
function lock(path: string): void {
  openLock = new Database(path);
  openLock.exec("BEGIN EXCLUSIVE");
  onTestFinished(unlock);
}

function unlock(): void {
  openLock?.close();
  openLock = undefined;
}

/** Pages from the middle on hold nothing that makes sense. */
function damage(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  for (let at = 4_096; at < size; at += 4_096) writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, at);
  closeSync(file);
}

function withoutTables(path: string): void {
  rmSync(path);
  const database = new Database(path);
  database.exec("CREATE TABLE notes (text)");
  database.close();
}

function write(home: TestHome, agentCase: AgentCase, ...words: readonly string[]): string {
  return saveRecords(agentCase, join(home.home, agentCase.path), recordsOf(agentCase, words));
}

function longWords(seed: string, count: number): string[] {
  const draw = createWords(seed.length * 7 + seed.charCodeAt(0));
  return Array.from({ length: count }, () => draw(80));
}

function caseOf(agent: string, format: string): AgentCase {
  const found = AGENT_CASES.find((one) => one.agent === agent && one.format === format);
  if (found === undefined) throw new Error(`${agent} has no case ${format}`);
  return found;
}

/** True where the program still ran after so many milliseconds. */
async function killAfter(home: TestHome, ms: number): Promise<boolean> {
  const { child, finished } = startYore(home, ["index"]);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const { signal } = await finished;
  clearTimeout(timer);
  return signal === "SIGKILL";
}

function sums(home: TestHome): StoreDump {
  return dumpStore(home.storePath, { terms: "sums" });
}
