import { describe, expect, it } from "vitest";
import { type ClaudeTranscript, claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const ORIGINAL = sessionId(1);
const FORK = sessionId(2);

function original(): ClaudeTranscript {
  const transcript = claudeTranscript({ session: ORIGINAL });
  transcript.prompt("barnacle");
  transcript.says("heron", { usage: { input: 100, output: 10 } });
  transcript.prompt("tern");
  transcript.says("gull", { usage: { input: 200, output: 20 } });
  return transcript;
}

/** A session that begins with copies of the original's first `copied` lines. */
function forkOf(
  { lines, at }: ClaudeTranscript,
  copied: number,
  options: { readonly namesOriginal?: boolean } = {},
): string[] {
  const own = claudeTranscript({ session: FORK, startedAt: at + 60_000 });
  own.prompt("cormorant");
  own.says("dolphin", { usage: { input: 400, output: 40 } });
  return [...lines.slice(0, copied).map((line) => copiedLine(line, FORK, options)), ...own.lines];
}

async function sessionsOf(
  home: TestHome,
): Promise<Record<string, { texts: string[]; parent?: string; relation?: string }>> {
  const yore = await home.open();
  const { items } = await yore.sessions({ all: true });
  const found: Record<string, { texts: string[]; parent?: string; relation?: string }> = {};
  for (const { id, parent, relation } of items) {
    const { messages } = await yore.session({ session: id });
    found[id] = {
      texts: messages.map((message) => message.text),
      ...(parent !== undefined && { parent }),
      ...(relation !== undefined && { relation }),
    };
  }
  await yore.close();
  return found;
}

async function expectLikeFresh(home: TestHome): Promise<void> {
  const fresh = createHome({ over: home });
  await fresh.index();
  expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
}

describe("a session that begins with copies of another one's messages", () => {
  it.each([
    ["with a new session id on every line", {}],
    ["with the original named on every line", { namesOriginal: true }],
  ])("%s is a fork, and the copies are stored and counted once", async (_, options) => {
    const home = createHome();
    const transcript = original();
    home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(home.claudePath(FORK), forkOf(transcript, 2, options));
    expect(await home.index()).toMatchObject({ sessions: 2, messages: 6, newMessages: 6 });
    expect(await sessionsOf(home)).toEqual({
      [ORIGINAL]: { texts: ["barnacle", "heron", "tern", "gull"] },
      [FORK]: { texts: ["cormorant", "dolphin"], parent: ORIGINAL, relation: "fork" },
    });
    const yore = await home.open();
    expect((await yore.search({ query: "barnacle" })).hits).toHaveLength(1);
    expect((await yore.stats()).usage).toMatchObject({ input: 700, output: 70 });
    await expectLikeFresh(home);
  });

  it("whose original goes on is read on as before", async () => {
    const home = createHome();
    const transcript = original();
    const path = home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(home.claudePath(FORK), forkOf(transcript, 4));
    await home.index();
    const before = transcript.lines.length;
    transcript.prompt("oyster");
    home.touch(home.append(path, transcript.lines.slice(before)), transcript.at);
    expect(await home.index()).toMatchObject({ newMessages: 1, messages: 7 });
    await expectLikeFresh(home);
  });

  it("is found after the original was deleted, and so is the original", async () => {
    const home = createHome();
    const transcript = original();
    const path = home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(home.claudePath(FORK), forkOf(transcript, 2));
    await home.index();
    home.remove(path);
    expect(await home.index()).toMatchObject({ sessions: 2, messages: 6 });
    expect(await home.index({ rebuild: true })).toMatchObject({ sessions: 2, messages: 6 });
    const yore = await home.open();
    for (const query of ["barnacle", "gull", "cormorant"])
      expect((await yore.search({ query })).hits, query).toHaveLength(1);
    const states = (await yore.sessions()).items.map(({ id, state }) => [id, state]);
    expect(Object.fromEntries(states)).toMatchObject({ [ORIGINAL]: "archived", [FORK]: "live" });
  });

  it("takes over what its original no longer has, in the same pass", async () => {
    const home = createHome();
    const transcript = original();
    const path = home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(home.claudePath(FORK), forkOf(transcript, 4));
    await home.index();

    home.touch(home.write(path, transcript.lines.slice(0, 2)), transcript.at);
    expect(await home.index()).toMatchObject({ messages: 6 });
    expect(await sessionsOf(home)).toEqual({
      [ORIGINAL]: { texts: ["barnacle", "heron"] },
      [FORK]: { texts: ["tern", "gull", "cormorant", "dolphin"], parent: ORIGINAL, relation: "fork" },
    });
    await expectLikeFresh(home);
  });

  it("takes over all, when nothing is left of its original", async () => {
    const home = createHome();
    const transcript = original();
    const path = home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(home.claudePath(FORK), forkOf(transcript, 4));
    await home.index();
    const other = claudeTranscript({ session: ORIGINAL, startedAt: transcript.at });
    for (let count = 0; count < 6; count++) other.line({ type: "system", subtype: "turn_duration", durationMs: count });
    other.prompt("oyster");
    home.touch(home.write(path, other.lines.slice(6)), transcript.at);
    expect(await home.index()).toMatchObject({ messages: 7 });
    expect(await sessionsOf(home)).toMatchObject({
      [ORIGINAL]: { texts: ["oyster"] },
      [FORK]: { texts: ["barnacle", "heron", "tern", "gull", "cormorant", "dolphin"] },
    });
    const yore = await home.open();
    expect((await yore.stats()).usage).toMatchObject({ input: 700, output: 70 });
    await expectLikeFresh(home);
  });

  it("takes over also where it grew since, and the pass is stopped on the way", async () => {
    const home = createHome();
    const transcript = original();
    const path = home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    const fork = home.write(home.claudePath(FORK), forkOf(transcript, 4));
    await home.index();
    home.touch(home.write(path, transcript.lines.slice(0, 2)), transcript.at);
    const more = claudeTranscript({ session: FORK, startedAt: transcript.at + 120_000 });
    for (let count = 0; count < 3; count++) more.prompt(`oyster ${count}`);
    home.append(fork, more.lines.slice(2));

    const stop = new AbortController();
    const yore = await home.open();
    const stopped = await yore.index({
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.phase === "reading" && progress.filesDone === 0) stop.abort();
      },
    });
    await yore.close();
    expect(stopped.freshness.stale).toBe("out-of-time");
    await home.index();
    expect(await sessionsOf(home)).toMatchObject({
      [ORIGINAL]: { texts: ["barnacle", "heron"] },
      [FORK]: { texts: ["tern", "gull", "cormorant", "dolphin", "oyster 2"] },
    });
    await expectLikeFresh(home);
  });

  it.each([
    ["says so", { namesOriginal: true }],
    ["does not say so", {}],
  ])("that was written to disk before its original, as when a home was restored, and %s", async (_, options) => {
    const home = createHome();
    const transcript = original();
    home.touch(home.write(home.claudePath(FORK), forkOf(transcript, 4, options)), transcript.at + 90_000);
    home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    await home.index();
    expect(await sessionsOf(home)).toEqual({
      [ORIGINAL]: { texts: ["barnacle", "heron", "tern", "gull"] },
      [FORK]: { texts: ["cormorant", "dolphin"], parent: ORIGINAL, relation: "fork" },
    });
  });

  it("that was indexed before its original is not its original's parent", async () => {
    const home = createHome();
    const transcript = original();
    home.write(home.claudePath(FORK), forkOf(transcript, 4, { namesOriginal: true }));
    await home.index();
    home.write(home.claudePath(ORIGINAL), transcript.lines);
    expect(await home.index()).toMatchObject({ messages: 6 });
    const yore = await home.open();
    const fork = await yore.session({ session: FORK });
    expect(fork.session).toMatchObject({ parent: ORIGINAL, relation: "fork" });
    const { related } = await yore.session({ session: ORIGINAL });
    expect(related.map(({ id, relation }) => [id, relation])).toEqual([[FORK, "fork"]]);
    expect((await yore.session({ session: ORIGINAL })).session.parent).toBeUndefined();
  });
});

