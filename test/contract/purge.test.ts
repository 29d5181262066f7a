import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openYore } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type TestHome } from "../support/home.ts";

const GONE = sessionId(1);
const KEPT = sessionId(2);
/** What only the session that is purged has said. */
const SAID = ["the heron of Zanderquill stands in the shallows", "zanderquill", "Zanderquill"];

async function open(home: Pick<TestHome, "home" | "yoreHome">): Promise<Yore> {
  const yore = await openYore(readSettings({ HOME: home.home, YORE_HOME: home.yoreHome, YORE_CATCH_UP_MS: "60000" }), {
    firstPassWhole: true,
  });
  onTestFinished(() => yore.close());
  return yore;
}

function writeKept(home: TestHome): void {
  const kept = claudeTranscript({ session: KEPT, cwd: "/home/ana/code/tide" });
  kept.prompt("what is a limpet?");
  kept.says("A mollusc that clings to rocks.");
  home.write(home.claudePath(KEPT), kept.lines);
}

function writeGone(home: TestHome): readonly string[] {
  const gone = claudeTranscript({ session: GONE, cwd: "/home/ana/code/secret-shop" });
  gone.prompt("where does the heron of Zanderquill stand today?");
  gone.calls("Bash", { command: "find herons --of zanderquill" });
  gone.returns(`${"water and reeds all around ".repeat(30)} the heron of Zanderquill stands in the shallows`);
  gone.says("It stands in the shallows of the Zanderquill, they say.");
  home.write(home.claudePath(GONE, "/home/ana/code/secret-shop"), gone.lines);
  const subagent = claudeTranscript({ session: GONE, agentId: "a1", cwd: "/home/ana/code/secret-shop" });
  subagent.prompt("look for the heron of Zanderquill in all the papers");
  home.write(
    home.claudePath(GONE, "/home/ana/code/secret-shop").replace(".jsonl", "/subagents/agent-a1.jsonl"),
    subagent.lines,
  );
  // Claude Code's own list of prompts.
  home.write(join(home.home, ".claude", "history.jsonl"), [
    JSON.stringify({
      display: "where does the heron of Zanderquill stand today?",
      pastedContents: {},
      timestamp: gone.at,
      project: "/home/ana/code/secret-shop",
      sessionId: GONE,
    }),
  ]);
  return gone.lines;
}

async function planted(): Promise<TestHome> {
  const home = createHome();
  writeKept(home);
  writeGone(home);
  const yore = await open(home);
  await yore.index();
  await yore.annotate({ kind: "alias", session: GONE, alias: "zanderquill-heron" });
  await yore.annotate({ kind: "note", session: GONE, text: "Zanderquill must not be known." });
  await yore.annotate({ kind: "tags", items: [GONE, KEPT].map((session) => ({ session, add: ["tide"] })) });
  await yore.annotate({ kind: "note", session: KEPT, text: "Limpets are fine." });
  await yore.close();
  const { yoreHome } = home;
  const archive = join(yoreHome, "archive", "claude-code");
  const folder = readdirSync(archive).find((name) => name.includes(GONE.slice(0, 8))) ?? "";
  cpSync(join(archive, folder), join(archive, `${folder}.was`), { recursive: true });
  cpSync(join(archive, folder), join(archive, `${folder}.new`), { recursive: true });
  mkdirSync(join(yoreHome, "audit"), { recursive: true });
  const call = { tool: "get_session", session: null, sessions: [KEPT, GONE] };
  writeFileSync(join(yoreHome, "audit", "2026-06-01.jsonl"), `${JSON.stringify(call)}\n`);
  const note = `---\nsession: ${GONE}\nagent: claude-code\n---\n\nZanderquill\n`;
  writeFileSync(join(yoreHome, "mirror", "notes", `claude-code-${GONE}.md.edited-20260101T000000Z`), note);
  const tags = { tags: [GONE, KEPT].map((session) => ({ tag: "tide", agent: "claude-code", session })) };
  writeFileSync(join(yoreHome, "mirror", "tags.json.edited-20260101T000000Z"), JSON.stringify(tags));
  return home;
}

