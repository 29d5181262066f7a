import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { AGENT_CASES, transcript } from "../support/agent-cases.ts";
import { type ClaudeTranscript, claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutName, rolloutPath } from "../support/codex-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = sessionId(1);

/** A conversation of `turns` turns; `word` stands in each. */
function talk(word: string, turns: number, session = SESSION): ClaudeTranscript {
  const transcript = claudeTranscript({ session });
  for (let turn = 1; turn <= turns; turn++) {
    transcript.prompt(`${word} question ${turn}`);
    transcript.says(`${word} answer ${turn}`);
  }
  return transcript;
}

async function found(yore: Yore, query: string): Promise<number> {
  const { hits, tier } = await yore.search({ query });
  return tier === "all" ? hits.length : 0;
}

/** How many observations have the word, in a store that one pass was made over before. */
async function foundAfterOnePass(home: TestHome, ...queries: readonly string[]): Promise<number[]> {
  await home.index();
  const yore = await home.open();
  const counts: number[] = [];
  for (const query of queries) counts.push(await found(yore, query));
  await yore.close();
  return counts;
}

describe("a file that grew", () => {
  it("is read on from where reading stopped, and only from there", async () => {
    const home = createHome();
    const { lines } = talk("barnacle", 40);
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 70));
    await home.index();
    home.append(path, lines.slice(70));
    const added = lines.slice(70).reduce((sum, line) => sum + line.length + 1, 0);
    expect(await home.index()).toMatchObject({ files: 1, filesRead: 1, newMessages: 10, messages: 80, bytes: added });
    expect(await foundAfterOnePass(home, "barnacle 40")).toEqual([1]);
  });

  it("long after it ended, as when its session is resumed", async () => {
    const home = createHome();
    const transcript = talk("barnacle", 1);
    const path = home.write(home.claudePath(SESSION), transcript.lines);
    home.touch(path, transcript.at);
    await home.index();
    const before = transcript.lines.length;
    transcript.wait(40 * 86_400_000);
    transcript.prompt("cormorant");
    home.append(path, transcript.lines.slice(before));
    expect(await foundAfterOnePass(home, "cormorant", "barnacle")).toEqual([1, 1]);
    const yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([
      { id: SESSION, messages: 3, turns: 2, endedAt: transcript.at },
    ]);
  });

  it("is found by the next question, without being asked to index", async () => {
    const home = createHome();
    const { lines } = talk("barnacle", 2);
    const path = home.write(home.claudePath(SESSION), lines.slice(0, 2));
    const yore = await home.open();
    expect(await found(yore, "barnacle question")).toBe(1);
    home.append(path, lines.slice(2));
    home.now += 60_000;
    expect(await found(yore, "barnacle question")).toBe(2);
  });

  it("is verified in few bytes, however large it is", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: SESSION });
    transcript.prompt("barnacle");
    for (let count = 0; count < 60; count++) {
      transcript.calls("Bash", { command: `cat ${count}` });
      transcript.returns(`${count} ${"lorem ipsum dolor ".repeat(20_000)}`);
    }
    const path = home.write(home.claudePath(SESSION), transcript.lines);
    const yore = await home.open();
    await yore.index();
    const before = transcript.lines.length;
    transcript.says("cormorant");
    home.append(path, transcript.lines.slice(before));
    const readBefore = bytesReadByThisProcess();
    const report = await yore.index();
    expect(report).toMatchObject({ newMessages: 1, filesRead: 1 });
    expect(report.bytes).toBeLessThan(2_000);
    expect(statSync(path).size).toBeGreaterThan(20_000_000);
    expect(bytesReadByThisProcess() - readBefore).toBeLessThan(2_000_000);
  });
});

/** Bytes asked of the system so far; 0 where it does not tell. */
function bytesReadByThisProcess(): number {
  const path = "/proc/self/io";
  return existsSync(path) ? Number(/^rchar: (\d+)/.exec(readFileSync(path, "utf8"))?.[1]) : 0;
}