describe("files that hold copies of each other's messages", () => {
  it("are read once each when all is read anew, however much they hold", async () => {
    const home = createHome();
    const talk = claudeTranscript({ session: ORIGINAL });
    for (let turn = 0; turn < 40; turn += 1) {
      talk.prompt(`barnacle ${turn}`);
      talk.calls("Bash", { command: "make" });
      talk.returns(`gull ${turn} ${"tern and heron ".repeat(4_000)}`);
    }
    home.touch(home.write(home.claudePath(ORIGINAL), talk.lines), talk.at);
    for (let count = 2; count <= 5; count += 1) {
      const own = claudeTranscript({ session: sessionId(count), startedAt: talk.at + count * 60_000 });
      own.prompt(`cormorant ${count}`);
      const copies = talk.lines.map((line) => copiedLine(line, sessionId(count)));
      home.touch(home.write(home.claudePath(sessionId(count)), [...copies, ...own.lines]), own.at);
    }
    const first = await home.index();
    const before = home.dump();
    const again = await home.index({ rebuild: true });
    expect([again.bytes, again.filesRead]).toEqual([first.bytes, first.filesRead]);
    expect(compareDumps(home.dump(), before)).toEqual({});
  });

  it("are settled in one pass, whichever is rewritten", async () => {
    const home = createHome();
    const a = claudeTranscript({ session: ORIGINAL });
    for (let count = 0; count < 6; count++) a.prompt(`barnacle ${count}`);
    const b = claudeTranscript({ session: FORK, startedAt: a.at + 60_000 });
    for (let count = 0; count < 6; count++) b.prompt(`cormorant ${count}`);
    const intoB = (lines: readonly string[]) => lines.map((line) => copiedLine(line, FORK));
    const intoA = (lines: readonly string[]) => lines.map((line) => copiedLine(line, ORIGINAL));

    const pathA = home.touch(home.write(home.claudePath(ORIGINAL), a.lines.slice(0, 3)), a.at);
    const pathB = home.write(home.claudePath(FORK), [...intoB(a.lines.slice(0, 3)), ...b.lines.slice(0, 3)]);
    await home.index();
    home.touch(home.append(pathA, [...intoA(b.lines.slice(0, 3)), ...a.lines.slice(3)]), a.at);
    home.append(pathB, b.lines.slice(3));
    expect(await home.index()).toMatchObject({ messages: 12 });

    home.touch(home.write(pathA, [...a.lines.slice(1, 3), ...intoA(b.lines.slice(1, 3)), ...a.lines.slice(3)]), a.at);
    expect(await home.index()).toMatchObject({ messages: 12 });
    expect(await home.index()).toMatchObject({ filesRead: 0, newMessages: 0 });

    home.write(pathB, [...intoB(a.lines.slice(1, 3)), ...b.lines.slice(2)]);
    expect(await home.index()).toMatchObject({ messages: 10 });
    expect(await home.index()).toMatchObject({ filesRead: 0, newMessages: 0 });
    expect(await home.index({ rebuild: true })).toMatchObject({ messages: 10 });
    await expectLikeFresh(home);
  });
});

