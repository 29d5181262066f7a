import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, projectFolder, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutName, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = sessionId(1);

function talk(word: string, session = SESSION): readonly string[] {
  const transcript = claudeTranscript({ session });
  transcript.prompt(word);
  transcript.says(`${word} it is`);
  return transcript.lines;
}

async function statesOf(yore: Yore): Promise<Record<string, string>> {
  const { items } = await yore.sessions({ all: true });
  return Object.fromEntries(items.map(({ id, state }) => [id, state]));
}

async function hitsFor(yore: Yore, query: string): Promise<number> {
  return (await yore.search({ query })).hits.length;
}

describe("where histories lie", () => {
  it("CLAUDE_CONFIG_DIR is honoured, several folders too, and the default one is then left alone", async () => {
    const home = createHome({ variables: { CLAUDE_CONFIG_DIR: "~/first, ~/second" } });
    for (const [folder, word, count] of [
      ["first", "barnacle", 1],
      ["second", "heron", 2],
      [".claude", "tern", 3],
    ] as const) {
      home.write(
        join(home.home, folder, "projects", "-tide", `${sessionId(count)}.jsonl`),
        talk(word, sessionId(count)),
      );
    }
    const yore = await home.open();
    expect(await hitsFor(yore, "barnacle")).toBe(1);
    expect(await hitsFor(yore, "heron")).toBe(1);
    expect(await hitsFor(yore, "tern")).toBe(0);
  });

  it("CODEX_HOME is honoured", async () => {
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("barnacle");
    const elsewhere = createHome();
    const moved = createHome({ variables: { CODEX_HOME: join(elsewhere.home, "codex") } });
    elsewhere.write(join(elsewhere.home, "codex", rolloutPath(rollout)), rollout.lines);
    expect(await moved.index()).toMatchObject({ sessions: 1, messages: 1 });
  });

  it("~/.claude/transcripts is read", async () => {
    const home = createHome();
    home.write(join(home.home, ".claude", "transcripts", "ses_0001.jsonl"), talk("barnacle"));
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 2 });
  });

  it.each([
    ["a project's folder", "-home-ana-code-tide"],
    ["the whole of projects", ""],
  ])("a symbolic link to %s is followed, and what two ways lead to is counted once", async (_, below) => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    const projects = join(home.home, ".claude", "projects");
    home.link(
      join(projects, below),
      below === "" ? join(home.home, ".config/claude/projects") : join(projects, "linked"),
    );
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 2, problems: [] });
  });

  it("a link that leads back up ends", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    home.link(join(home.home, ".claude"), join(dirname(home.claudePath(SESSION)), "up"));
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1 });
  });

  it("rollouts that Codex compressed are read, and a twin that is not compressed is read instead", async () => {
    const home = createHome();
    const [packed, twin] = [codexRollout({ session: rolloutId(1) }), codexRollout({ session: rolloutId(2) })];
    packed.prompt("barnacle");
    packed.runs("npm test -- --grep oyster", "ok");
    twin.prompt("heron");
    writeFileSync(mkdirFor(home.codexPath(rolloutPath(packed, ".jsonl.zst"))), zstdFrame(packed.lines));
    writeFileSync(mkdirFor(home.codexPath(rolloutPath(twin, ".jsonl.zst"))), zstdFrame(twin.lines.slice(0, 1)));
    home.write(home.codexPath(rolloutPath(twin)), twin.lines);
    expect(await home.index()).toMatchObject({ files: 2, sessions: 2, messages: 4, skippedLines: 0, problems: [] });
    const yore = await home.open();
    for (const query of ["barnacle", "heron", "--grep oyster"]) expect(await hitsFor(yore, query), query).toBe(1);
    expect(await home.index()).toMatchObject({ filesRead: 0 });
  });

  it("a rollout that is compressed later stays one session, and so does one that is unpacked to go on", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("barnacle");
    const plain = home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
    const packed = home.codexPath(rolloutPath(rollout, ".jsonl.zst"));
    await home.index();
    home.remove(plain);
    writeFileSync(packed, zstdFrame(rollout.lines));
    expect(await home.index()).toMatchObject({ sessions: 1, messages: 1 });
    let yore = await home.open();
    expect(await statesOf(yore)).toEqual({ [rolloutId(1)]: "live" });
    await yore.close();
    rollout.says("heron");
    home.remove(packed);
    home.write(plain, rollout.lines);
    expect(await home.index()).toMatchObject({ sessions: 1, messages: 2 });
    yore = await home.open();
    expect(await statesOf(yore)).toEqual({ [rolloutId(1)]: "live" });
    expect(await hitsFor(yore, "barnacle")).toBe(1);
  });

  it("a damaged archive gives what came before the damage, and says so", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("barnacle");
    const frame = zstdFrame(rollout.lines);
    const path = mkdirFor(home.codexPath(rolloutPath(rollout, ".jsonl.zst")));
    writeFileSync(path, Buffer.concat([frame, Buffer.from("not zstd at all")]));
    const yore = await home.open();
    expect(await yore.index()).toMatchObject({ messages: 1, problems: [] });
    expect((await yore.doctor()).agents.find(({ files }) => files > 0)).toMatchObject({
      files: 1,
      partly: 1,
      skippedByReason: [{ reason: "corrupt" }],
    });
  });
});