/** By its id it is refused: that stands in a list, and in what is known of the agent's own file. */
function withoutRefusal(places: readonly string[]): readonly string[] {
  return places.filter(
    (place) => !/^(?:refused_sessions|files|yore\.db(?:-wal)?|mirror\/refused\.json): 5e550001/.test(place),
  );
}

const NEEDLES = [...SAID, GONE];

describe("purge", () => {
  it("leaves nothing of a session in any file, keeps the others, and proves it", async () => {
    const home = await planted();
    expect(whereStands(home.yoreHome, SAID).length).toBeGreaterThan(10);
    const yore = await open(home);
    const plan = await yore.planPurge({ sessions: [GONE] });
    expect(plan).toMatchObject({ messages: 5, annotations: 3, projects: 1, relatives: [], unfinished: [] });
    expect(plan.sessions.map(({ id }) => id)).toEqual([GONE]);
    const report = await yore.purge({ sessions: [GONE] });
    expect(report).toMatchObject({ left: [], messages: 5 });
    expect(report.removed).toContain(GONE);
    expect(report.checked.strings).toBeGreaterThan(4);
    expect(report.agentFiles.length).toBeGreaterThanOrEqual(2);
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
    expect((await yore.sessions({ all: true })).items.map(({ id }) => id)).toEqual([KEPT]);
    expect((await yore.search({ query: "heron" })).hits).toEqual([]);
    expect((await yore.annotations({ session: KEPT })).note?.value).toBe("Limpets are fine.");
    expect((await yore.doctor()).findings.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("has it stay away: at the next look, after a rebuild, when it goes on, and in a store that is made anew", async () => {
    const home = await planted();
    const yore = await open(home);
    await yore.purge({ sessions: [GONE] });
    await yore.index();
    await yore.index({ rebuild: true });
    const more = claudeTranscript({ session: GONE, seed: "bbbbbbbb", cwd: "/home/ana/code/secret-shop" });
    more.prompt("and where does the heron of Zanderquill sleep?");
    home.append(home.claudePath(GONE, "/home/ana/code/secret-shop"), more.lines);
    await yore.index();
    await yore.close();
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
    const restored = await open(home);
    await restored.index({ restore: true });
    expect((await restored.sessions({ all: true })).items.map(({ id }) => id)).toEqual([KEPT]);
    await restored.close();
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
  });

  it("leaves the rest as if the session had never been", async () => {
    const home = await planted();
    const yore = await open(home);
    await yore.purge({ sessions: [GONE] });
    await yore.close();
    const other = createHome();
    writeKept(other);
    await (await open(other)).index();
    const strip = (dump: ReturnType<typeof dumpStore>, root: string) =>
      JSON.parse(
        JSON.stringify({
          ...dump,
          // What a person put on the session that stays is found by its title too, and the list of prompts is there.
          titleWords: [],
          files: dump.files.filter(({ agent }) => agent !== "claude-prompts"),
        }).replaceAll(root, ""),
      );
    const rest = strip(dumpStore(home.storePath), home.home);
    expect(compareDumps(rest, strip(dumpStore(other.storePath), other.home))).toEqual({});
  });

  it("goes by project, with its memories and with what is hidden", async () => {
    const home = await planted();
    const yore = await open(home);
    await yore.remember({ text: "Never say Zanderquill.", session: GONE, type: "decision" });
    await yore.annotate({ kind: "forget", sessions: [GONE] });
    expect((await yore.planPurge({ project: "secret-shop" })).sessions.map(({ id }) => id)).toContain(GONE);
    const { removed, left } = await yore.purge({ project: "secret-shop" });
    expect(removed).toContain(GONE);
    expect(left).toEqual([]);
    expect((await yore.projects()).items.map(({ name }) => name)).toEqual(["tide"]);
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
  });

  it("names a memory that was saved in the session, which stays", async () => {
    const home = await planted();
    const yore = await open(home);
    const memory = await yore.remember({ text: "Herons stand in the shallows.", session: GONE });
    const { left } = await yore.purge({ sessions: [GONE] });
    expect(left).toMatchObject([
      { problem: expect.stringContaining("the annotations of other sessions") },
      { path: expect.stringContaining(`mirror${sep}history.jsonl`) },
      { path: expect.stringContaining(memory.memory.id) },
    ]);
    expect((await yore.memories()).items).toHaveLength(1);
  });

  it("is done again without harm, and finishes what was begun", async () => {
    const home = await planted();
    const killed = await open(home);
    let steps = 0;
    for (let stopAt = 1; stopAt < 9; stopAt += 1) {
      const stop = (): void => {
        steps += 1;
        if (steps === stopAt) throw new Error("killed");
      };
      steps = 0;
      await killed.purge({ sessions: [GONE], onProgress: stop }).catch(() => undefined);
    }
    await killed.close();
    const yore = await open(home);
    const { left } = await yore.purge({ sessions: [GONE] });
    expect(left).toEqual([]);
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
    expect((await yore.purge({ sessions: [GONE] })).removed).toEqual([GONE]);
    await expect(yore.purge({})).rejects.toThrow("No session was named.");
  });

  it("finishes without being told of what", async () => {
    const home = await planted();
    const killed = await open(home);
    await killed
      .purge({
        sessions: [GONE],
        onProgress: ({ what }) => {
          if (what === "annotations") throw new Error("killed");
        },
      })
      .catch(() => undefined);
    await killed.close();
    const yore = await open(home);
    expect((await yore.planPurge({})).unfinished).toContain(GONE);
    expect((await yore.doctor()).findings.map(({ remedy }) => remedy)).toContain(
      "Run `yore purge`: it goes on from there.",
    );
    expect((await yore.purge({})).left).toEqual([]);
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
  });

  it("names a fork, and where its words stand still", async () => {
    const home = createHome();
    const lines = writeGone(home);
    const fork = claudeTranscript({ session: sessionId(3), startedAt: Date.parse("2026-03-02T10:00:00Z") });
    fork.prompt("a fork goes on");
    home.write(home.claudePath(sessionId(3)), [...lines.map((line) => copiedLine(line, fork.session)), ...fork.lines]);
    const yore = await open(home);
    await yore.index();
    expect((await yore.planPurge({ sessions: [GONE] })).relatives).toEqual([sessionId(3)]);
    const { left } = await yore.purge({ sessions: [GONE] });
    expect(left.map(({ remedy }) => remedy).join()).toContain("such as a fork");
    expect((await yore.purge({ sessions: [sessionId(3)] })).left).toEqual([]);
    expect(withoutRefusal(whereStands(home.yoreHome, NEEDLES))).toEqual([]);
  });

  it("names backups and stores that were moved aside", async () => {
    const home = await planted();
    mkdirSync(join(home.yoreHome, "backups"));
    writeFileSync(join(home.yoreHome, "backups", "a.tar.gz"), "…");
    writeFileSync(join(home.yoreHome, "yore.db.damaged-20260101T000000Z"), "…");
    writeFileSync(join(home.yoreHome, "mine.txt"), GONE);
    const yore = await open(home);
    const { left } = await yore.purge({ sessions: [GONE] });
    expect(left.map(({ path }) => path?.slice(home.yoreHome.length + 1))).toEqual([
      "backups/a.tar.gz",
      "mine.txt",
      "yore.db.damaged-20260101T000000Z",
    ]);
  });

  it.each([
    [{ sessions: ["nowhere-at-all"] }, "There is no session"],
    [{ project: "nowhere" }, "There is no project"],
    [{}, "No session was named"],
  ])("refuses %j", async (request, message) => {
    const home = await planted();
    const yore = await open(home);
    await expect(yore.planPurge(request)).rejects.toThrow(message);
    await expect(yore.purge(request)).rejects.toThrow(message);
  });
});
