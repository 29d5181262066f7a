import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { AGENT_CASES, nameOf, recordsOf, saveRecords } from "../support/agent-cases.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { keptIn } from "../support/kept.ts";

const [A, B, C] = [sessionId(1), sessionId(2), sessionId(3)];
const PRIVATE = "/home/ana/code/clinic";
const OPEN = "/home/ana/code/tide";

describe("a project that is excluded", () => {
  it.each<[string, readonly string[]]>([
    ["by its folder", [PRIVATE]],
    ["by a folder above it", ["/home/ana/code/cli*"]],
    ["by a pattern", ["**/clinic"]],
  ])("%s is neither stored nor archived nor indexed, with its subagents", async (_, excluded) => {
    const home = worked();
    const yore = await home.open({ excluded });
    const report = await yore.index();
    expect(report).toMatchObject({ sessions: 1, problems: [] });
    expect(report.freshness.stale).toBeUndefined();
    expect((await yore.sessions({ all: true })).items.map(({ id }) => id)).toEqual([B]);
    expect(leaks(home)).toEqual([]);
    expect((await yore.doctor()).hidden).toEqual({ forgotten: 0, excluded: 0, refusedFiles: 2 });
    const unread = (await yore.doctor()).findings.filter(({ message }) => /could be read|behind/.test(message));
    expect(unread).toEqual([]);
    await yore.index({ rebuild: true });
    home.append(home.claudePath(A, PRIVATE), lines(A, PRIVATE, "later001"));
    await yore.index();
    expect((await yore.doctor()).hidden.refusedFiles).toBe(2);
    expect(leaks(home)).toEqual([]);
  });

  it("is not read again in every pass", async () => {
    const home = worked();
    const yore = await home.open({ excluded: [PRIVATE] });
    expect((await yore.index()).bytes).toBeGreaterThan(0);
    home.append(home.claudePath(A, PRIVATE), lines(A, PRIVATE, "later001"));
    expect((await yore.index()).bytes).toBe(0);
  });

  it("is hidden at once where it was stored before, and comes back with all that was said meanwhile", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.index();
    const before = await yore.sessions({ all: true });
    expect(before.total).toBe(3);
    await yore.annotate({ kind: "pin", sessions: [A] });
    expect(await yore.excludeProject({ place: "clinic" })).toEqual({
      excluded: [{ pattern: PRIVATE, isFixed: false }],
      changed: [PRIVATE],
      stored: 2,
    });
    expect((await yore.search({ query: "stethoscope" })).hits).toEqual([]);
    expect((await yore.projects()).items.map(({ name }) => name)).toEqual(["tide"]);
    expect((await yore.pins()).items).toEqual([]);
    await expect(yore.session({ session: A })).rejects.toMatchObject({ message: expect.stringContaining("excluded") });
    const { hidden, findings } = await yore.doctor();
    expect(hidden).toEqual({ forgotten: 0, excluded: 2, refusedFiles: 0 });
    expect(findings).toContainEqual(expect.objectContaining({ remedy: expect.stringContaining("yore purge") }));
    home.append(home.claudePath(A, PRIVATE), lines(A, PRIVATE, "later001", "otoscope"));
    await yore.index();
    expect(keptIn(home).stored).not.toContain("otoscope");
    expect(keptIn(home).archived).not.toContain("otoscope");
    expect(await yore.includeProject({ place: "clinic" })).toMatchObject({
      excluded: [],
      changed: [PRIVATE],
      stored: 0,
    });
    await yore.index();
    expect((await yore.sessions({ all: true })).total).toBe(3);
    expect((await yore.search({ query: "otoscope" })).hits).toHaveLength(1);
    expect((await yore.pins()).total).toBe(1);
  });

  it("that was refused is stored once it is included again", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.excludeProject({ place: `${PRIVATE}/` });
    await yore.index();
    expect(leaks(home)).toEqual([]);
    await yore.includeProject({ place: PRIVATE });
    await yore.index();
    expect((await yore.sessions({ all: true })).total).toBe(3);
    expect((await yore.doctor()).hidden.refusedFiles).toBe(0);
  });

  it("is excluded for a process that runs already, as soon as the file says so", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.index();
    writeFileSync(join(home.yoreHome, "config.json"), JSON.stringify({ excludeProjects: [PRIVATE] }));
    home.now += 1_000;
    expect((await yore.sessions()).items.map(({ id }) => id)).toEqual([B]);
    writeFileSync(join(home.yoreHome, "config.json"), "{");
    home.now += 1_000;
    await expect(yore.sessions()).rejects.toMatchObject({ code: "bad-input" });
    rmSync(join(home.yoreHome, "config.json"));
    home.now += 1_000;
    expect((await yore.sessions()).total).toBe(2);
  });

  it("is excluded in the midst of a pass that began before", async () => {
    const home = createHome();
    const long = claudeTranscript({ session: A, cwd: OPEN });
    for (let turn = 0; turn < 40; turn++) long.prompt(`tides ${"x".repeat(100_000)}`);
    home.touch(home.write(home.claudePath(A, OPEN), long.lines), home.now - 2_000_000);
    home.touch(home.write(home.claudePath(B, PRIVATE), lines(B, PRIVATE)), home.now - 1_000_000);
    const yore = await home.open();
    const report = await yore.index({
      onProgress: (progress) => {
        const config = JSON.stringify({ excludeProjects: [PRIVATE] });
        if (progress.phase === "reading" && progress.filesDone === 1)
          writeFileSync(join(home.yoreHome, "config.json"), config);
      },
    });
    expect(report.freshness.stale).toBe("out-of-time");
    expect(leaks(home)).toEqual([]);
    await yore.index();
    expect((await yore.sessions()).items.map(({ id }) => id)).toEqual([A]);
    expect(leaks(home)).toEqual([]);
  });

  it("is known by its remote and by the link that leads to it", async () => {
    const home = createHome();
    const repository = join(home.home, "shop");
    mkdirSync(join(repository, ".git"), { recursive: true });
    writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(repository, ".git", "config"), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
    mkdirSync(join(home.home, "notes"));
    symlinkSync(join(home.home, "notes"), join(home.home, "link"));
    home.write(home.claudePath(A, repository), lines(A, repository));
    home.write(home.claudePath(B, join(home.home, "link")), lines(B, join(home.home, "link")));
    const codex = codexRollout({ session: rolloutId(1), cwd: "/gone", repositoryUrl: "https://github.com/acme/shop" });
    codex.prompt("ask about a stethoscope");
    home.write(home.codexPath(rolloutPath(codex)), codex.lines);
    home.write(home.claudePath(C, OPEN), lines(C, OPEN, "open0001", "tides"));
    const yore = await home.open({ excluded: ["github.com/acme/*", join(home.home, "notes")] });
    await yore.index();
    expect((await yore.sessions()).items.map(({ id }) => id)).toEqual([C]);
    expect(leaks(home)).toEqual([]);
  });

  it("is known by where its remote's clone was, once that is gone", async () => {
    const home = createHome();
    const repository = join(home.home, "shop");
    mkdirSync(join(repository, ".git"), { recursive: true });
    writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(repository, ".git", "config"), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n');
    home.write(home.claudePath(A, repository), lines(A, repository, "aaaaaaaa", "tides"));
    const yore = await home.open();
    await yore.index();
    expect((await yore.excludeProject({ place: "shop" })).changed).toEqual(["github.com/acme/shop", repository]);
    await yore.includeProject({ place: repository });
    rmSync(repository, { recursive: true });
    home.write(home.claudePath(B, repository), lines(B, repository));
    await yore.index();
    expect((await yore.sessions()).total).toBe(0);
    expect(leaks(home)).toEqual([]);
  });

  it("does not leak the first lines of a session that tells its folder late", async () => {
    const home = createHome();
    const path = home.claudePath(A, PRIVATE);
    const head = [{ type: "summary", summary: "a stethoscope", leafUuid: "x" }].map((one) => JSON.stringify(one));
    home.touch(home.write(path, head), home.now - 1_000);
    const yore = await home.open({ excluded: [PRIVATE] });
    await yore.index();
    expect(leaks(home)).toEqual([]);
    home.append(path, lines(A, PRIVATE));
    await yore.index();
    expect(leaks(home)).toEqual([]);
    expect((await yore.doctor()).hidden.refusedFiles).toBe(1);
  });

  it("leaves alone what tells no folder, once that is settled, and what has a like name", async () => {
    const home = createHome();
    const nameless = [
      { type: "user", uuid: "u1", sessionId: A, message: { role: "user", content: "ask about tides" } },
    ];
    const path = home.write(
      home.claudePath(A, `${PRIVATE}s`),
      nameless.map((one) => JSON.stringify(one)),
    );
    home.touch(path, home.now - 11 * 60_000);
    home.write(home.claudePath(B, `${PRIVATE}-two`), lines(B, `${PRIVATE}-two`, "bbbbbbbb", "tides"));
    const hidden = [{ type: "user", uuid: "u2", sessionId: C, message: { role: "user", content: "a stethoscope" } }];
    const doubtful = home.write(
      home.claudePath(C, PRIVATE),
      hidden.map((one) => JSON.stringify(one)),
    );
    home.touch(doubtful, home.now - 11 * 60_000);
    const yore = await home.open({ excluded: [PRIVATE] });
    await yore.index();
    expect((await yore.sessions()).items.map(({ id }) => id).sort()).toEqual([A, B]);
    expect(leaks(home)).toEqual([]);
  });

  it.each(AGENT_CASES.map((agentCase) => [nameOf(agentCase), agentCase] as const))(
    "is excluded of %s too, where that tells its folder",
    async (_, agentCase) => {
      const folders = agentCase.workFolder === undefined ? [] : [agentCase.workFolder];
      const home = createHome({ workFolders: folders });
      saveRecords(agentCase, join(home.home, agentCase.path), recordsOf(agentCase, ["stethoscope", "otoscope"]));
      const plain = await home.open();
      await plain.index();
      const [session] = (await plain.sessions({ all: true })).items;
      await plain.close();
      rmSync(home.yoreHome, { recursive: true });
      expect(session).toBeDefined();
      if (session?.cwd === undefined) return;
      home.now += 60 * 60_000;
      const yore = await home.open({ excluded: [session.cwd] });
      await yore.index();
      expect((await yore.sessions({ all: true })).total).toBe(0);
      expect(leaks(home)).toEqual([]);
    },
  );
});

