import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ClaudeTranscript, claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { call, INITIALIZE, INITIALIZED, type McpProcess, startMcp } from "../support/mcp-process.ts";
import { jsonOf, PROGRAM, startYore } from "../support/program.ts";

/** How soon one who waits takes over, and how soon a server begins, with plenty to spare. */
const SOON = { timeout: 30_000, interval: 50 };

function started(): { readonly home: TestHome; readonly first: ClaudeTranscript; readonly path: string } {
  const home = createHome();
  const first = claudeTranscript({ session: sessionId(1) });
  first.prompt("barnacle");
  return { home, first, path: home.write(home.claudePath(first.session), first.lines) };
}

/** How many messages the store has, without a question that would have them read; 0 where there is none yet. */
function stored(home: TestHome): number {
  try {
    const database = new Database(home.storePath, { readonly: true });
    try {
      return Number(database.prepare("SELECT count(*) FROM messages").pluck().get());
    } finally {
      database.close();
    }
  } catch {
    return 0;
  }
}

const becomes = (home: TestHome, count: number) => expect.poll(() => stored(home), SOON).toBe(count);

function startWatch(home: TestHome) {
  const running = startYore(home, ["watch"]);
  let told = "";
  for (const stream of [running.child.stdout, running.child.stderr]) {
    stream?.on("data", (chunk) => {
      told += String(chunk);
    });
  }
  return {
    ...running,
    tells: (text: string) => vi.waitFor(() => expect(told).toContain(text), SOON),
    told: () => told,
  };
}

describe("yore watch", () => {
  it("reads what is written until Ctrl-C, and then ends with 0", async () => {
    const { home, first, path } = started();
    const { child, finished, tells } = startWatch(home);
    await tells("1 new message in 1 file\n");
    home.append(path, [first.says("one"), first.prompt("two")]);
    await tells("2 new messages in 1 file\n");
    await becomes(home, 3);
    expect(await jsonOf(home, ["sessions"])).toMatchObject({ sessions: [{ state: "live" }] });
    home.touch(path, Date.now() - 3_600_000);
    expect(await jsonOf(home, ["sessions"])).toMatchObject({ sessions: [{ state: "idle" }] });
    child.kill("SIGINT");
    const { code, signal, stderr } = await finished;
    expect([code, signal, stderr]).toEqual([0, null, "watching until Ctrl-C\n"]);
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true });
  });

  it("is done by one of three, and taken over by one of the others when that one is killed", async () => {
    const { home, first, path } = started();
    const one = startWatch(home);
    await one.tells("1 new message");
    const others = [startWatch(home), startWatch(home)];
    for (const { tells } of others) await tells("another process is watching");
    home.append(path, [first.says("by the first")]);
    await becomes(home, 2);
    expect(others.map(({ told }) => told().includes("new message"))).toEqual([false, false]);

    one.child.kill("SIGKILL");
    await one.finished;
    // Whoever takes over finds it when it does.
    home.append(path, [first.says("by nobody yet")]);
    await becomes(home, 3);
    await expect.poll(() => others.filter(({ told }) => told().includes("new message")).length, SOON).toBe(1);
    home.append(path, [first.says("by the next")]);
    await becomes(home, 4);
    for (const { child } of others) child.kill("SIGINT");
    expect((await Promise.all(others.map(({ finished }) => finished))).map(({ code }) => code)).toEqual([0, 0]);
  });
});

describe("yore mcp", () => {
  async function opened(home: TestHome, variables: Readonly<Record<string, string>> = {}): Promise<McpProcess> {
    const environment = { HOME: home.home, YORE_HOME: home.yoreHome, PATH: process.env.PATH, ...variables };
    const mcp = startMcp(PROGRAM, ["mcp"], environment);
    onTestFinished(() => void mcp.child.kill("SIGKILL"));
    const ready = mcp.answer(1);
    mcp.send(INITIALIZE, INITIALIZED);
    await ready;
    return mcp;
  }

  async function end(mcp: McpProcess): Promise<number> {
    const from = performance.now();
    mcp.child.stdin.end();
    expect(await mcp.exit()).toEqual({ code: 0, signal: null });
    return performance.now() - from;
  }

  it("reads what is written while it runs, prints nothing for it, and ends with its client", async () => {
    const { home, first, path } = started();
    const mcp = await opened(home);
    await becomes(home, 1);
    home.append(path, [first.says("while it runs")]);
    await becomes(home, 2);
    const answered = mcp.answer(2);
    mcp.send(call(2, "list_sessions"));
    expect(JSON.stringify((await answered).result)).toContain(sessionId(1));
    // Faults of a server that outlives its client begin at two seconds.
    expect(await end(mcp)).toBeLessThan(2_000);
    expect([mcp.lines.length, mcp.stderr()]).toEqual([2, ""]);
    expect(watchers(home)).toBe(0);
  });

  it("does not when it is told not to", async () => {
    const { home } = started();
    const [deaf, hearing] = [await opened(home, { YORE_WATCH: "0" }), createHome({ over: home })];
    const other = await opened(hearing);
    // The other began no earlier.
    await becomes(hearing, 1);
    expect(stored(home)).toBe(0);
    await end(deaf);
    await end(other);
  });
});

function watchers(home: TestHome): number {
  const database = new Database(home.storePath, { readonly: true });
  try {
    return Number(database.prepare("SELECT count(*) FROM watch_lease").pluck().get());
  } finally {
    database.close();
  }
}
