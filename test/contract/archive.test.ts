import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeEntries } from "../../src/ingest/archive/segment.ts";
import { UNREAD } from "../../src/store/store.ts";
import { AGENT_CASES, nameOf, recordsOf, saveRecords } from "../support/agent-cases.ts";
import { claudeTranscript } from "../support/claude-lines.ts";
import { compareDumps, dumpStore, type StoreDump } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-000000000009";

describe("a transcript that its agent deleted comes back into a new store", () => {
  it.each(AGENT_CASES.map((agentCase) => [nameOf(agentCase), agentCase] as const))("of %s", async (_, agentCase) => {
    const home = createHome({ workFolders: agentCase.workFolder === undefined ? [] : [agentCase.workFolder] });
    saveRecords(agentCase, join(home.home, agentCase.path), recordsOf(agentCase, ["barnacle", "cormorant", "dolphin"]));
    await home.index();
    const [top = ""] = agentCase.path.split("/");
    rmSync(join(home.home, top), { recursive: true });
    await expectRestored(home);
    const yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([{ id: agentCase.session, state: "archived", messages: 6 }]);
    expect((await yore.search({ query: "cormorant" })).hits).toHaveLength(1);
  });

  it("as it grew, line by line", async () => {
    const home = createHome();
    const yore = await home.open();
    const talk = claudeTranscript({ session: SESSION });
    for (let turn = 0; turn < 30; turn += 1) {
      const before = talk.lines.length;
      talk.prompt(`prompt ${turn} of barnacles`);
      talk.says(`answer ${turn}`);
      if (before === 0) home.write(home.claudePath(SESSION), talk.lines);
      else home.append(home.claudePath(SESSION), talk.lines.slice(before));
      await yore.index();
    }
    // Small segments are put together as they become many.
    expect(segments(home).length).toBeLessThan(12);
    home.remove(home.claudePath(SESSION));
    await expectRestored(home);
  });

  it("as it was written anew, and not as it was before", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle", "cormorant"));
    await home.index();
    home.write(path, talking("dolphin"));
    await home.index();
    home.remove(path);
    await expectRestored(home);
    const yore = await home.open();
    expect((await yore.search({ query: "barnacle" })).hits).toEqual([]);
    expect((await yore.search({ query: "dolphin" })).hits).toHaveLength(1);
  });

  it("with what stood in files beside it", async () => {
    const home = createHome();
    const agent = join(dirname(home.claudePath(SESSION)), SESSION, "subagents", "agent-a1.jsonl");
    home.write(home.claudePath(SESSION), talking("barnacle"));
    const search = claudeTranscript({ session: SESSION, agentId: "a1" });
    search.prompt("look for barnacles");
    home.write(agent, search.lines);
    home.writeRaw(agent.replace(".jsonl", ".meta.json"), '{"description":"Find barnacles"}');
    await home.index();
    rmSync(join(home.home, ".claude"), { recursive: true });
    await expectRestored(home);
    const yore = await home.open();
    const { items } = await yore.sessions({ all: true });
    expect(items.map(({ title }) => title)).toContain("Find barnacles");
  });

  it("in its project, though the repository is gone too", async () => {
    const home = createHome();
    const repository = join(home.home, "code", "tide");
    home.writeRaw(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
    home.writeRaw(join(repository, ".git", "config"), '[remote "origin"]\n\turl = git@example.com:ana/tide.git\n');
    home.write(home.claudePath(SESSION), talking("barnacle", { cwd: repository }));
    await home.index();
    rmSync(home.home, { recursive: true });
    await expectRestored(home);
    const yore = await home.open();
    expect((await yore.projects()).items).toMatchObject([{ name: "tide", identity: "remote" }]);
  });

  it("with the lines in it that no one could read counted as before", async () => {
    const home = createHome();
    const [first = "", ...others] = talking("barnacle", "dolphin");
    const path = home.write(home.claudePath(SESSION), [first, "Killed: 9", '{"type":"from-the-future"}', ...others]);
    expect(await home.index()).toMatchObject({ skippedLines: 2 });
    home.remove(path);
    await expectRestored(home);
  });
});

