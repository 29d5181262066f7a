import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ExportRequest, Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { compareDumps, type StoreDump } from "../support/dump.ts";
import { fixtureGroups, fixtureHome } from "../support/fixture-home.ts";
import { createHome, type TestHome } from "../support/home.ts";

const [MAIN, OTHER] = [sessionId(1), sessionId(2)];

describe("what was exported and imported elsewhere is as it was", () => {
  const groups = fixtureGroups(sources).map((group, index) => [index + 1, group] as const);

  it.each(groups)("fixtures of all agents, group %i", { timeout: 60_000 }, async (_, group) => {
    const from = fixtureHome(group);
    for (const file of from.files) from.write(file);
    await from.home.index();
    const file = await exported(from.home);
    // The other machine has none of these folders.
    rmSync(from.home.home, { recursive: true });
    const to = createHome({ now: from.home.now });
    await imported(to, file);
    expectSame(from.home, to);
    // Again, from itself, and from what the archive has of it.
    const first = to.dump();
    await imported(to, file);
    await to.index({ rebuild: true });
    expect(compareDumps(first, to.dump())).toEqual({});
    rmSync(to.storePath);
    await to.index();
    expect(compareDumps(first, to.dump())).toEqual({});
    const further = createHome({ now: from.home.now });
    await imported(further, await exported(to));
    expectSame(from.home, further);
  });

  it("a long conversation, in several segments", { timeout: 60_000 }, async () => {
    const from = createHome();
    const talk = claudeTranscript({ session: MAIN });
    for (let turn = 0; turn < 45; turn += 1) {
      talk.prompt(`turn ${turn} of the tide`);
      talk.calls("Bash", { command: `make ${turn}` });
      talk.returns(`${turn} ${"of many words ".repeat(5_000)}`);
    }
    from.write(from.claudePath(MAIN), talk.lines);
    await from.index();
    const to = createHome();
    await imported(to, await exported(from));
    expectSame(from, to);
    rmSync(to.storePath);
    await to.index();
    expectSame(from, to);
  });

  it("gzipped too", async () => {
    const from = withTalks();
    await from.index();
    const file = await exported(from);
    const packed = join(from.yoreHome, "all.jsonl.gz");
    writeFileSync(packed, gzipSync(await textOf(from, { format: "jsonl" })));
    const [plain, zipped] = [createHome(), createHome()];
    await imported(plain, file);
    await imported(zipped, packed);
    expect(compareDumps(plain.dump(), zipped.dump())).toEqual({});
  });
});

describe("an import of what is there already", () => {
  it("changes nothing where the agent's own files are", async () => {
    const home = withTalks();
    await home.index();
    const before = home.dump();
    const report = await imported(home, await exported(home));
    expect(report).toMatchObject({ newMessages: 0, restored: 0, exported: { sessions: 2 } });
    expect(compareDumps(before, home.dump())).toEqual({});
  });

  it("adds the messages that are new, and takes nothing back", async () => {
    const from = withTalks();
    await from.index();
    const early = await exported(from, "early.jsonl");
    const talk = talking(MAIN);
    talk.prompt("and the ebb?");
    talk.says("six hours later");
    from.write(from.claudePath(MAIN), talk.lines);
    await from.index();
    const late = await exported(from, "late.jsonl");
    const to = createHome();
    await imported(to, early);
    expect(await imported(to, late)).toMatchObject({ newMessages: 2 });
    expect(await imported(to, early)).toMatchObject({ newMessages: 0 });
    expectSame(from, to);
    rmSync(to.storePath);
    await to.index();
    expectSame(from, to);
  });

  it("is at peace with the agent's own file that comes later", async () => {
    const from = withTalks();
    await from.index();
    const to = createHome();
    await imported(to, await exported(from));
    to.write(to.claudePath(MAIN), talking(MAIN).lines);
    await to.index();
    expectSame(from, to);
    to.append(to.claudePath(MAIN), [talking(MAIN, (talk) => talk.prompt("what then?")).lines.at(-1) ?? ""]);
    expect(await to.index()).toMatchObject({ newMessages: 1 });
  });

  it("keeps the title that it has", async () => {
    const from = withTalks();
    from.write(from.claudePath(MAIN), [...talking(MAIN).lines, titled("There"), asked("more")]);
    await from.index();
    const to = createHome();
    to.write(to.claudePath(MAIN), [...talking(MAIN).lines, titled("Here")]);
    await to.index();
    await imported(to, await exported(from));
    const yore = await to.open();
    expect((await yore.session({ session: MAIN })).session.title).toBe("Here");
  });
});