function mkdirFor(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** A Zstandard frame of one raw block (RFC 8878), which any decoder takes. */
function zstdFrame(lines: readonly string[]): Buffer {
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const header = Buffer.alloc(9);
  header.writeUInt32LE(0xfd2fb528, 0);
  header.writeUInt8(0xa0, 4);
  header.writeUInt32LE(content.length, 5);
  const block = Buffer.alloc(3);
  block.writeUIntLE((content.length << 3) | 1, 0, 3);
  return Buffer.concat([header, block, content]);
}

describe("a file that is gone", () => {
  it("is an archived session: listed, searched and shown as before, also after everything was read again", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talk("barnacle"));
    home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    await home.index();
    home.remove(path);
    for (const rebuild of [false, true]) {
      expect(await home.index({ rebuild })).toMatchObject({ files: 1, sessions: 2, messages: 4 });
      const yore = await home.open();
      expect(await statesOf(yore)).toEqual({ [SESSION]: "archived", [sessionId(2)]: "live" });
      expect(await hitsFor(yore, "barnacle")).toBe(1);
      expect((await yore.session({ session: SESSION })).messages).toHaveLength(2);
      expect((await yore.doctor()).agents.find(({ sessions }) => sessions > 0)).toMatchObject({
        sessions: 2,
        archivedSessions: 1,
      });
      await yore.close();
    }
  });

  it("and comes back is live again, and goes on", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talk("barnacle"));
    home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    await home.index();
    home.remove(path);
    await home.index();
    home.write(path, [...talk("barnacle"), ...talk("oyster", sessionId(3))]);
    expect(await home.index()).toMatchObject({ sessions: 2, messages: 6 });
    const yore = await home.open();
    expect(await statesOf(yore)).toMatchObject({ [SESSION]: "live" });
    expect(await hitsFor(yore, "barnacle")).toBe(1);
  });

  it("with its whole project's folder is archived too", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION, "/home/ana/gone"), talk("barnacle"));
    home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    await home.index();
    rmSync(dirname(path), { recursive: true });
    await home.index();
    const yore = await home.open();
    expect(await statesOf(yore)).toEqual({ [SESSION]: "archived", [sessionId(2)]: "live" });
  });

  it.each([
    ["the only root of the agent", ".claude"],
    ["one of two roots", ".config/claude"],
  ])("with %s is no deletion: a disk may not be mounted", async (_, folder) => {
    const home = createHome();
    const root = join(home.home, folder, "projects");
    home.write(join(root, "-tide", `${SESSION}.jsonl`), talk("barnacle"));
    if (folder !== ".claude") home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    await home.index();
    rmSync(join(home.home, folder), { recursive: true });
    await home.index();
    const yore = await home.open();
    expect((await statesOf(yore))[SESSION]).not.toBe("archived");
    expect(await hitsFor(yore, "barnacle")).toBe(1);
  });

  it("because its folder cannot be looked into is no deletion either", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION, "/home/ana/other"), talk("barnacle"));
    home.write(home.claudePath(sessionId(2)), talk("heron", sessionId(2)));
    await home.index();
    const folder = dirname(path);
    rmSync(folder, { recursive: true });
    home.link(folder, folder);
    const yore = await home.open();
    const report = await yore.index();
    expect(report.problems).toEqual([{ path: folder, problem: "cannot be read (ELOOP)" }]);
    expect((await statesOf(yore))[SESSION]).not.toBe("archived");
    expect(await hitsFor(yore, "heron")).toBe(1);
  });
});