describe("the archive", () => {
  it("is private, holds no secret, and what is no text only by its beginning", async () => {
    const home = createHome();
    const token = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;
    const talk = claudeTranscript({ session: SESSION });
    talk.prompt(`use ${token}`);
    const lines = [
      ...talk.lines,
      JSON.stringify({ type: "x", password: "hunter2-Zx9!q", image: "iVBORw0K".repeat(500) }),
    ];
    home.write(home.claudePath(SESSION), lines);
    await home.index();
    const [segment = ""] = segments(home);
    const text = (decodeEntries(readFileSync(segment)) ?? []).join("\n");
    expect(text).toContain("use [redacted:github-token]");
    expect(text).toContain("…cut 3936 characters…");
    for (const secret of [token, "hunter2"]) expect(text).not.toContain(secret);
    for (const path of [segment, home.storePath]) expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const folder of [dirname(segment), dirname(dirname(segment))])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("names a damaged segment, and gives what the others hold", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle"));
    const other = home.write(home.claudePath(SESSION.replace("9", "8")), talking("gull"));
    await home.index();
    home.append(path, talking("barnacle", "dolphin").slice(talking("barnacle").length));
    await home.index();
    const [damaged = ""] = segments(home, SESSION);
    const bytes = readFileSync(damaged);
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 0xff;
    writeFileSync(damaged, bytes);
    for (const one of [path, other]) home.remove(one);
    forget(home);
    expect(await home.index()).toMatchObject({ problems: [{ path: damaged, problem: "is damaged" }], lost: 1 });
    const yore = await home.open();
    expect(await yore.doctor()).toMatchObject({
      healthy: false,
      archive: { damaged: [{ path: damaged, isLost: true }] },
    });
    for (const [word, hits] of [
      ["barnacle", 0],
      ["dolphin", 1],
      ["gull", 1],
    ] as const) {
      expect((await yore.search({ query: word })).hits, word).toHaveLength(hits);
    }
  });

  it("is not taken for more than it is where a pass was killed while it wrote", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle", "dolphin"));
    await home.index();
    const [segment = ""] = segments(home);
    // A stretch that the store never committed, half a file, and a transcript that was being put together.
    writeFileSync(join(dirname(segment), "000000000000099.segment"), readFileSync(segment));
    writeFileSync(`${segment}.tmp`, "half");
    renameSync(dirname(segment), `${dirname(segment)}.new`);
    home.append(path, talking("barnacle", "dolphin", "gull").slice(talking("barnacle", "dolphin").length));
    await home.index();
    home.remove(path);
    await expectRestored(home);
  });

  it("names what is missing between two segments, and is made whole again while the agent still has it", async () => {
    const home = createHome();
    const words = Array.from({ length: 6 }, (_, n) => `word${n}`);
    const path = home.claudePath(SESSION);
    for (let n = 1; n <= words.length; n += 1) {
      home.write(path, talking(...words.slice(0, n)));
      await home.index();
    }
    const [, second = ""] = segments(home);
    rmSync(second);
    let yore = await home.open();
    expect((await yore.doctor()).archive).toMatchObject({ missing: 0, incomplete: 1, damaged: [] });
    home.write(path, talking(...words, "gull"));
    await yore.index();
    await yore.close();
    // What was added does not follow where a segment before it is gone only at the end.
    for (const segment of segments(home)) rmSync(segment);
    home.write(path, talking(...words, "gull", "tern"));
    await home.index();
    expect(dumpStore(home.storePath).files).not.toMatchObject([{ source_version: UNREAD }]);
    yore = await home.open();
    expect((await yore.doctor()).archive).toMatchObject({ missing: 0, incomplete: 0 });
    await yore.close();
    home.remove(path);
    await expectRestored(home);
  });

  it("tells of a hole when it is read", async () => {
    const home = createHome();
    const path = home.claudePath(SESSION);
    for (let n = 1; n <= 3; n += 1) {
      home.write(path, talking(...["barnacle", "gull", "dolphin"].slice(0, n)));
      await home.index();
    }
    const [, second = "", third = ""] = segments(home);
    rmSync(second);
    home.remove(path);
    forget(home);
    const report = await home.index();
    expect(report.problems).toMatchObject([{ path: third, problem: "is there, but not what stood before it" }]);
    expect(report.lost).toBe(1);
  });

  it("that could not be written to has all once it can", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle"));
    home.writeRaw(join(home.yoreHome, "archive"), "in the way");
    expect((await home.index()).problems).toMatchObject([
      { path, problem: expect.stringMatching(/could not be archived/) },
    ]);
    const yore = await home.open();
    expect((await yore.search({ query: "barnacle" })).hits).toHaveLength(1);
    rmSync(join(home.yoreHome, "archive"));
    await yore.index();
    expect((await yore.doctor()).archive).toMatchObject({ transcripts: 1, missing: 0, incomplete: 0 });
    await yore.close();
    home.remove(path);
    await expectRestored(home);
  });

  it("keeps what it had of a transcript that holds less now, and says so", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle", "dolphin", "gull"));
    await home.index();
    home.write(path, talking("barnacle"));
    await home.index();
    const yore = await home.open();
    const { archive, findings } = await yore.doctor();
    expect(archive).toMatchObject({ transcripts: 1, earlier: [expect.stringMatching(/\.was$/)] });
    expect(findings.map(({ message }) => message)).toContainEqual(expect.stringContaining("holds less than it did"));
    const [earlier = ""] = archive.earlier;
    const kept = readdirSync(earlier).map((name) => decodeEntries(readFileSync(join(earlier, name)))?.join("\n"));
    expect(kept.join("\n")).toContain("dolphin");
    await yore.close();
    home.remove(path);
    await expectRestored(home);
  });

  it("keeps nothing of a file in which nothing is understood", async () => {
    const home = createHome();
    home.writeRaw(home.claudePath(SESSION), "Killed: 9\n");
    await home.index();
    expect(segments(home)).toEqual([]);
  });

  it("serves to read anew, by a later version, what the agent deleted", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), talking("barnacle"));
    await home.index();
    home.remove(path);
    await home.index();
    const before = home.dump();
    home.sql("UPDATE files SET source_version = 1; UPDATE messages SET part = 'notice'");
    await home.index();
    expect(compareDumps(home.dump(), before)).toEqual({});
    // Where it is damaged, what is in the store stays.
    for (const segment of segments(home)) writeFileSync(segment, "nothing");
    home.sql("UPDATE files SET source_version = 1");
    await home.index();
    expect(home.dump().messages).toEqual(before.messages);
  });
});

