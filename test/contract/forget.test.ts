import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const [A, B, C] = [sessionId(1), sessionId(2), sessionId(3)];
const WORDS = "barnacle";

describe("a session that is forgotten", () => {
  it("is found, listed, counted and handed over nowhere, with its subagents", async () => {
    const home = worked();
    const yore = await home.open();
    const [hit] = (await yore.search({ query: `${WORDS} 1` })).hits.filter(({ session }) => session.id === A);
    await yore.annotate({ kind: "pin", sessions: [A] });
    await yore.annotate({ kind: "tags", items: [{ session: A, add: ["quay"] }] });
    await yore.annotate({ kind: "collect", sessions: [A], collection: "a/b" });
    await yore.annotate({ kind: "note", session: A, text: "about limpets" });
    expect(
      await yore.annotate({ kind: "forget", sessions: [A], reason: " a customer's\n data ", by: "ana" }),
    ).toMatchObject({
      number: 5,
      outcomes: [{ asked: A, kind: "forgotten", name: "a customer's data", outcome: "added" }],
    });
    for (const query of [`${WORDS} 1`, "limpets", "below", "tag:quay", "project:tide", "since:2000-01-01", WORDS]) {
      const { hits, total } = await yore.search({ query });
      expect([query, hits.map(({ session }) => session.id).filter((id) => id !== B && id !== C), total]).toEqual([
        query,
        [],
        hits.length,
      ]);
    }
    expect((await yore.sessions({ all: true })).items.map(({ id }) => id).sort()).toEqual([B, C]);
    expect((await yore.projects()).items).toMatchObject([{ name: "shop", sessions: 2 }]);
    expect([(await yore.tags()).items, (await yore.pins()).items, (await yore.collections()).items]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await yore.stats()).toMatchObject({ sessions: 2, subagents: 0, projects: 1 });
    expect(await yore.status()).toMatchObject({ sessions: 2, recent: [{}, {}] });
    expect((await yore.timeline({ at: 0, after: 20 })).entries.map(({ session }) => session.id).sort()).toEqual([B, C]);
    expect((await yore.observations({ ids: [hit?.id ?? ""] })).observations).toEqual([]);
    await expect(yore.timeline({ observation: hit?.id ?? "" })).rejects.toMatchObject({ code: "not-found" });
    const asked = [() => yore.session({ session: A }), () => yore.context({ session: A.slice(0, 10) })];
    for (const ask of [...asked, () => yore.timeline({ session: A }), () => yore.annotations({ session: A })]) {
      await expect(ask()).rejects.toMatchObject({
        code: "not-found",
        message: "That session was forgotten.",
        hint: expect.stringContaining(`yore unforget ${A.slice(0, 13)}`),
      });
    }
    const unknown = await yore.session({ session: `${A.slice(0, 12)}zz` }).catch((error) => error);
    expect(unknown).toMatchObject({ code: "not-found", hint: expect.not.stringContaining(A) });
    expect(await yore.forgotten()).toMatchObject({
      total: 1,
      items: [{ session: { id: A, agent: "claude-code" }, by: "ana", at: home.now, reason: "a customer's data" }],
    });
    const report = await yore.doctor();
    expect(report.hidden).toEqual({ forgotten: 2, excluded: 0, refusedFiles: 0 });
    expect(report.findings.map(({ message }) => message)).toContainEqual(expect.stringContaining("2 sessions are"));
  });

  it.each<[string, (yore: Yore) => Promise<unknown>]>([
    ["by its id", (yore) => yore.annotate({ kind: "unforget", sessions: [A] })],
    ["by the beginning of its id", (yore) => yore.annotate({ kind: "unforget", sessions: [A.slice(0, 8)] })],
    ["by its alias", (yore) => yore.annotate({ kind: "unforget", sessions: ["tide-table"] })],
    ["by undo", (yore) => yore.undoAnnotation()],
  ])("comes back %s, with all that stood on it", async (_, takeBack) => {
    const yore = await worked().open();
    await yore.annotate({ kind: "alias", session: A, alias: "tide-table" });
    const before = await stateOf(yore);
    await yore.annotate({ kind: "forget", sessions: ["tide-table"] });
    await expect(yore.session({ session: "tide-table" })).rejects.toMatchObject({ code: "not-found" });
    expect(await stateOf(yore)).not.toEqual(before);
    await takeBack(yore);
    expect(await stateOf(yore)).toEqual(before);
    expect((await yore.session({ session: "tide-table" })).session.id).toBe(A);
  });

  it("is forgotten once, for the latest reason, and what was not forgotten cannot be taken back", async () => {
    const yore = await worked().open();
    const forget = (reason?: string) =>
      yore.annotate({ kind: "forget", sessions: [A], ...(reason !== undefined && { reason }) });
    await forget("one");
    expect(await forget()).toMatchObject({ outcomes: [{ outcome: "unchanged", name: "one" }] });
    expect(await forget("two")).toMatchObject({ outcomes: [{ outcome: "changed", was: "one", name: "two" }] });
    expect(await yore.annotate({ kind: "unforget", sessions: [B] })).toMatchObject({
      outcomes: [{ outcome: "unchanged" }],
    });
    await expect(yore.annotate({ kind: "forget", sessions: ["00000000-none"] })).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(yore.annotate({ kind: "pin", sessions: [A] })).rejects.toMatchObject({ code: "not-found" });
  });

  it.each<[string, (home: TestHome) => unknown]>([
    ["its transcript grows", (home) => grow(home)],
    ["a rebuild", (home) => home.index({ rebuild: true })],
    ["the store is lost", (home) => lose(home)],
    ["its transcript is gone", (home) => rmSync(home.claudePath(A))],
    ["the files of the mirror are lost", (home) => rmSync(join(home.yoreHome, "mirror"), { recursive: true })],
  ])("stays forgotten where %s", async (_, happen) => {
    const home = worked();
    await withYore(home, (yore) => yore.annotate({ kind: "forget", sessions: [A], reason: "why" }));
    await happen(home);
    await withYore(home, async (yore) => {
      expect((await yore.search({ query: WORDS })).hits.map(({ session }) => session.id).sort()).toEqual([B, C]);
      expect(await yore.forgotten()).toMatchObject({ items: [{ session: { id: A }, reason: "why", by: "person" }] });
      expect((await yore.doctor()).findings.filter(({ message }) => /mirror/.test(message))).toEqual([]);
      await yore.undoAnnotation();
      expect((await yore.sessions()).items.map(({ id }) => id)).toContain(A);
    });
  });

  it("is what the file of the mirror says, also where a person edits that", async () => {
    const home = worked();
    await withYore(home, (yore) => yore.annotate({ kind: "forget", sessions: [A], reason: "why" }));
    const path = join(home.yoreHome, "mirror", "forgotten.json");
    const read = () => JSON.parse(readFileSync(path, "utf8"));
    const at = new Date(home.now).toISOString();
    const entry = { agent: "claude-code", session: A, at, by: "person" };
    expect(read()).toEqual({ version: 1, forgotten: [{ reason: "why", ...entry }] });
    writeFileSync(path, JSON.stringify({ version: 1, forgotten: [{ agent: "claude-code", session: B }] }));
    await withYore(home, async (yore) => {
      expect((await yore.sessions()).items.map(({ id }) => id).sort()).toEqual([A, C]);
      expect((await yore.annotationLog()).items[0]).toMatchObject({ via: "mirror", edits: [{}, {}] });
    });
    expect(read()).toEqual({ version: 1, forgotten: [{ ...entry, session: B }] });
  });
});

