import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ClaudeFacts, claudeTranscript, projectFolder, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function session(home: TestHome, count: number, facts: Partial<ClaudeFacts> = {}, folder?: string): string {
  const transcript = claudeTranscript({ session: sessionId(count), ...facts });
  transcript.prompt(`prompt ${count}`);
  const path = home.claudePath(sessionId(count), folder ?? facts.cwd);
  return home.write(path, transcript.lines);
}

async function projectsOf(home: TestHome): Promise<[name: string, sessions: number][]> {
  const yore = await home.open();
  const { items } = await yore.projects();
  await yore.close();
  return items.map(({ name, sessions }): [string, number] => [name, sessions]).sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("a project", () => {
  it.each([
    "/home/ana/my-app",
    "/home/ana/my_app",
    "/home/ana/my app",
    "/home/ana/my.app",
    "/home/ana/my-app/sub-dir",
    "/home/ana/ünïcode/プロジェクト",
    "/home/ana/a--b",
    "/",
  ])("%s is known by the folder in the records, not by the name of the agent's folder", async (cwd) => {
    const home = createHome();
    session(home, 1, { cwd });
    const yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([{ cwd }]);
    const { items } = await yore.projects();
    expect(items).toMatchObject([{ folders: [cwd], sessions: 1 }]);
    expect((await yore.sessions({ filter: { project: cwd } })).total).toBe(1);
  });

  it("is guessed from the name of the agent's folder where no record tells, and found among the folders that are there", async () => {
    const home = createHome();
    const there = join(home.home, "my-app.v2");
    mkdirSync(there, { recursive: true });
    for (const [index, folder] of [there, "/gone/for-good"].entries()) {
      const transcript = claudeTranscript({ session: sessionId(index + 1) });
      transcript.prompt(`prompt ${index}`);
      const bare = transcript.lines.map((line) => line.replace(/"cwd":"[^"]*",?/, ""));
      home.write(home.claudePath(sessionId(index + 1), folder), bare);
    }
    const yore = await home.open();
    const { items } = await yore.projects();
    expect(items.map(({ key }) => key).sort()).toEqual([`folder:${there}`, "folder:-gone-for-good"].sort());
    expect((await yore.sessions()).total).toBe(2);
  });

  it("is not shared by folders whose names the agent writes alike", async () => {
    const home = createHome();
    const cwds = ["/home/ana/my-app", "/home/ana/my_app", "/home/ana/my.app"];
    expect(new Set(cwds.map(projectFolder)).size).toBe(1);
    for (const [index, cwd] of cwds.entries()) session(home, index + 1, { cwd });
    expect(await projectsOf(home)).toEqual([
      ["my-app", 1],
      ["my.app", 1],
      ["my_app", 1],
    ]);
  });

  it("is not shared by folders of one name", async () => {
    const home = createHome();
    session(home, 1, { cwd: "/home/ana/work/app" });
    session(home, 2, { cwd: "/home/ana/play/app" });
    expect(await projectsOf(home)).toEqual([
      ["app", 1],
      ["app", 1],
    ]);
  });

  it.each([
    ["backslashes and the case of the drive", ["C:\\Users\\ana\\app", "c:\\Users\\ana\\app", "C:/Users/ana/app"]],
    ["a mount of WSL", ["/mnt/c/Users/ana/app", "C:\\Users\\ana\\app"]],
    ["a slash at the end", ["/home/ana/app", "/home/ana/app/"]],
  ])("is one, whatever %s", async (_, cwds) => {
    const home = createHome();
    for (const [index, cwd] of cwds.entries()) session(home, index + 1, { cwd }, `/${index}`);
    expect(await projectsOf(home)).toEqual([["app", cwds.length]]);
  });
});

describe("a repository", () => {
  function repository(folder: string, url?: string): string {
    mkdirSync(join(folder, ".git"), { recursive: true });
    writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    const remote = url === undefined ? "" : `[remote "origin"]\n\turl = ${url}\n`;
    writeFileSync(join(folder, ".git", "config"), `[core]\n\tbare = false\n${remote}`);
    return folder;
  }

  function worktree(main: string, folder: string): string {
    const own = join(main, ".git", "worktrees", "wt");
    mkdirSync(own, { recursive: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(own, "commondir"), "../..\n");
    writeFileSync(join(own, "HEAD"), "ref: refs/heads/feature\n");
    writeFileSync(join(folder, ".git"), `gitdir: ${own}\n`);
    return folder;
  }

  it("is one project for all of its folders and worktrees, which stay apart as folders", async () => {
    const home = createHome();
    const main = repository(join(home.home, "code", "tide"));
    const other = worktree(main, join(home.home, "code", "tide-feature"));
    mkdirSync(join(main, "packages", "core"), { recursive: true });
    for (const [index, cwd] of [main, join(main, "packages", "core"), other].entries())
      session(home, index + 1, { cwd, branch: `b${index}` });
    const yore = await home.open();
    const { items } = await yore.projects();
    expect(items).toMatchObject([{ name: "tide", identity: "git", sessions: 3 }]);
    expect(items[0]?.folders).toEqual([main, join(main, "packages", "core"), other].sort());
    expect((await yore.sessions({ filter: { project: "tide", branch: "b2" } })).items).toMatchObject([{ cwd: other }]);
    expect((await yore.sessions({ filter: { project: other } })).total).toBe(3);
  });

  it("with a remote is one project whatever the clone, the scheme and the agent", async () => {
    const home = createHome();
    session(home, 1, { cwd: repository(join(home.home, "a", "tide"), "git@example.com:Ana/Tide.git") });
    session(home, 2, { cwd: repository(join(home.home, "b", "tide"), "https://ana:pw@example.com/ana/tide") });
    const rollout = codexRollout({
      session: rolloutId(1),
      cwd: "/gone/tide",
      repositoryUrl: "ssh://git@example.com:22/ana/tide.git",
    });
    rollout.prompt("tide");
    home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
    const yore = await home.open();
    const { items } = await yore.projects();
    expect(items).toMatchObject([
      { key: "remote:example.com/ana/tide", sessions: 3, agents: ["claude-code", "codex"] },
    ]);
  });

  it("keeps the sessions of a worktree that was deleted before they were read", async () => {
    const home = createHome();
    const main = repository(join(home.home, "code", "tide"));
    session(home, 1, { cwd: main });
    session(home, 2, { cwd: join(main, ".claude", "worktrees", "wt-1") });
    session(home, 3, { cwd: join(main, ".worktrees", "wt-2", "src") });
    expect(await projectsOf(home)).toEqual([["tide", 3]]);
  });

  it("keeps its sessions when its folder is gone later, and they are read again", async () => {
    const home = createHome();
    const main = repository(join(home.home, "code", "tide"), "git@example.com:ana/tide.git");
    session(home, 1, { cwd: main });
    await home.index();
    rmSync(main, { recursive: true });
    expect(await projectsOf(home)).toEqual([["tide", 1]]);
    session(home, 2, { cwd: main });
    expect(await projectsOf(home)).toEqual([["tide", 2]]);
  });

  it("of dotfiles in the home folder does not take in every project below it", async () => {
    const home = createHome();
    repository(home.home);
    const app = join(home.home, "code", "app");
    mkdirSync(app, { recursive: true });
    session(home, 1, { cwd: app });
    session(home, 2, { cwd: home.home });
    const yore = await home.open();
    expect((await yore.projects()).items.map(({ name }) => name).sort()).toEqual(["app", "home"]);
  });
});

describe("days", () => {
  it.each([
    ["America/Los_Angeles", "2026-06-01"],
    ["UTC", "2026-06-02"],
    ["Asia/Tokyo", "2026-06-02"],
    ["Pacific/Kiritimati", "2026-06-02"],
  ])("are the reader's: an evening in %s", async (timeZone, day) => {
    const home = createHome({ timeZone });
    session(home, 1, { startedAt: Date.parse("2026-06-02T05:30:00Z") });
    const yore = await home.open();
    expect((await yore.stats()).days).toEqual([{ day, sessions: 1, messages: 1 }]);
    expect((await yore.search({ query: `prompt on:${day}` })).hits).toHaveLength(1);
    const other = day === "2026-06-01" ? "2026-06-02" : "2026-06-01";
    expect((await yore.search({ query: `prompt on:${other}` })).hits).toHaveLength(0);
  });

  it("end where clocks were changed", async () => {
    const home = createHome({ timeZone: "Europe/Berlin" });
    // On 29 March 2026 the clocks went forward at two in the morning, so that the day had 23 hours.
    for (const [count, at] of [
      "2026-03-28T22:59:00Z",
      "2026-03-28T23:01:00Z",
      "2026-03-29T21:59:00Z",
      "2026-03-29T22:01:00Z",
    ].entries())
      session(home, count + 1, { startedAt: Date.parse(at) });
    const yore = await home.open();
    const { hits } = await yore.search({ query: "prompt on:2026-03-29" });
    expect(hits.map((hit) => hit.title).sort()).toEqual(["prompt 2", "prompt 3"]);
    expect((await yore.stats()).days.map(({ day, sessions }) => [day, sessions])).toEqual([
      ["2026-03-28", 1],
      ["2026-03-29", 2],
      ["2026-03-30", 1],
    ]);
  });
});

describe("a clock that was wrong", () => {
  it("does not put a session on today", async () => {
    const home = createHome();
    const today = home.now - HOUR;
    home.touch(session(home, 1, { startedAt: home.now + 400 * DAY }), home.now - 30 * DAY);
    home.touch(session(home, 2, { startedAt: today }), today);
    const yore = await home.open();
    expect((await yore.search({ query: "prompt on:today" })).hits.map((hit) => hit.title)).toEqual(["prompt 2"]);
    expect((await yore.search({ query: "prompt since:today" })).hits.map((hit) => hit.title)).toEqual(["prompt 2"]);
    const { items } = await yore.sessions();
    expect(items.map(({ id }) => id)).toEqual([sessionId(2), sessionId(1)]);
    for (const { startedAt = Infinity, endedAt = Infinity } of items) {
      expect(startedAt).toBeLessThan(home.now);
      expect(endedAt).toBeLessThan(home.now);
    }
    expect((await yore.stats()).lastAt).toBeLessThan(home.now);
  });

  it("that was ahead when the file was written too does not put its session in the future", async () => {
    const home = createHome();
    home.touch(session(home, 1, { startedAt: home.now + 400 * DAY }), home.now + 400 * DAY);
    session(home, 2, { startedAt: home.now - HOUR });
    const yore = await home.open();
    for (const { endedAt = Infinity } of (await yore.sessions()).items) expect(endedAt).toBeLessThanOrEqual(home.now);
  });
});