describe("one session", () => {
  it("comes with its subagents, and alone", async () => {
    const from = withTalks();
    const sub = join(from.claudePath(MAIN), "..", MAIN, "subagents", "agent-a1.jsonl");
    const agent = claudeTranscript({ session: MAIN, agentId: "a1" });
    agent.prompt("look into the buoys");
    agent.says("all lit");
    from.write(sub, agent.lines);
    await from.index();
    const lines = linesIn(await textOf(from, { format: "jsonl", session: MAIN }));
    expect(lines[0]).toMatchObject({ type: "export", version: 1, sessions: 2 });
    const sessions = lines.filter(({ type }) => type === "session");
    expect(sessions.map(({ relation }) => relation)).toEqual([undefined, "subagent"]);
  });

  it("that does not exist is told before anything is", async () => {
    const yore = await withTalks().open();
    await expect(collect(yore, { format: "jsonl", session: "no-such-session" })).rejects.toMatchObject({
      code: "not-found",
    });
  });
});

describe("annotations", () => {
  it("come with who put them there and when, and again change nothing", async () => {
    const from = withTalks();
    await annotated(from);
    const to = createHome({ now: from.now + 1_000_000 });
    const file = await exported(from);
    const report = await imported(to, file);
    expect(report.exported).toEqual({
      sessions: 2,
      annotations: { added: 5, unchanged: 0, refused: 0 },
      conflicts: [],
    });
    const [there, here] = [await from.open(), await to.open()];
    const { session: _, ...expected } = await there.annotations({ session: MAIN });
    expect(await here.annotations({ session: MAIN })).toMatchObject(expected);
    expect((await here.annotationLog()).items.every(({ via, by }) => via === "import" && by === "ana")).toBe(true);
    expect((await imported(to, file)).exported).toMatchObject({
      annotations: { added: 0, unchanged: 5, refused: 0 },
      conflicts: [],
    });
    rmSync(to.storePath);
    const restored = await to.open();
    expect(await restored.annotations({ session: MAIN })).toMatchObject(expected);
  });

  it("that differ stay as they are here, and are named", async () => {
    const from = withTalks();
    await annotated(from);
    const to = withTalks();
    const yore = await to.open();
    await yore.annotate({ kind: "note", session: MAIN, text: "mine" });
    await yore.annotate({ kind: "alias", session: OTHER, alias: "tide-work" });
    await yore.annotate({ kind: "tags", items: [{ session: MAIN, add: ["mine"] }] });
    const report = await yore.import({ paths: [await exported(from)] });
    expect(report.exported?.conflicts).toEqual([
      { kind: "alias", session: MAIN, here: `(the alias of ${OTHER})`, there: "tide-work" },
      { kind: "note", session: MAIN, here: "(a note)", there: "(a note)" },
    ]);
    const kept = await yore.annotations({ session: MAIN });
    expect(kept.note?.value).toBe("mine");
    expect(kept.alias).toBeUndefined();
    expect(kept.tags.map(({ value }) => value)).toEqual(["mine", "tides"]);
  });

  it("that are memories come along, and are found", async () => {
    const from = withTalks();
    const there = await from.open();
    const saved = await there.remember({ text: "Lanterns, not lamps.", type: "decision", session: MAIN, by: "ana" });
    await there.remember({ text: "Elsewhere the lanterns hang.", project: "reef" });
    const { id } = saved.memory;
    const to = createHome({ now: from.now + 1_000_000 });
    const file = await exported(from);
    expect(await imported(to, file)).toMatchObject({
      exported: { annotations: { added: 2, unchanged: 0, refused: 0 } },
    });
    expect(await imported(to, file)).toMatchObject({
      exported: { annotations: { added: 0, unchanged: 2, refused: 0 } },
    });
    expectSame(from, to);
    const here = await to.open();
    expect((await here.search({ query: "lanterns lamps" })).hits.map((hit) => hit.id)).toEqual([id]);
    const [project] = (await there.projects()).items.filter(({ name }) => name === "tide");
    for (const request of [{ session: MAIN }, { project: project?.id ?? "" }] as const) {
      const lines = linesIn(await textOf(from, { format: "jsonl", ...request }));
      expect(lines.filter(({ kind }) => kind === "memory").map(({ session }) => session)).toEqual([id]);
    }
  });

  it("of a kind that is not known, or that no command would write, are left out and counted", async () => {
    const from = withTalks();
    await from.index();
    const at = new Date(from.now).toISOString();
    const line = (fields: object) =>
      JSON.stringify({
        type: "annotation",
        agent: "claude-code",
        session: MAIN,
        key: "",
        value: "",
        at,
        by: "ana",
        ...fields,
      });
    const lines = [
      line({ kind: "sticker", value: "x" }),
      line({ kind: "tag", key: "Not A Tag" }),
      line({ kind: "alias", value: "../up" }),
      line({ kind: "pin", value: "<b>" }),
      line({ kind: "memory", value: "no memory" }),
      line({ kind: "tag", key: "fine" }),
    ];
    const file = from.writeRaw(
      join(from.yoreHome, "odd.jsonl"),
      `${(await textOf(from, { format: "jsonl" })).trimEnd()}\n${lines.join("\n")}\n`,
    );
    const report = await imported(createHome(), file);
    expect(report.exported?.annotations).toEqual({ added: 1, unchanged: 0, refused: 5 });
  });
});