async function stateOf(yore: Yore): Promise<unknown> {
  const { hits } = await yore.search({ query: WORDS });
  return [(await yore.sessions({ all: true })).items, await yore.stats(), hits.map(({ id }) => id)];
}

/** A session with a subagent, and two of another project. */
function worked(): TestHome {
  const home = createHome();
  const [first, ...others] = [A, B, C].map((session, index) => {
    const cwd = index === 0 ? "/home/ana/code/tide" : "/home/ana/code/shop";
    const transcript = claudeTranscript({ session, cwd });
    transcript.prompt(`ask about ${WORDS} ${index + 1}`);
    transcript.says(`answer of ${WORDS} ${index + 1}`);
    return { transcript, path: home.claudePath(session, cwd) };
  });
  for (const { transcript, path } of [...(first === undefined ? [] : [first]), ...others])
    home.write(path, transcript.lines);
  const sub = claudeTranscript({ session: A, agentId: "a1b2c3d4" });
  sub.prompt(`look below for ${WORDS}`);
  home.write(join(home.claudePath(A).replace(/\.jsonl$/, ""), "subagents", "agent-a1b2c3d4.jsonl"), sub.lines);
  return home;
}

function grow(home: TestHome): void {
  const later = claudeTranscript({ session: A, seed: "later001", startedAt: home.now - 60_000 });
  later.prompt(`more of ${WORDS} 1`);
  home.append(home.claudePath(A), later.lines);
}

function lose(home: TestHome): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
}

async function withYore<T>(home: TestHome, work: (yore: Yore) => Promise<T>): Promise<T> {
  const yore = await home.open();
  try {
    return await work(yore);
  } finally {
    await yore.close();
  }
}
