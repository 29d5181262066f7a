import { describe, expect, it } from "vitest";
import { claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const MAIN = sessionId(1);
const FORK = sessionId(2);

function talk(session: string, turns: number, word = "lantern") {
  const made = claudeTranscript({ session });
  for (let turn = 0; turn < turns; turn++) {
    made.prompt(`${word} ${turn}`);
    made.says(`${word} answer ${turn}`);
  }
  return made.lines;
}

async function capture(home: TestHome, path: string, options: { agent?: string; budgetMs?: number } = {}) {
  const yore = await home.open();
  try {
    return await yore.capture({ agent: "claude-code", paths: [path], budgetMs: 60_000, ...options });
  } finally {
    await yore.close();
  }
}

async function expectSameAsFresh(home: TestHome): Promise<void> {
  await home.index();
  const fresh = createHome({ over: home });
  await fresh.index();
  expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
}

const texts = (home: TestHome) => home.dump().messages.map(({ text }) => text);

describe("capture", () => {
  it("brings what was added to a named transcript into the store, and nothing else", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 1));
    home.write(home.claudePath(sessionId(9)), talk(sessionId(9), 3, "elsewhere"));
    expect(await capture(home, path)).toEqual({ newMessages: 2, complete: true });
    home.append(path, talk(MAIN, 3).slice(2));
    expect(await capture(home, path)).toEqual({ newMessages: 4, complete: true });
    expect(await capture(home, path)).toEqual({ newMessages: 0, complete: true });
    expect(texts(home).filter((text) => String(text).includes("elsewhere"))).toEqual([]);
    await expectSameAsFresh(home);
    expect(texts(home).filter((text) => String(text).includes("elsewhere"))).toHaveLength(6);
  });

  it("is whole when the last hook never ran: a pass reads the rest", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 1));
    await capture(home, path);
    home.append(path, talk(MAIN, 4).slice(2));
    await expectSameAsFresh(home);
  });

  it("brings a session's subagents with it", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 1));
    const agent = claudeTranscript({ session: MAIN, agentId: "a1b2c3d" });
    agent.prompt("look for shoals");
    home.write(path.replace(/\.jsonl$/, "/subagents/agent-a1b2c3d.jsonl"), agent.lines);
    expect(await capture(home, path)).toEqual({ newMessages: 3, complete: true });
    await expectSameAsFresh(home);
  });

  it("stores a fork that comes before its original as a first pass does", async () => {
    const home = createHome();
    const original = talk(MAIN, 4);
    home.touch(home.write(home.claudePath(MAIN), original), home.now - 900_000);
    const own = claudeTranscript({ session: FORK, startedAt: Date.parse("2026-03-02T10:00:00Z") });
    own.prompt("fork on");
    const fork = home.write(home.claudePath(FORK), [...original.map((line) => copiedLine(line, FORK)), ...own.lines]);
    await capture(home, fork);
    await expectSameAsFresh(home);
  });

  it("stores a fork of what was not read to its end as a first pass does", async () => {
    const home = createHome();
    const original = talk(MAIN, 4);
    const path = home.write(home.claudePath(MAIN), original.slice(0, 3));
    await home.index();
    home.append(path, original.slice(3));
    home.touch(path, home.now - 900_000);
    const own = claudeTranscript({ session: FORK, startedAt: Date.parse("2026-03-02T10:00:00Z") });
    own.prompt("fork on");
    const fork = home.write(home.claudePath(FORK), [...original.map((line) => copiedLine(line, FORK)), ...own.lines]);
    await capture(home, fork);
    await expectSameAsFresh(home);
  });

  it("reads nothing that is not in the agent's own place, and nothing of an agent it does not know", async () => {
    const home = createHome();
    const stray = home.write(`${home.home}/elsewhere/${MAIN}.jsonl`, talk(MAIN, 1));
    const link = home.link(stray, home.claudePath(FORK));
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 1));
    const journal = home.write(path.replace(/\.jsonl$/, "/subagents/workflows/run-1/journal.jsonl"), talk(MAIN, 1));
    for (const [named, agent] of [
      [stray, "claude-code"],
      [journal, "claude-code"],
      [link, "claude-code"],
      ["/dev/zero", "claude-code"],
      ["../../../etc/passwd", "codex"],
      ["", "claude-code"],
      [path, "codex"],
      [path, "nobody"],
    ] as const) {
      expect(await capture(home, named, { agent }), named).toEqual({ newMessages: 0, complete: false });
    }
  });

  it("stores nothing of an excluded project, nor of a session that was removed for good", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 2));
    const yore = await home.open({ excluded: ["/home/ana/code/tide"] });
    expect(await yore.capture({ agent: "claude-code", paths: [path], budgetMs: 60_000 })).toMatchObject({
      newMessages: 0,
    });
    await yore.close();
    expect(texts(home)).toEqual([]);
    await home.index();
    const other = await home.open();
    await other.purge({ sessions: [MAIN] });
    await other.close();
    home.append(path, talk(MAIN, 4).slice(4));
    expect(await capture(home, path)).toMatchObject({ newMessages: 0 });
    expect(texts(home)).toEqual([]);
    const lost = createHome({ over: home });
    home.move(`${home.yoreHome}/mirror`, `${lost.yoreHome}/mirror`);
    expect(await capture(lost, path)).toMatchObject({ newMessages: 0 });
  });

  it("stops when its time is up, and what it has read stays", async () => {
    const home = createHome();
    const lines = talk(MAIN, 400, `lantern ${"light the harbour ".repeat(200)}`);
    const path = home.write(home.claudePath(MAIN), lines);
    const { newMessages, complete } = await capture(home, path, { budgetMs: -1 });
    expect(complete).toBe(false);
    expect(newMessages).toBeLessThan(800);
    await expectSameAsFresh(home);
  });

  it("returns at once while another process writes", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(MAIN), talk(MAIN, 1));
    await home.index();
    home.append(path, talk(MAIN, 2).slice(2));
    const until = home.now + 60_000;
    home.sql(`INSERT OR REPLACE INTO lease (id, host, pid, token, until) VALUES (1, 'elsewhere', 1, 'x', ${until})`);
    const started = performance.now();
    expect(await capture(home, path)).toEqual({ newMessages: 0, complete: false });
    expect(performance.now() - started).toBeLessThan(1_000);
    home.sql("DELETE FROM lease");
    expect(await capture(home, path)).toEqual({ newMessages: 2, complete: true });
  });
});