describe("a folder that cannot be read", () => {
  it("is named by index and doctor, and keeps nothing else from being read", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("heron");
    home.write(home.codexPath(join("archived_sessions", rolloutName(rollout))), rollout.lines);
    const loops = [home.claudePath(sessionId(9), "/loop").replace(/\/[^/]*$/, ""), home.codexPath("sessions")];
    for (const path of loops) home.link(path, path);
    const yore = await home.open();
    const report = await yore.index();
    expect(report.problems.map(({ path }) => path).sort()).toEqual(loops.sort());
    expect(report).toMatchObject({ sessions: 2, messages: 3 });
    const { findings } = await yore.doctor();
    for (const path of loops) {
      const finding = findings.find(({ message }) => message.includes(path));
      expect(finding).toMatchObject({ level: "warning", remedy: "Check its permissions." });
    }
  });
});

describe("what Yore leaves alone", () => {
  it("the agents' files: it writes to none, and its own are below its folder", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), talk("barnacle"));
    const before = treeOf(home.home);
    const yore = await home.open();
    await yore.index();
    await yore.search({ query: "barnacle" });
    await yore.doctor();
    await yore.index({ rebuild: true });
    await yore.close();
    expect(treeOf(home.home)).toEqual(before);
    expect(statSync(home.yoreHome).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(home.yoreHome, { recursive: true, encoding: "utf8" })) {
      const stats = statSync(join(home.yoreHome, name));
      expect(stats.mode & 0o777, name).toBe(stats.isDirectory() ? 0o700 : 0o600);
    }
  });

  it.each([
    ["a path that leads out of the folder", (home: TestHome) => `${folderOf(home)}/tool-results/../../../secret.txt`],
    ["a path elsewhere", (home: TestHome) => join(home.home, "secret.txt")],
    ["a folder of the same name elsewhere", (home: TestHome) => join(home.home, "tool-results", "secret.txt")],
    ["a link in the folder", (home: TestHome) => `${folderOf(home)}/tool-results/link.txt`],
  ])("files that a transcript names: %s", async (_, named) => {
    const home = createHome();
    mkdirSync(join(folderOf(home), "tool-results"), { recursive: true });
    mkdirSync(join(home.home, "tool-results"));
    for (const path of ["secret.txt", "tool-results/secret.txt"])
      writeFileSync(join(home.home, path), "top-secret-oyster");
    home.link(join(home.home, "secret.txt"), join(folderOf(home), "tool-results", "link.txt"));
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt("read it");
    transcript.calls("Bash", { command: "cat" });
    transcript.returns(
      `<persisted-output>\nOutput too large. Full output saved to: ${named(home)}\n\nPreview: barnacle`,
    );
    home.write(home.claudePath(SESSION), transcript.lines);
    const yore = await home.open();
    expect(await hitsFor(yore, "barnacle")).toBe(1);
    expect((await yore.search({ query: '"top-secret-oyster"' })).hits).toEqual([]);
  });

  it("but reads the file that is meant", async () => {
    const home = createHome();
    mkdirSync(join(folderOf(home), "tool-results"), { recursive: true });
    writeFileSync(join(folderOf(home), "tool-results", "toolu_1.txt"), "the whole oyster output");
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt("read it");
    transcript.calls("Bash", { command: "cat" });
    transcript.returns(
      `<persisted-output>\nOutput too large. Full output saved to: ${folderOf(home)}/tool-results/toolu_1.txt\n\nPreview:`,
    );
    home.write(home.claudePath(SESSION), transcript.lines);
    const yore = await home.open();
    expect(await hitsFor(yore, "whole oyster output")).toBe(1);
  });
});

function folderOf(home: TestHome): string {
  return join(home.home, ".claude", "projects", projectFolder("/home/ana/code/tide"), SESSION);
}

/** Every path below a folder with its content and when it was written. */
function treeOf(folder: string): Record<string, readonly [string, number]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, [readFileSync(path, "utf8"), statSync(path).mtimeMs] as const];
    }),
  );
}