describe("the same message twice in one file", () => {
  it("is stored once", async () => {
    const home = createHome();
    const { lines } = original();
    home.write(home.claudePath(ORIGINAL), [...lines, ...lines.slice(1, 3), ...lines.slice(0, 1)]);
    expect(await home.index()).toMatchObject({ messages: 4, newMessages: 4 });
    const yore = await home.open();
    expect((await yore.stats()).usage).toMatchObject({ input: 300, output: 30 });
  });
});

describe("tokens", () => {
  it("of one answer that is written as several lines count once, at their fullest", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: ORIGINAL });
    transcript.prompt("barnacle");
    const partial = { input: 5, output: 1, cacheRead: 1_000, cacheWrite: 50 };
    transcript.says("one", { call: "one", usage: partial });
    transcript.says("two", { call: "one", usage: { ...partial, output: 90 } });
    transcript.says("three", { call: "one", usage: { ...partial, output: 90 } });
    transcript.says("four", { call: "two", usage: { input: 7, output: 2 } });
    const path = home.write(home.claudePath(ORIGINAL), transcript.lines.slice(0, 2));
    const yore = await home.open();
    await yore.index();
    home.append(path, transcript.lines.slice(2));
    await yore.index();
    const expected = { input: 12, output: 92, cacheRead: 1_000, cacheWrite: 50 };
    home.now += 60_000;
    expect((await yore.stats()).usage).toEqual(expected);
    expect((await yore.stats()).models).toEqual([{ model: "claude-opus-4-5-20251101", calls: 2, usage: expected }]);
    expect((await yore.sessions()).items[0]?.usage).toEqual(expected);
  });

  it("of subagents count beside their spawner's, and a replay of either counts nothing", async () => {
    const home = createHome();
    const transcript = original();
    const folder = home.claudePath(ORIGINAL).replace(/\.jsonl$/, "/subagents");
    const agent = claudeTranscript({ session: ORIGINAL, agentId: "a1b2c3d", startedAt: transcript.at });
    agent.prompt("look for oysters");
    agent.says("oysters found", { usage: { input: 1_000, output: 100 } });
    home.touch(home.write(home.claudePath(ORIGINAL), transcript.lines), transcript.at);
    home.write(`${folder}/agent-a1b2c3d.jsonl`, agent.lines);
    home.write(home.claudePath(FORK), [...forkOf(transcript, 4), ...agent.lines.map((line) => copiedLine(line, FORK))]);
    await home.index();
    const yore = await home.open();
    expect((await yore.stats()).usage).toMatchObject({ input: 1_700, output: 170 });
  });

  it("of Codex count once for a snapshot that is repeated, and for history that a fork copied", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    rollout.prompt("barnacle");
    rollout.says("heron");
    rollout.counts(110, { input: 100, output: 10 });
    rollout.counts(110, { input: 100, output: 10 });
    const fork = codexRollout({
      session: rolloutId(2),
      startedAt: rollout.startedAt + 3_600_000,
      meta: { forked_from_id: rolloutId(1) },
    });
    const head = fork.lines.length;
    fork.prompt("cormorant");
    fork.says("dolphin");
    fork.counts(550, { input: 400, output: 40 });
    home.touch(home.write(home.codexPath(rolloutPath(rollout)), rollout.lines), rollout.startedAt + 60_000);
    home.write(home.codexPath(rolloutPath(fork)), [
      ...fork.lines.slice(0, head),
      ...rollout.lines,
      ...fork.lines.slice(head),
    ]);
    expect(await home.index()).toMatchObject({ sessions: 2, messages: 4 });
    const yore = await home.open();
    expect((await yore.stats()).usage).toMatchObject({ input: 500, output: 50 });
    expect((await yore.sessions()).items).toMatchObject([
      { id: rolloutId(2), parent: rolloutId(1), relation: "fork" },
      { id: rolloutId(1) },
    ]);
  });
});