/** A new store over what is left of the home holds what the old one did. */
async function expectRestored(home: TestHome): Promise<void> {
  await home.index();
  const before = home.dump();
  expect(before.messages.length).toBeGreaterThan(0);
  forget(home);
  const report = await home.index();
  expect(report.problems).toEqual([]);
  expect(differences(home.dump(), before)).toEqual({});
}

/**
 * But for whether a folder that is gone as a whole may come back, which a new store cannot know, and for containers, of
 * which only the parts are archived.
 */
function differences(a: StoreDump, b: StoreDump): unknown {
  const comparable = ({ files, ...dump }: StoreDump): StoreDump => {
    const parts = files.map(({ path }) => String(path)).filter((path) => path.includes("#"));
    const plain = files.filter(({ path }) => !parts.some((part) => part.startsWith(`${path}#`)));
    return { ...dump, files: plain.map((row) => ({ ...row, missing: 1 })) };
  };
  return compareDumps(comparable(a), comparable(b));
}

function forget(home: TestHome): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(home.storePath + suffix, { force: true });
}

function segments(home: TestHome, name = ""): string[] {
  const root = join(home.yoreHome, "archive");
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".segment") && basename(dirname(path)).startsWith(name))
    .sort()
    .map((path) => join(root, path));
}

function talking(...words: readonly (string | { readonly cwd: string })[]): readonly string[] {
  const options = words.find((word) => typeof word === "object") ?? {};
  const talk = claudeTranscript({ session: SESSION, ...options });
  for (const word of words) {
    if (typeof word !== "string") continue;
    talk.prompt(word);
    talk.says(`${word} it is`);
  }
  return talk.lines;
}