describe("a file that was rewritten", () => {
  const old = talk("barnacle", 3);
  const [head1 = "", head2 = "", ...rest] = old.lines;
  const fresh = claudeTranscript({ session: SESSION, startedAt: old.at + 60_000, branch: "other" });
  for (let turn = 0; turn < 9; turn++) fresh.prompt(`cormorant question ${turn} ${"and so on ".repeat(40)}`);
  const newLines = fresh.lines.slice(2);

  it.each([
    ["cut back and grown past its old end", [head1, head2, ...newLines]],
    ["cut back and grown to less than it was", [head1, head2, ...newLines.slice(0, 1)]],
    ["written anew from the first line on", newLines],
  ])("%s: the old text is gone and the new is found after one pass", async (_, lines) => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), [head1, head2, ...rest]);
    expect(await foundAfterOnePass(home, '"barnacle question 3"', "cormorant")).toEqual([1, 0]);
    home.truncate(path, 0);
    home.append(path, lines);
    const [gone, come] = await foundAfterOnePass(home, '"barnacle question 3"', "cormorant");
    expect({ gone, come: come !== 0 }).toEqual({ gone: 0, come: true });

    const fresh = createHome({ over: home });
    await fresh.index();
    expect(home.dump()).toEqual(fresh.dump());
  });

  it.each(["", "\n\n", "no JSON\n"])(
    "replaced by %j keeps what was read, for it says nothing in its place",
    async (text) => {
      const home = createHome();
      const path = home.write(home.claudePath(SESSION), [head1, head2, ...rest]);
      expect(await foundAfterOnePass(home, '"barnacle question 3"')).toEqual([1]);
      writeFileSync(path, text);
      expect(await foundAfterOnePass(home, '"barnacle question 3"')).toEqual([1]);
    },
  );

  it("cut back and left so loses what was cut", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), old.lines);
    await home.index();
    home.truncate(path, head1.length + head2.length + 2);
    expect(await foundAfterOnePass(home, '"barnacle question 3"', '"barnacle question 1"')).toEqual([0, 1]);
    expect(await home.index()).toMatchObject({ messages: 2, observations: 1 });
  });

  it("at the same length loses its old text too", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), old.lines);
    await home.index();
    const text = readFileSync(path, "utf8").replaceAll("barnacle", "dolphins");
    writeFileSync(path, text);
    home.touch(path, home.now - 1_000);
    expect(await foundAfterOnePass(home, "barnacle", '"dolphins question 3"')).toEqual([0, 1]);
  });

  it("by a file moved over it, as editors and syncing tools do", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), old.lines);
    await home.index();
    home.move(home.write(join(home.home, "new.jsonl"), [head1, head2, ...newLines]), path);
    expect(await foundAfterOnePass(home, '"barnacle question 3"', '"cormorant question 8"')).toEqual([0, 1]);
  });

  it("after it was seen to have grown, and before it is read on, is read anew by the next pass", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), old.lines.slice(0, 4));
    await home.index();
    home.append(path, old.lines.slice(4));
    const yore = await home.open();
    await yore.index({
      onProgress: ({ phase }) => {
        if (phase === "reading") home.write(path, [head1, head2, ...newLines]);
      },
    });
    await yore.close();
    expect(await foundAfterOnePass(home, '"barnacle question 2"', '"cormorant question 8"')).toEqual([0, 1]);
    expect(await home.index()).toMatchObject({ messages: 9, filesRead: 0 });
  });

  it("while it is being read is read again by the next pass", async () => {
    const home = createHome();
    const path = home.write(home.claudePath(SESSION), old.lines);
    home.write(home.claudePath(sessionId(2)), talk("heron", 1, sessionId(2)).lines);
    const yore = await home.open();
    let isDone = false;
    await yore.index({
      onProgress: (progress) => {
        if (isDone || progress.phase === "working" || progress.filesDone > 0) return;
        isDone = true;
        home.truncate(path, 0);
        home.append(path, newLines);
      },
    });
    await yore.close();
    expect(isDone).toBe(true);
    expect(await foundAfterOnePass(home, "barnacle", '"cormorant question 8"', "heron")).toEqual([0, 1, 1]);
  });
});