describe("the first of an event", () => {
  it("is told from those that come after it, by whichever process, until it has run out", async () => {
    const home = createHome();
    const ask = async (key: string) => {
      const yore = await home.open();
      const isFirst = await yore.firstOf({ key, withinMs: 1_000 });
      await yore.close();
      return isFirst;
    };
    expect([await ask("a"), await ask("a"), await ask("b")]).toEqual([true, false, true]);
    home.now += 1_001;
    expect(await ask("a")).toBe(true);
    expect(await ask("a")).toBe(false);
  });
});

describe("what the doctor says of hooks", () => {
  const asked = async (home: TestHome) => {
    const yore = await home.open();
    const { agents, findings } = await yore.doctor();
    await yore.close();
    return {
      hooks: agents.flatMap(({ agent, hooks }) => (hooks === undefined ? [] : [{ agent, ...hooks }])),
      said: findings.filter(({ message }) => message.includes("hooks")).map(({ message }) => message),
    };
  };

  it("is when they ran and stored something, and nothing more while they do", async () => {
    const home = createHome();
    expect(await asked(home)).toEqual({ hooks: [], said: [] });
    const path = home.touch(home.write(home.claudePath(MAIN), talk(MAIN, 2)), home.now - 1_000);
    const storedAt = home.now;
    await capture(home, path);
    home.now += 600_000;
    await capture(home, path);
    expect(await asked(home)).toEqual({ hooks: [{ agent: "claude-code", ranAt: home.now, storedAt }], said: [] });
  });

  it("is that they run and store nothing, told from what is stored", async () => {
    const home = createHome();
    home.write(home.claudePath(MAIN), talk(MAIN, 2));
    await home.index();
    home.now += 3_600_000;
    const left = home.touch(home.write(home.claudePath(sessionId(3)), talk(sessionId(3), 2)), home.now - 600_000);
    await capture(home, `${left}.gone`);
    const { hooks, said } = await asked(home);
    expect(hooks).toEqual([{ agent: "claude-code", ranAt: home.now }]);
    expect(said).toEqual([
      "Claude Code: its hooks run, and did not bring in a transcript written before the last of them.",
    ]);
    expect((await asked(home)).said).toEqual([]);
  });
});