describe("excluding and including", () => {
  it.each<[string, string | undefined, readonly string[]]>([
    ["a folder", "/work/a", ["/work/a"]],
    ["a folder below the one that is worked in", "./a", ["/home/ana/a"]],
    ["a folder of the home", "~/a", ["~/a"]],
    ["a pattern", "/work/*/a", ["/work/*/a"]],
    ["a remote", "github.com/acme/shop", ["github.com/acme/shop"]],
    ["a project by its name", "clinic", [PRIVATE]],
  ])("%s", async (_, place = "", changed) => {
    const home = worked();
    const yore = await home.open({ folder: "/home/ana" });
    await yore.index();
    expect((await yore.excludeProject({ place })).changed).toEqual(changed);
    expect((await yore.excludeProject({ place: changed[0] ?? "" })).changed).toEqual([]);
    const config = () => JSON.parse(readFileSync(join(home.yoreHome, "config.json"), "utf8"));
    expect(config()).toEqual({ excludeProjects: changed });
    expect((await yore.includeProject({ place })).changed).toEqual(changed);
    expect(config()).toEqual({});
  });

  it.each<[string, (yore: Yore) => Promise<unknown>, string]>([
    ["a project that is not there", (yore) => yore.excludeProject({ place: "nowhere" }), "not-found"],
    ["nothing", (yore) => yore.excludeProject({ place: " " }), "bad-input"],
    ["what is not excluded", (yore) => yore.includeProject({ place: "/nowhere" }), "not-found"],
    ["what the environment excludes", (yore) => yore.includeProject({ place: "/fixed" }), "bad-input"],
  ])("%s is refused", async (_, ask, code) => {
    const yore = await worked().open({ excluded: ["/fixed"] });
    await expect(ask(yore)).rejects.toMatchObject({ code });
  });

  it("does not take a project that was worked in the home folder for all that is below it", async () => {
    const home = createHome();
    home.write(home.claudePath(A, home.home), lines(A, home.home));
    const yore = await home.open();
    await yore.index();
    const [project] = (await yore.projects()).items;
    await expect(yore.excludeProject({ place: project?.id ?? "" })).rejects.toMatchObject({ code: "bad-input" });
    expect((await yore.excludeProject({ place: home.home })).stored).toBe(1);
    expect((await yore.includeProject({ place: "~" })).changed).toEqual([home.home]);
  });

  it("tells of what makes no sense", async () => {
    const yore = await worked().open({ excluded: ["clinic"] });
    expect((await yore.doctor()).findings).toContainEqual(expect.objectContaining({ level: "warning" }));
    expect((await yore.exclusions()).excluded).toEqual([{ pattern: "clinic", isFixed: true }]);
  });
});