describe("a file that goes or comes while a pass runs", () => {
  it("is no reason to stop", async () => {
    const home = createHome();
    const first = home.write(home.claudePath(sessionId(1)), talk("barnacle", 1, sessionId(1)).lines);
    const second = home.write(home.claudePath(sessionId(2)), talk("heron", 1, sessionId(2)).lines);
    home.write(home.claudePath(sessionId(3)), talk("tern", 1, sessionId(3)).lines);
    const yore = await home.open();
    const report = await yore.index({
      onProgress: (progress) => {
        if (progress.phase !== "working" && progress.filesDone === 0 && existsSync(second)) home.remove(second);
      },
    });
    expect(report.problems).toEqual([{ path: second, problem: "ENOENT" }]);
    expect(report).toMatchObject({ sessions: 2, messages: 4 });
    home.write(second, talk("heron", 1, sessionId(2)).lines);
    expect(await yore.index()).toMatchObject({ sessions: 3, messages: 6, problems: [] });
    expect(existsSync(first)).toBe(true);
  });

  it("though it holds copies of one that is read anew, is no reason to go on for ever, and keeps what only it held", async () => {
    const home = createHome();
    const original = claudeTranscript({ session: sessionId(1) });
    original.prompt("barnacle");
    original.says("heron");
    const path = home.write(home.claudePath(sessionId(1)), original.lines);
    const own = claudeTranscript({ session: sessionId(2), startedAt: original.at + 60_000 });
    own.prompt("puffin");
    const copies = original.lines.map((line) => copiedLine(line, sessionId(2)));
    const fork = home.write(home.claudePath(sessionId(2)), [...copies, ...own.lines]);
    await home.index();
    home.write(path, original.lines.slice(1));
    const yore = await home.open();
    let steps = 0;
    await yore.index({
      onProgress: ({ phase }) => {
        if (phase === "reading" && existsSync(fork)) home.remove(fork);
        if (++steps > 50) throw new Error("The pass does not end.");
      },
    });
    expect(await found(yore, "puffin")).toBe(1);
  });

  it.each([
    ["first", "second"],
    ["second", "first"],
  ])("or the %s of two documents of a session, while the %s grows", async (torn) => {
    const home = createHome();
    const document = AGENT_CASES.find(({ agent, unit }) => agent === "gemini-cli" && unit === "document");
    if (document === undefined) throw new Error("There is no such case.");
    const paths = [document.path, document.twin].map((path) => join(home.home, path));
    for (const path of paths) home.writeRaw(path, transcript(document, ["barnacle", "heron"]));
    await home.index();
    const [half = "", whole = ""] = torn === "first" ? paths : paths.toReversed();
    home.writeRaw(half, "{");
    home.writeRaw(whole, transcript(document, ["barnacle", "heron", "oyster"]));
    const yore = await home.open();
    let steps = 0;
    const report = await yore.index({
      onProgress: () => {
        if (++steps > 50) throw new Error("The pass does not end.");
      },
    });
    expect(report).toMatchObject({ messages: 6, problems: [] });
    home.writeRaw(half, transcript(document, ["barnacle", "heron"]));
    await yore.index();
    const fresh = createHome({ over: home });
    await fresh.index();
    expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
  });

  it("that could not be read once is tried again, and read when it can be", async () => {
    const home = createHome();
    const path = home.claudePath(sessionId(1));
    home.write(home.claudePath(sessionId(2)), talk("heron", 1, sessionId(2)).lines);
    const yore = await home.open();
    const target = join(home.home, "elsewhere.jsonl");
    home.write(target, talk("barnacle", 1, sessionId(1)).lines);
    home.link(target, path);
    await yore.index({
      onProgress: () => {
        if (existsSync(target)) home.remove(target);
      },
    });
    for (let tries = 0; tries < 3; tries++) expect(await yore.index()).toMatchObject({ sessions: 1 });
    home.write(target, talk("barnacle", 1, sessionId(1)).lines);
    expect(await yore.index()).toMatchObject({ sessions: 2, messages: 4 });
  });
});

