import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { writeCorpus } from "../support/corpus.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { call, INITIALIZE, INITIALIZED, type McpProcess, startMcp } from "../support/mcp-process.ts";
import { jsonOf, PROGRAM } from "../support/program.ts";

function start(home: TestHome): McpProcess {
  const mcp = startMcp(PROGRAM, ["mcp"], {
    PATH: process.env.PATH,
    HOME: home.home,
    YORE_HOME: home.yoreHome,
    TZ: "UTC",
  });
  onTestFinished(() => {
    mcp.child.kill("SIGKILL");
  });
  return mcp;
}

async function greeted(home: TestHome): Promise<McpProcess> {
  const mcp = start(home);
  const ready = mcp.answer(1);
  mcp.send(INITIALIZE, INITIALIZED);
  await ready;
  return mcp;
}

async function ask(mcp: McpProcess, id: number, name: string, given: object = {}): Promise<string> {
  const answered = mcp.answer(id);
  mcp.send(call(id, name, given));
  return JSON.stringify((await answered).result);
}

function fill(home: TestHome, sessions: number): void {
  for (let count = 1; count <= sessions; count++) {
    const transcript = claudeTranscript({ session: sessionId(count) });
    transcript.prompt(`barnacle ${count}`);
    transcript.says(`heron ${count}`);
    home.write(home.claudePath(sessionId(count)), transcript.lines);
  }
}

describe("several servers over one store", () => {
  it("that start at once all answer, while the history is read and after", async () => {
    const home = createHome();
    fill(home, 40);
    const servers = await Promise.all(Array.from({ length: 5 }, () => greeted(home)));
    for (let round = 2; round < 6; round++) {
      fill(home, 40 + round);
      const answers = await Promise.all(
        servers.map((mcp) => ask(mcp, round, "search", { query: "barnacle", limit: 3 })),
      );
      for (const answer of answers) expect(answer).not.toMatch(/isError|busy|locked/);
    }
    for (const mcp of servers) mcp.child.stdin.end();
    for (const mcp of servers) expect([await mcp.exit(), mcp.stderr()]).toEqual([{ code: 0, signal: null }, ""]);
    expect(await jsonOf(home, ["index"])).toMatchObject({ sessions: 45, messages: 90 });
  });

  it("find what was written a moment ago, whichever of them has read it", async () => {
    const home = createHome();
    fill(home, 3);
    const servers = await Promise.all([greeted(home), greeted(home)]);
    for (const mcp of servers) expect(await ask(mcp, 2, "search", { query: "barnacle" })).toContain("barnacle 3");
    fill(home, 4);
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const mcp of servers) expect(await ask(mcp, 3, "search", { query: "barnacle 4" })).toContain("barnacle 4");
  });
});

describe("a server whose client is gone", () => {
  it.each(["end of input", "SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "by %s ends at once, though it is reading history, and what it read is kept",
    async (how) => {
      const home = createHome();
      writeCorpus(home);
      const mcp = await greeted(home);
      mcp.send(call(2, "search", { query: "barnacle" }));
      while (!existsSync(`${home.storePath}-wal`)) await new Promise((resolve) => setTimeout(resolve, 20));
      const asked = performance.now();
      if (how === "end of input") mcp.child.stdin.end();
      else mcp.child.kill(how);
      expect(await mcp.exit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - asked).toBeLessThan(3_000);
      if (how !== "end of input") return;

      await jsonOf(home, ["index"]);
      const alone = createHome({ over: home });
      await jsonOf(alone, ["index"]);
      const sums = (one: TestHome) => dumpStore(one.storePath, { terms: "sums" });
      expect(compareDumps(sums(home), sums(alone))).toEqual({});
    },
  );
});

describe("standard output", () => {
  it("carries the protocol only, whatever happens to the store and the histories", async () => {
    const home = createHome();
    fill(home, 2);
    home.appendRaw(home.claudePath(sessionId(1)), "{damaged\n");
    home.link(join(home.home, "loop"), join(home.home, "loop"));
    home.link(join(home.home, "loop"), home.codexPath("sessions"));
    const mcp = await greeted(home);
    const given = [
      ["search", { query: "barnacle" }],
      ["search", { query: "" }],
      ["search", { nonsense: 1 }],
      ["get_session", { session: "nobody" }],
      ["get_observations", { ids: ["zzzzzzzzzzzz"] }],
      ["timeline", {}],
      ["list_sessions", {}],
      ["nonsense", {}],
    ] as const;
    for (const [at, [name, input]] of given.entries()) await ask(mcp, at + 2, name, input);
    writeFileSync(home.storePath, "This is no database. ".repeat(1_000));
    await ask(mcp, 50, "search", { query: "heron" });
    mcp.child.stdin.end();
    await mcp.exit();
    for (const line of mcp.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(mcp.lines).toHaveLength(given.length + 2);
  });

  it("stays empty where the store cannot be opened: that is told on standard error", async () => {
    const home = createHome();
    mkdirSync(home.yoreHome);
    writeFileSync(home.storePath, "This is no database. ".repeat(1_000));
    const mcp = start(home);
    mcp.send(INITIALIZE);
    const { code } = await mcp.exit();
    expect([code, mcp.lines]).toEqual([1, []]);
    expect(mcp.stderr()).toMatch(/damaged/);
    expect(mcp.stderr()).not.toMatch(/\n\s+at /);
  });
});

describe("a server that is not asked anything", () => {
  it("writes nothing, though histories grow", async () => {
    const home = createHome();
    fill(home, 5);
    const mcp = await greeted(home);
    await ask(mcp, 2, "search", { query: "barnacle" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = filesOf(home.yoreHome);
    fill(home, 9);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(filesOf(home.yoreHome)).toEqual(before);
    mcp.child.stdin.end();
    await mcp.exit();
  });
});

describe("YORE_HOME", () => {
  it("is where everything is kept: beside it nothing is written, by any command", async () => {
    const home = createHome();
    fill(home, 3);
    const before = filesOf(home.home);
    await jsonOf(home, ["index"]);
    for (const argv of COMMANDS) await jsonOf(home, argv, { cwd: home.home });
    const mcp = await greeted(home);
    await ask(mcp, 2, "search", { query: "barnacle" });
    mcp.child.stdin.end();
    await mcp.exit();
    expect(filesOf(home.home)).toEqual(before);
    expect(
      readdirSync(home.yoreHome)
        .filter((name) => !name.startsWith("yore.db"))
        .sort(),
    ).toEqual(OWN);
    expect(statSync(home.yoreHome).mode & 0o777).toBe(0o700);
  });
});

const COMMANDS = [
  ["search", "barnacle"],
  ["sessions"],
  ["stats"],
  ["doctor"],
  ["show", sessionId(1)],
  ["tag", "tide", sessionId(1)],
  ["note", sessionId(1), "a note"],
  ["remember", "Tides are in UTC."],
  ["projects", "rename", "tide", "Tides"],
  ["restore"],
];

/** What stands beside the store in this case. */
const OWN = ["archive", "audit", "cache", "mirror", "redaction.key"];

/** Every file below a folder, with its content and when it was written. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, `${statSync(path).mtimeMs} ${readFileSync(path).toString("base64")}`];
    }),
  );
}