describe("a session that was removed for good", () => {
  it("is neither stored nor archived again, whichever file tells of it, with its subagents", async () => {
    const home = worked();
    const store = await openSqliteStore(home.storePath, () => home.now);
    await (await store.writer()).transaction(async (tx) => {
      await tx.refuseSession({ agent: "claude-code", nativeId: A }, { at: home.now, by: "ana" });
      await tx.refuseSession({ agent: "claude-code", nativeId: A }, { at: home.now + 1, by: "bo" });
    });
    expect(await store.files.refused()).toEqual([{ agent: "claude-code", nativeId: A }]);
    await store.close();
    const yore = await home.open();
    for (const rebuild of [false, true]) {
      await yore.index({ rebuild });
      expect((await yore.sessions({ all: true })).items.map(({ id }) => id)).toEqual([B]);
      expect((await yore.doctor()).hidden).toEqual({ forgotten: 0, excluded: 0, refusedFiles: 2 });
      expect(leaks(home)).toEqual([]);
    }
    home.move(home.claudePath(A, PRIVATE), home.claudePath(A, OPEN));
    await yore.index();
    expect(leaks(home)).toEqual([]);
  });

  it("has nothing added to what is left of it", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.index();
    await yore.close();
    const store = await openSqliteStore(home.storePath, () => home.now);
    await (await store.writer()).transaction((tx) =>
      tx.refuseSession({ agent: "claude-code", nativeId: A }, { at: home.now, by: "ana" }),
    );
    await store.close();
    home.append(home.claudePath(A, PRIVATE), lines(A, PRIVATE, "later001", "otoscope"));
    await home.index();
    expect(keptIn(home).stored).not.toContain("otoscope");
    expect(keptIn(home).archived).not.toContain("otoscope");
  });
});