describe("what is hidden", () => {
  it("is not exported, with nothing that stands on it", async () => {
    const from = withTalks();
    await annotated(from);
    const yore = await from.open();
    const { memory } = await yore.remember({ text: "Lanterns, not lamps.", session: OTHER });
    await yore.annotate({ kind: "forget", sessions: [MAIN, memory.id] });
    const text = await textOf(from, { format: "jsonl" });
    expect(text).not.toMatch(new RegExp(`${MAIN}|tide-work|High water|forgotten|Lanterns`));
    expect(linesIn(text)[0]).toMatchObject({ sessions: 1 });
  });

  it("does not become so by an import", async () => {
    const to = withTalks();
    const file = to.writeRaw(
      join(to.home, "hide.jsonl"),
      `${JSON.stringify({ type: "export", version: 1, sessions: 0 })}\n${JSON.stringify({
        type: "annotation",
        kind: "forgotten",
        agent: "claude-code",
        session: MAIN,
        key: "",
        value: "",
        at: "2026-03-01T10:00:00.000Z",
        by: "eve",
      })}\n`,
    );
    expect((await imported(to, file)).exported?.annotations).toEqual({ added: 0, unchanged: 0, refused: 1 });
  });

  it("by being of an excluded place is neither stored nor archived by an import", async () => {
    const from = withTalks();
    await from.index();
    const file = await exported(from);
    const to = createHome();
    const yore = await to.open();
    await yore.excludeProject({ place: "/home/ana/code/tide" });
    const report = await yore.import({ paths: [file] });
    expect(report).toMatchObject({ newMessages: 0, restored: 0 });
    expect(report.problems).toEqual([
      { path: file, problem: "holds 2 sessions that may not be stored, and were left out" },
    ]);
    expect(existsSync(join(to.yoreHome, "archive"))).toBe(false);
    expect(to.dump().messages).toEqual([]);
  });
});

describe("an export that is not whole", () => {
  it.each([
    {
      what: "cut off",
      change: (text: string) => text.slice(0, Math.floor(text.length * 0.8)),
      problem: /could not be read|incomplete/,
    },
    {
      what: "with a line of something else",
      change: (text: string) => `${text}not json\n{"type":"what"}\n`,
      problem: /2 lines/,
    },
    {
      what: "with an agent that is not known",
      change: (text: string) => text.replaceAll("claude-code", "hal"),
      problem: /agents that are not read here: hal/,
    },
  ])("is told: $what", async ({ change, problem }) => {
    const from = withTalks();
    await from.index();
    const file = from.writeRaw(join(from.yoreHome, "part.jsonl"), change(await textOf(from, { format: "jsonl" })));
    const report = await imported(createHome(), file);
    expect(report.problems).toEqual([{ path: file, problem: expect.stringMatching(problem) }]);
  });

  it("is refused by a damaged compression, and by a newer version's format", async () => {
    const from = withTalks();
    await from.index();
    const text = await textOf(from, { format: "jsonl" });
    const packed = gzipSync(text);
    const half = from.writeRaw(join(from.yoreHome, "half.jsonl.gz"), packed.subarray(0, packed.length - 200));
    const newer = from.writeRaw(join(from.yoreHome, "new.jsonl"), text.replace('"version":1', '"version":99'));
    const yore = await createHome().open();
    await expect(yore.import({ paths: [half] })).rejects.toMatchObject({ code: "bad-input", message: /damaged/ });
    await expect(yore.import({ paths: [newer] })).rejects.toMatchObject({ code: "bad-input", message: /newer/ });
  });
});

