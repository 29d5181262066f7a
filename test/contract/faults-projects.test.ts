import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentCase, recordsOf } from "../support/agent-cases.ts";
import { byAgent, CASE_GROUPS, homeOf, saveCase } from "../support/case-groups.ts";
import type { TestHome } from "../support/home.ts";

const CWD = "/home/ana/code/tide";
const WORDS = ["barnacle", "cormorant"];

describe.each(CASE_GROUPS)("%s", { timeout: 30_000 }, (_, all) => {
  /** Cases whose records tell the folder worked in. Of the others it is told by where they lie. */
  const cases = all.filter((agentCase) => JSON.stringify(recordsOf(agentCase, WORDS)).includes(CWD));

  it.each(["/home/ana/code/my-app_v1.2 x", "/home/ana/code/日記", "/home/ana/code/Ünï/çode"])(
    "%s is the project of every agent that worked there, by its records",
    async (folder) => {
      const home = homeOf(cases);
      await indexIn(home, cases, folder);
      expect(foldersOf(home, cases)).toEqual(byAgent(cases, () => folder));
      const { items } = await (await home.open()).projects();
      expect(items).toMatchObject([{ name: folder.split("/").at(-1), sessions: cases.length }]);
    },
  );

  it("a Windows folder is one project, however an agent writes it", async () => {
    const home = homeOf(cases);
    const spellings = ["C:\\Users\\ana\\tide", "c:\\Users\\ana\\tide", "C:/Users/ana/tide"];
    for (const [at, agentCase] of cases.entries()) save(home, agentCase, spellings[at % spellings.length] ?? "");
    await home.index();
    const { items } = await (await home.open()).projects();
    expect(items.map(({ name, sessions }) => [name, sessions])).toEqual([["tide", cases.length]]);
  });

  it("a worktree is of its repository's project, whichever agent worked there, and stays a folder of its own", async () => {
    const home = homeOf(cases);
    const main = join(realpathSync(home.home), "code/repository");
    const tree = join(realpathSync(home.home), "code/repository-fix");
    mkdirSync(main, { recursive: true });
    const git = (...words: string[]) =>
      execFileSync("git", ["-C", main, "-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
        stdio: "pipe",
      });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", tree, "-b", "fix");
    for (const [at, agentCase] of cases.entries()) save(home, agentCase, at % 2 === 0 ? main : tree);
    await home.index();
    const { items } = await (await home.open()).projects();
    expect(items.map(({ name, folders, sessions }) => [name, folders.toSorted(), sessions])).toEqual([
      ["repository", cases.length > 1 ? [main, tree] : [main], cases.length],
    ]);
  });

  it("times are those of the records, in whatever unit they are written", async () => {
    const home = homeOf(all);
    for (const agentCase of all) home.touch(saveCase(home, agentCase, recordsOf(agentCase, WORDS)), home.now - 60_000);
    await home.index();
    const written = home.now - 60_000;
    const start = Date.parse("2026-03-02T09:00:00Z");
    const { sessions } = home.dump();
    const told = byAgent(all, ({ agent }) =>
      sessions
        .filter((row) => row.agent === agent)
        .every(
          ({ started_at, ended_at }) => isWithin(started_at, start, written) && isWithin(ended_at, start, written),
        ),
    );
    expect(told).toEqual(byAgent(all, () => true));
  });

  it("a clock that was ahead puts no session into the future", async () => {
    const home = homeOf(all, { now: Date.parse("2026-01-10T12:00:00Z") });
    for (const agentCase of all) home.touch(saveCase(home, agentCase, recordsOf(agentCase, WORDS)), home.now - 60_000);
    await home.index();
    const ends = home
      .dump()
      .sessions.flatMap(({ agent, ended_at }) =>
        Number(ended_at) > home.now ? [[agent, new Date(Number(ended_at)).toISOString()]] : [],
      );
    expect(ends).toEqual([]);
    const yore = await home.open();
    expect((await yore.sessions({ filter: { since: home.now + 1 }, limit: 100 })).items).toEqual([]);
    expect((await yore.sessions({ limit: 100 })).items).toHaveLength(all.length);
  });
});

function isWithin(value: unknown, start: number, written: number): boolean {
  const at = Number(value);
  return at === written || (at >= start && at < start + 3_600_000);
}

/** Writes a session that says it worked in `folder`. */
function save(home: TestHome, agentCase: AgentCase, folder: string): void {
  const escaped = JSON.stringify(folder).slice(1, -1);
  const text = JSON.stringify(recordsOf(agentCase, WORDS)).replaceAll(`file://${CWD}`, addressOf(folder));
  const records: object[] = JSON.parse(text.replaceAll(CWD, escaped));
  saveCase(home, agentCase, records);
}

/** As editors write it. */
function addressOf(folder: string): string {
  const path = encodeURI(folder.replaceAll("\\", "/")).replace(":", "%3A");
  return `file://${path.startsWith("/") ? "" : "/"}${path}`;
}

async function indexIn(home: TestHome, cases: readonly AgentCase[], folder: string): Promise<void> {
  for (const agentCase of cases) save(home, agentCase, folder);
  expect(await home.index()).toMatchObject({ sessions: cases.length, skippedLines: 0, problems: [] });
}

function foldersOf(home: TestHome, cases: readonly AgentCase[]): Record<string, unknown> {
  const { sessions } = home.dump();
  return byAgent(cases, ({ agent }) => sessions.find((row) => row.agent === agent)?.cwd);
}