/** A session with a subagent in the folder that is to be excluded, and one elsewhere. */
function worked(): TestHome {
  const home = createHome();
  const path = home.write(home.claudePath(A, PRIVATE), lines(A, PRIVATE));
  const sub = claudeTranscript({ session: A, cwd: PRIVATE, agentId: "a1b2c3d4" });
  sub.prompt("look for a stethoscope");
  home.write(join(path.replace(/\.jsonl$/, ""), "subagents", "agent-a1b2c3d4.jsonl"), sub.lines);
  home.write(home.claudePath(B, OPEN), lines(B, OPEN, "open0001", "tides"));
  return home;
}

function lines(session: string, cwd: string, seed = session.slice(0, 8), word = "stethoscope"): readonly string[] {
  const talk = claudeTranscript({ session, cwd, seed });
  talk.prompt(`ask about a ${word}`);
  talk.says(`the ${word} is there`);
  return talk.lines;
}

/** Where in what Yore wrote down there is anything of what nobody is to know. */
function leaks(home: TestHome): readonly string[] {
  const { archived, headers, stored, files } = keptIn(home);
  const kept = { archived, headers, stored, files };
  return Object.entries(kept).flatMap(([place, text]) => (/stethoscope|otoscope/.test(text) ? [place] : []));
}
