import { appendFileSync } from "node:fs";
import { hostname } from "node:os";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { expectAgreement } from "../support/layers.ts";
import { openAgent } from "../support/mcp-agent.ts";
import { jsonOf, runYore } from "../support/program.ts";
import { drawFrom } from "../support/secret-corpus/draw.ts";
import { type Occasion, WRITE_KINDS, type Write } from "../support/write-kinds.ts";

function talk(count: number, turns: number): readonly string[] {
  const transcript = claudeTranscript({ session: sessionId(count) });
  for (let turn = 0; turn < turns; turn++) {
    transcript.prompt(`barnacle question ${count}-${turn}`);
    transcript.calls("Bash", { command: `make ${turn}` });
    transcript.returns(`output ${turn} ${"lorem ipsum dolor sit amet ".repeat(40)}`);
    transcript.says(`barnacle answer ${count}-${turn}`);
  }
  return transcript.lines;
}

function fill(home: TestHome, sessions: number, turns: number): void {
  for (let count = 1; count <= sessions; count++) home.write(home.claudePath(sessionId(count)), talk(count, turns));
}

/** A store with one session in it, and another session that is not in it yet. */
async function behind(): Promise<TestHome> {
  const home = createHome();
  home.write(home.claudePath(sessionId(1)), talk(1, 1));
  await jsonOf(home, ["index"]);
  home.write(home.claudePath(sessionId(2)), talk(2, 1));
  return home;
}

const BEHIND = /the index is behind.*another process is indexing/;

describe("many processes over one store", () => {
  it("that index and search at once all succeed, and nothing is stored twice or lost", async () => {
    const home = createHome();
    fill(home, 120, 12);
    const index = Array.from({ length: 4 }, () => runYore(home, ["index", "--json"]));
    const search = Array.from({ length: 5 }, () => runYore(home, ["search", "barnacle", "--json"]));
    const others = [runYore(home, ["sessions"]), runYore(home, ["stats"]), runYore(home, ["doctor"])];

    for (const { code, stderr, stdout } of await Promise.all(index)) {
      expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|busy|locked/i)]);
      expect(JSON.parse(stdout)).toMatchObject({ files: 120, sessions: 120, messages: 120 * 48 });
    }
    for (const { code, stderr, stdout } of await Promise.all(search)) {
      expect(stderr).not.toMatch(/error|busy|locked/i);
      // Who comes while another reads for the first time has little to search in, and says so.
      if (code !== 0 || JSON.parse(stdout).total < 1_440) expect(stderr).toMatch(BEHIND);
      expect([0, 3]).toContain(code);
    }
    for (const { code, stderr } of await Promise.all(others)) {
      expect([0, 3]).toContain(code);
      expect(stderr).not.toMatch(/error|busy|locked/i);
    }

    const alone = createHome({ over: home });
    await jsonOf(alone, ["index"]);
    expect(compareDumps(home.dump(), alone.dump())).toEqual({});
  });

  it("find what is written while they run, each line once", async () => {
    const home = createHome();
    fill(home, 8, 2);
    await jsonOf(home, ["index"]);
    const lines = Array.from({ length: 8 }, (_, index) => talk(index + 1, 12));
    let isWriting = true;
    const writing = (async () => {
      for (let at = 8; at < 48; at++) {
        for (const [index, own] of lines.entries()) {
          appendFileSync(home.claudePath(sessionId(index + 1)), `${own[at]}\n`);
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      isWriting = false;
    })();
    const asking = Array.from({ length: 3 }, async () => {
      let asked = 0;
      for (; isWriting || asked === 0; asked++) {
        const { code, stderr } = await runYore(home, ["search", "barnacle", "--json"]);
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|busy|locked/i)]);
      }
      return asked;
    });
    await Promise.all([writing, ...asking]);
    expect(await jsonOf(home, ["index"])).toMatchObject({ sessions: 8, messages: 8 * 48 });
    const alone = createHome({ over: home });
    await jsonOf(alone, ["index"]);
    expect(compareDumps(home.dump(), alone.dump())).toEqual({});
  });
});