describe("a pass that ended before it could settle", () => {
  it("is settled by the next one, though there is nothing to read: titles are found, and it is known how fresh all is", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), [
      ...talk("heron", 1).lines,
      JSON.stringify({ type: "custom-title", customTitle: "Lighthouse", sessionId: SESSION }),
    ]);
    const yore = await home.open();
    // As a kill between the last transaction that read and the one that settles leaves it.
    await yore.index();
    const db = new Database(home.storePath);
    db.exec(
      "DELETE FROM session_words; UPDATE sessions SET title_stale = 1; DELETE FROM facts WHERE name = 'indexed_at'",
    );
    db.close();
    expect(await found(yore, "lighthouse")).toBe(0);
    expect(await yore.index()).toMatchObject({ filesRead: 0, freshness: { indexedAt: home.now } });
    expect(await found(yore, "lighthouse")).toBe(1);
    expect((await yore.status()).freshness.indexedAt).toBe(home.now);
  });
});

describe("a pass during which the machine slept", () => {
  it("leaves the rest to the process that has taken over since", async () => {
    const home = createHome();
    for (let count = 1; count <= 3; count++)
      home.write(home.claudePath(sessionId(count)), talk("heron", 1, sessionId(count)).lines);
    const yore = await home.open();
    const store = await openSqliteStore(home.storePath, () => home.now);
    onTestFinished(() => store.close());
    const other = { host: hostname(), pid: process.pid, token: "other" };
    let taken: Promise<boolean> | undefined;
    const report = await yore.index({
      onProgress: () => {
        home.now += 60_000;
        taken ??= store.writer().then((writer) => writer.acquireLease(other, home.now + 10_000_000, home.now));
      },
    });
    expect(await taken).toBe(true);
    expect(report).toMatchObject({ messages: 0, newMessages: 0, freshness: { stale: "another-process" } });
    await (await store.writer()).releaseLease(other);
    expect(await yore.index()).toMatchObject({ messages: 6 });
  });
});

describe("what a pass costs", () => {
  async function filledHome(): Promise<TestHome> {
    const home = createHome();
    for (let count = 1; count <= 120; count++) {
      const transcript = claudeTranscript({ session: sessionId(count) });
      transcript.prompt(`barnacle ${count}`);
      transcript.calls("Bash", { command: "make" });
      transcript.returns(Array.from({ length: 4_000 }, (_, index) => `word${(index * count) % 9_973}`).join(" "));
      home.write(home.claudePath(sessionId(count)), transcript.lines);
    }
    await home.index();
    return home;
  }

  it("follows the one file that is new, not the store", async () => {
    const home = await filledHome();
    home.write(home.claudePath(sessionId(500)), talk("heron", 1, sessionId(500)).lines);
    const size = statSync(home.storePath).size;
    const yore = await home.open();
    expect(await yore.index()).toMatchObject({ files: 121, filesRead: 1, newMessages: 2 });
    const written = statSync(`${home.storePath}-wal`).size;
    expect(size).toBeGreaterThan(2_000_000);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(400_000);
  });

  it("is nothing written where nothing changed", async () => {
    const home = await filledHome();
    const before = readFileSync(home.storePath);
    const yore = await home.open();
    expect(await yore.index()).toMatchObject({ filesRead: 0, newMessages: 0, bytes: 0 });
    expect(await found(yore, "barnacle 77")).toBe(1);
    await yore.sessions();
    await yore.close();
    expect(readFileSync(home.storePath).equals(before)).toBe(true);
  });
});