type Talk = ReturnType<typeof claudeTranscript>;

function talking(session: string, more: (talk: Talk) => void = () => {}): Talk {
  const talk = claudeTranscript({ session });
  talk.prompt("when is the flood?");
  talk.says("at nine", { call: `${session}c`, usage: { input: 10, output: 5 } });
  more(talk);
  return talk;
}

function titled(customTitle: string): string {
  return JSON.stringify({ type: "custom-title", customTitle, sessionId: MAIN });
}

function asked(text: string): string {
  const talk = claudeTranscript({ session: MAIN, seed: "99999999", startedAt: Date.parse("2026-03-01T12:00:00Z") });
  return talk.prompt(text);
}

function withTalks(): TestHome {
  const home = createHome();
  for (const session of [MAIN, OTHER]) home.write(home.claudePath(session), talking(session).lines);
  return home;
}

async function annotated(home: TestHome): Promise<void> {
  const yore = await home.open();
  const by = "ana";
  await yore.annotate({ kind: "alias", session: MAIN, alias: "tide-work", by });
  await yore.annotate({ kind: "tags", items: [{ session: MAIN, add: ["tides"] }], by });
  await yore.annotate({ kind: "note", session: MAIN, text: "High water at nine.", by });
  await yore.annotate({ kind: "pin", sessions: [MAIN], by });
  await yore.annotate({ kind: "collect", sessions: [MAIN], collection: "sea/tides", by });
}

async function collect(yore: Yore, request: ExportRequest): Promise<string> {
  let text = "";
  for await (const piece of yore.export(request)) text += piece.text;
  return text;
}

async function textOf(home: TestHome, request: ExportRequest): Promise<string> {
  return collect(await home.open(), request);
}

async function exported(home: TestHome, name = "all.jsonl"): Promise<string> {
  mkdirSync(home.yoreHome, { recursive: true });
  return home.writeRaw(join(home.yoreHome, name), await textOf(home, { format: "jsonl" }));
}

async function imported(home: TestHome, file: string): ReturnType<Yore["import"]> {
  const yore = await home.open();
  try {
    return await yore.import({ paths: [file] });
  } finally {
    await yore.close();
  }
}

function linesIn(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** All but where it was read from. */
function expectSame(from: TestHome, to: TestHome): void {
  expect(compareDumps(withoutPlaces(from.dump()), withoutPlaces(to.dump()))).toEqual({});
}

function withoutPlaces(dump: StoreDump): StoreDump {
  // Some agents tell a beginning that lies behind all messages; then that was taken for the end.
  const ends = new Map<unknown, number>();
  for (const { session, at } of dump.messages)
    if (typeof at === "number") ends.set(session, Math.max(at, ends.get(session) ?? at));
  // What has no time of its own has one of the file that it was read from.
  const untimed = new Set(dump.messages.flatMap(({ session, at }) => (at === null ? [session] : [])));
  return {
    ...dump,
    observations: dump.observations.map((row) => (untimed.has(row.session) ? { ...row, at: 0, ended_at: 0 } : row)),
    files: [],
    messages: dump.messages.map(({ file: _, byte: __, ...row }) => row),
    usage: dump.usage.map(({ file: _, ...row }) => row),
    sessions: dump.sessions
      .filter(({ messages }) => messages !== 0)
      .map((row) => ({ ...row, ended_at: ends.get(row.native_id) ?? row.ended_at })),
  };
}