describe("eight servers with twenty writes each at once, and commands beside them", () => {
  it("all keep what they were told, once, in rows, history and mirror; none is turned away", async () => {
    const home = createHome();
    fill(home, 3, 1);
    await jsonOf(home, ["index"]);
    const occasion = (mark: string, seed: number): Occasion => ({
      mark,
      draw: drawFrom(seed),
      sessions: [sessionId(1), sessionId(2), sessionId(3)],
      project: "/home/ana/code/tide",
    });
    const ofAgents = WRITE_KINDS.filter(({ call }) => call !== undefined);
    const servers = Array.from({ length: 8 }, async (_, server) => {
      const { ask, mcp } = await openAgent(home);
      const calls = Array.from({ length: 20 }, async (_, at): Promise<Write> => {
        const on = occasion(`a${server}x${at}`, server * 20 + at);
        const kind = ofAgents[(server + at) % ofAgents.length] ?? ofAgents[0];
        if (kind?.call === undefined) throw new Error("Agents can write nothing.");
        const { text, isError } = await ask(...kind.call(on));
        expect([isError, text]).toEqual([false, expect.not.stringMatching(/busy|locked|note: /)]);
        const [, number] = /change (\d+)/.exec(text) ?? [];
        return { kind, mark: on.mark, ...(number !== undefined && { number: Number(number) }) };
      });
      const writes = await Promise.all(calls);
      mcp.child.stdin.end();
      await mcp.exit();
      return writes;
    });
    const lanes = Array.from({ length: 2 }, async (_, lane) => {
      const writes: Write[] = [];
      for (const [at, kind] of WRITE_KINDS.entries()) {
        const on = occasion(`c${lane}x${at}`, lane * 50 + at);
        const argv = kind.argv(on);
        if (argv === undefined) continue;
        home.append(home.claudePath(sessionId(lane + 1)), talk(lane + 1, 2 + at).slice(-1));
        const { code, stdout, stderr } = await runYore(home, [...argv, "--json"]);
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error|busy|locked|brought up to date/i)]);
        const { number } = JSON.parse(stdout);
        writes.push({ kind, mark: on.mark, ...(typeof number === "number" && { number }) });
      }
      return writes;
    });
    const writes = (await Promise.all([...servers, ...lanes])).flat();
    expect(writes.length).toBeGreaterThan(8 * 20 + 10);
    const kept = expectAgreement(home);
    const owed = writes.filter(({ kind, number }) => kind.name !== "pin" || number !== undefined);
    expect(owed.map((write) => [write.mark, write.kind.count(kept, write)])).toEqual(owed.map(({ mark }) => [mark, 1]));
    const numbers = writes.flatMap(({ number }) => number ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
  }, 120_000);
});

describe("while another process writes", () => {
  it("a search answers from what is there, and says that it is behind", async () => {
    const home = await behind();
    const db = new Database(home.storePath);
    try {
      const lease = db.prepare(
        "INSERT OR REPLACE INTO lease (id, host, pid, token, until) VALUES (1, ?, ?, 'other', ?)",
      );
      lease.run(hostname(), process.pid, Date.now() + 60_000);
      db.exec("BEGIN IMMEDIATE");
      const { code, stdout, stderr, seconds } = await runYore(home, ["search", "barnacle", "--json"]);
      expect([code, JSON.parse(stdout).hits.length]).toEqual([0, 1]);
      expect(stderr).toMatch(BEHIND);
      expect(seconds).toBeLessThan(4);
      db.exec("ROLLBACK");
      db.exec("DELETE FROM lease");
    } finally {
      db.close();
    }
    expect(await jsonOf(home, ["index"])).toMatchObject({ sessions: 2 });
  });

  it("and has not said so in a lease, a search answers too", async () => {
    const home = await behind();
    const db = new Database(home.storePath);
    try {
      db.exec("BEGIN IMMEDIATE");
      const { code, stdout, stderr } = await runYore(home, ["search", "barnacle", "--json"]);
      expect([code, stdout === "" ? stderr : JSON.parse(stdout).hits.length]).toEqual([0, 1]);
      expect(stderr).toMatch(BEHIND);
    } finally {
      db.close();
    }
  });

  it("a search that has nothing to read neither waits nor writes", async () => {
    const home = await behind();
    await jsonOf(home, ["index"]);
    const db = new Database(home.storePath);
    try {
      db.exec("BEGIN EXCLUSIVE");
      const { code, stderr, seconds } = await runYore(home, ["search", "barnacle"]);
      expect([code, stderr]).toEqual([0, expect.not.stringMatching(/behind|busy/)]);
      expect(seconds).toBeLessThan(4);
    } finally {
      db.close();
    }
  });

  it.each([
    ["was killed", hostname(), 2 ** 22 - 3, 60_000],
    ["is on another machine and has not been heard of for long", "elsewhere", process.pid, -1],
  ])("that %s, nobody waits for it", async (_, host, pid, until) => {
    const home = await behind();
    const db = new Database(home.storePath);
    db.prepare("INSERT OR REPLACE INTO lease (id, host, pid, token, until) VALUES (1, ?, ?, 'gone', ?)").run(
      host,
      pid,
      Date.now() + until,
    );
    db.close();
    const { code, stdout, stderr } = await runYore(home, ["search", "barnacle", "--json"]);
    expect([code, JSON.parse(stdout).hits.length]).toEqual([0, 2]);
    expect(stderr).not.toMatch(/behind/);
  });
});