describe("several files of one session", () => {
  const here = "/home/ana/code/tide";
  const there = "/home/ana/code/tide-wt";

  function halves(): { readonly first: ClaudeTranscript; readonly second: ClaudeTranscript } {
    const first = claudeTranscript({ session: SESSION, cwd: here });
    first.prompt("barnacle one");
    first.says("barnacle two");
    const second = claudeTranscript({ session: SESSION, cwd: there, startedAt: first.at + 60_000 });
    second.line({ type: "system", subtype: "informational", content: "resumed" });
    second.line({ type: "system", subtype: "informational", content: "resumed here" });
    second.prompt("cormorant one");
    second.says("cormorant two");
    return { first, second };
  }

  it("make one session, and reading one anew does not erase what the other holds", async () => {
    const home = createHome();
    const { first, second } = halves();
    const pathA = home.write(home.claudePath(SESSION, here), first.lines);
    const pathB = home.write(home.claudePath(SESSION, there), second.lines.slice(2));
    expect(await foundAfterOnePass(home, "barnacle", "cormorant")).toEqual([1, 1]);
    expect(await home.index()).toMatchObject({ sessions: 1 });

    const longer = claudeTranscript({ session: SESSION, cwd: there, startedAt: first.at + 90_000 });
    for (let count = 0; count < 3; count++) longer.prompt(`dolphin ${count}`);
    home.write(pathB, longer.lines.slice(2));
    expect(await foundAfterOnePass(home, "barnacle", "cormorant", "dolphin")).toEqual([1, 0, 1]);
    home.write(pathA, first.lines.slice(0, 1));
    expect(await foundAfterOnePass(home, "barnacle one", "barnacle two", "dolphin")).toEqual([1, 0, 1]);
  });

  it("keep the session's title when the later one is read anew", async () => {
    const home = createHome();
    const { first, second } = halves();
    home.write(home.claudePath(SESSION, here), [
      ...first.lines,
      JSON.stringify({ type: "custom-title", customTitle: "Tides and barnacles", sessionId: SESSION }),
    ]);
    home.touch(home.claudePath(SESSION, here), first.at);
    const path = home.write(home.claudePath(SESSION, there), second.lines.slice(2));
    await home.index();
    home.write(path, second.lines.slice(3));
    await home.index();
    const yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([{ title: "Tides and barnacles", cwd: here }]);
  });

  it("keep the first prompt as title when the later one is read anew", async () => {
    const home = createHome();
    const { first, second } = halves();
    home.touch(home.write(home.claudePath(SESSION, here), first.lines), first.at);
    const path = home.write(home.claudePath(SESSION, there), second.lines.slice(2));
    await home.index();
    home.write(path, second.lines.slice(2, 3));
    await home.index();
    const yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([{ title: "barnacle one", turns: 2 }]);
  });
});

describe("two outputs of one session", () => {
  it("in transcripts and in projects are one record, the fuller one", async () => {
    const home = createHome();
    const { lines } = talk("barnacle", 2);
    home.write(home.claudePath(SESSION), lines);
    home.write(join(home.home, ".claude", "transcripts", `${SESSION}.jsonl`), lines.slice(0, 1));
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 4 });
  });

  it("of Codex, moved to the archive, stay one session that is not archived here", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("barnacle");
    rollout.says("heron");
    const path = home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
    await home.index();
    home.move(path, home.codexPath(join("archived_sessions", rolloutName(rollout))));
    expect(await home.index()).toMatchObject({ sessions: 1, messages: 2, newMessages: 0 });
    const yore = await home.open();
    const { items } = await yore.sessions();
    expect(items).toMatchObject([{ messages: 2 }]);
    expect(items[0]?.state).not.toBe("archived");
    expect(dirname(path)).not.toBe("");
  });
});
