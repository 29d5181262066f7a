import { realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { AGENT_CASES, type AgentCase, nameOf, recordsOf, saveRecords, transcript } from "../support/agent-cases.ts";
import { compareDumps, type StoreDump } from "../support/dump.ts";
import { createHome as createEmptyHome, type HomeOptions, type TestHome } from "../support/home.ts";
import { projectFiles, readProject } from "../support/pages.ts";

/** Half a conversation, and files that are only read when a person names them: each has a test of its own. */
const TESTED_APART = ["claude-prompts", "claude-ai", "chatgpt"];
const WORDS = ["barnacle", "cormorant", "dolphin"];
const WRITTEN_AT = Date.parse("2026-03-02T12:00:00Z");

describe("every source", () => {
  it("has a case that writes its history", () => {
    const agents = sources.map(({ agent }) => agent);
    expect([...new Set([...AGENT_CASES.map(({ agent }) => agent), ...TESTED_APART])].sort()).toEqual(agents.sort());
  });

  it("stands on its own: no agent's folder imports from another's", () => {
    const agents = sources.map(({ agent }) => agent).join("|");
    const foreign = new RegExp(`from "\\.\\./(?:${agents})/`);
    const files = projectFiles("src/sources").filter((path) => path.split("/").length > 3);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => foreign.test(readProject(path)))).toEqual([]);
  });
});

describe.each(AGENT_CASES.map((agentCase) => [nameOf(agentCase), agentCase] as const))("%s", (_, agentCase) => {
  const { agent, unit, session } = agentCase;
  const isContainer = unit === "container";
  const isDocument = unit === "document";
  const createHome = (options: HomeOptions = {}): TestHome => homeFor(agentCase, options);
  const pathIn = (home: TestHome): string => join(home.home, agentCase.path);
  const save = (home: TestHome, records: readonly object[], path = agentCase.path): string =>
    saveRecords(agentCase, join(home.home, path), records);
  const write = (home: TestHome, ...words: readonly string[]): string => save(home, recordsOf(agentCase, words));

  it("is found and read whole", async () => {
    const home = createHome();
    write(home, ...WORDS);
    const report = await home.index();
    expect(report).toMatchObject({ files: 1, sessions: 1, messages: 6, skippedLines: 0, problems: [] });
    expect(report.agents[agent]).toMatchObject({ files: 1, sessions: 1, messages: 6 });
    const yore = await home.open();
    expect(await said(yore, session)).toEqual(expected(...WORDS));
    expect(await found(yore, "cormorant")).toBe(1);
    expect(await home.index()).toMatchObject({ filesRead: 0, newMessages: 0 });
  });

  if (!isContainer)
    it("of which the end is still being written is read to there, and then to its end", async () => {
      const home = createHome();
      const text = transcript(agentCase, WORDS);
      home.writeRaw(pathIn(home), text.slice(0, -10));
      const before = await home.index();
      if (isDocument) expect(before).toMatchObject({ sessions: 0, skippedLines: 1, problems: [] });
      else expect(before).toMatchObject({ sessions: 1, skippedLines: 0, problems: [] });
      if (!isDocument) expect(before.messages).toBeGreaterThanOrEqual(4);
      home.writeRaw(pathIn(home), text);
      expect(await home.index()).toMatchObject({ messages: 6, skippedLines: 0 });
      await expectAsRead(home, agentCase, ...WORDS);
    });

  if (isContainer) {
    it.each(["", "{", "Killed: 9", "x".repeat(5_000)])(
      "that %.9j stands in the place of keeps what was read",
      async (text) => {
        const home = createHome();
        write(home, ...WORDS);
        await home.index();
        for (const beside of ["-wal", "-shm"]) rmSync(pathIn(home) + beside, { force: true });
        home.writeRaw(pathIn(home), text);
        expect(await home.index()).toMatchObject({ sessions: 1, messages: 6 });
        write(home, ...WORDS, "oyster");
        expect(await home.index()).toMatchObject({ sessions: 1, messages: 8, skippedLines: 0, problems: [] });
        await expectAsRead(home, agentCase, ...WORDS, "oyster");
      },
    );
  } else if (isDocument) {
    it.each(["", "{", "Killed: 9"])("that %j stands in the place of keeps what was read of it", async (text) => {
      const home = createHome();
      write(home, ...WORDS);
      await home.index();
      home.writeRaw(pathIn(home), text);
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 6, problems: [] });
      write(home, ...WORDS, "oyster");
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 8, skippedLines: 0, problems: [] });
      await expectAsRead(home, agentCase, ...WORDS, "oyster");
    });
  } else {
    it("with lines that are none among its records is read around them", async () => {
      const home = createHome();
      const [head, ...records] = recordsOf(agentCase, WORDS).map((record) => `${JSON.stringify(record)}\n`);
      const damage = ["Killed: 9\n", "\u0000\u0000\u0000\n", '{"type":"mess', "\n", "[1,2]\n", "null\n", '"text"\n'];
      const middle = records.length / 2;
      home.writeRaw(pathIn(home), [head, ...records.slice(0, middle), ...damage, ...records.slice(middle)].join(""));
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 6, skippedLines: 6, problems: [] });
      await expectAsRead(home, agentCase, ...WORDS);
    });
  }

  it("that holds nothing of use is no session, and is read once it is one", async () => {
    const home = createHome();
    const yore = await home.open();
    for (const text of ["", "\n", "\u0000\u0000", "[]", "null", "Killed: 9", "{}"]) {
      home.writeRaw(pathIn(home), text);
      const report = await yore.index();
      expect(report, text).toMatchObject({ files: 1, sessions: 0, messages: 0 });
      // Of a container, what is none may also be told as a problem.
      if (!isContainer) expect(report.problems, text).toEqual([]);
    }
    if (isContainer) rmSync(pathIn(home));
    write(home, ...WORDS);
    expect(await yore.index()).toMatchObject({ files: 1, sessions: 1, messages: 6, skippedLines: 0, problems: [] });
  });

  if (!agentCase.isProse)
    it("with a record of a type from the future passes it over, and says so", async () => {
      const home = createHome();
      const type = "from-the-future";
      const odd = { type, role: type, data: {}, message: { type, role: type } };
      const [head = {}, ...records] = recordsOf(agentCase, WORDS);
      const middle = records.length / 2;
      save(home, [head, ...records.slice(0, middle), odd, ...records.slice(middle)]);
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 6, skippedLines: 1, problems: [] });
      const yore = await home.open();
      const health = (await yore.doctor()).agents.find((one) => one.agent === agent);
      expect(health).toMatchObject({
        partly: 1,
        skippedByReason: [{ reason: expect.stringMatching(/^unknown-type: /) }],
      });
      expect(await said(yore, session)).toEqual(expected(...WORDS));
    });

  it("with records that lack a field is read on", async () => {
    const home = createHome();
    const whole = recordsOf(agentCase, ["barnacle"]);
    const poorer = [...agentCase.head, ...agentCase.turn("", 0)].flatMap((record, index) =>
      withoutEachField(record).map((_, field) => {
        // Each is of a turn of its own: in a log, a poorer record of the same id would replace the whole one.
        const records = [...agentCase.head, ...agentCase.turn("gull", 10 + index * 50 + field)];
        return withoutEachField(records[index] ?? {})[field] ?? {};
      }),
    );
    const after = agentCase.turn("oyster", 9);
    save(home, [...whole, ...poorer, ...after]);
    const report = await home.index();
    expect(report).toMatchObject({ files: 1, problems: [] });
    const yore = await home.open();
    expect(await found(yore, "oyster")).toBe(1);
    const messages = await said(yore, session);
    expect(messages.slice(0, 2)).toEqual(expected("barnacle"));
    expect(messages.slice(-2)).toEqual(expected("oyster"));
    expect(await failures(yore, agent)).toEqual([]);
  });

  if (!agentCase.isProse)
    it("with numbers that were written as text is read the same", async () => {
      const [asNumbers, asText] = [createHome(), createHome()];
      const records = recordsOf(agentCase, WORDS);
      save(asNumbers, records);
      save(asText, records.map(numbersAsText).filter(isObject));
      for (const home of [asNumbers, asText])
        expect(await home.index()).toMatchObject({ messages: 6, skippedLines: 0 });
      expect(content(asText.dump())).toEqual(content(asNumbers.dump()));
    });

  it(`with every turn twice tells ${agentCase.hasNoIds ? "what was said twice" : "each once, by its ids"}`, async () => {
    const home = createHome();
    const turns = WORDS.flatMap((word, n) => [...agentCase.turn(word, n), ...agentCase.turn(word, n)]);
    save(home, [...agentCase.head, ...turns]);
    expect(await home.index()).toMatchObject({
      sessions: 1,
      messages: agentCase.hasNoIds ? 12 : 6,
      skippedLines: 0,
      problems: [],
    });
    expect(home.dump().usage).toEqual((await freshDump(agentCase, home, WORDS)).usage);
  });

  it("in two files is one session with each message once, whichever of them goes", async () => {
    for (const gone of [agentCase.path, agentCase.twin]) {
      const home = createHome();
      write(home, ...WORDS);
      save(home, recordsOf(agentCase, WORDS), agentCase.twin);
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 6, skippedLines: 0, problems: [] });
      home.remove(join(home.home, gone));
      expect(await home.index()).toMatchObject({ sessions: 1, messages: 6 });
      const yore = await home.open();
      expect((await yore.sessions()).items).toMatchObject([{ id: session, agent, messages: 6, turns: 3 }]);
      expect((await yore.sessions()).items[0]?.state).not.toBe("archived");
      expect(await said(yore, session)).toEqual(expected(...WORDS));
    }
  });

  it.each([
    ["written anew", ["oyster", "puffin"]],
    ["cut back", ["barnacle"]],
    ["cut back and grown on in other words", ["barnacle", "oyster", "puffin", "gull", "tern"]],
  ])("that was %s holds what is there now", async (_, words) => {
    const home = createHome();
    write(home, ...WORDS);
    await home.index();
    if (words[0] === "barnacle" && !isDocument && !isContainer) {
      const size = Buffer.byteLength(transcript(agentCase, ["barnacle"]));
      home.truncate(pathIn(home), size);
      home.appendRaw(pathIn(home), transcript(agentCase, words).slice(size));
    } else write(home, ...words);
    await home.index();
    await expectAsRead(home, agentCase, ...words);
    const yore = await home.open();
    for (const word of WORDS) expect(await found(yore, word), word).toBe(words.includes(word) ? 1 : 0);
  });

  it("that was deleted is an archived session, still found, and no longer one when the file is back", async () => {
    const home = createHome();
    const path = write(home, ...WORDS);
    await home.index();
    home.remove(path);
    const report = await home.index();
    expect(report).toMatchObject({ files: 0, sessions: 1, messages: 6, problems: [] });
    let yore = await home.open();
    expect((await yore.sessions()).items).toMatchObject([{ id: session, state: "archived" }]);
    expect(await said(yore, session)).toEqual(expected(...WORDS));
    expect(await found(yore, "dolphin")).toBe(1);
    await yore.close();
    write(home, ...WORDS);
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 6 });
    yore = await home.open();
    expect((await yore.sessions()).items[0]?.state).not.toBe("archived");
  });

  it("is found where a link stands for the agent's folder, by its real path", async () => {
    const home = createHome();
    write(home, ...WORDS);
    const [folder = ""] = agentCase.path.split("/");
    home.move(join(home.home, folder), join(home.home, "disk", folder));
    home.link(join(home.home, "disk", folder), join(home.home, folder));
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, messages: 6, problems: [] });
    const yore = await home.open();
    const { messages } = await yore.session({ session });
    const [file] = (messages[0]?.file ?? "").split("#");
    expect(file).toBe(join(realpathSync(home.home), "disk", agentCase.path));
  });

  it("in a folder that cannot be looked into is not taken for deleted, and the folder is named", async () => {
    const home = createHome();
    const folder = dirname(write(home, ...WORDS));
    await home.index();
    rmSync(folder, { recursive: true });
    home.link(folder, folder);
    const other = AGENT_CASES.find((one) => one.agent !== agent);
    if (other !== undefined) saveRecords(other, join(home.home, other.path), recordsOf(other, ["oyster"]));
    const report = await home.index();
    expect(report.problems).toContainEqual({ path: folder, problem: "cannot be read (ELOOP)" });
    // The folder may be that of several agents' histories.
    expect(report.problems.filter(({ path }) => !path.startsWith(folder))).toEqual([]);
    expect(report).toMatchObject({ sessions: 2, messages: 8 });
    const yore = await home.open();
    const states = (await yore.sessions()).items.map(({ state }) => state);
    expect(states).not.toContain("archived");
    expect(await found(yore, "oyster")).toBe(1);
  });

  it.each(agentCase.variables)("is looked for where $name says", async ({ name, folder, isFurther = false }) => {
    const elsewhere = createHome();
    const home = createHome({ variables: { [name]: join(elsewhere.home, folder) } });
    write(home, "oyster");
    expect(await home.index()).toMatchObject({ sessions: isFurther ? 1 : 0, problems: [] });
    home.remove(pathIn(home));
    write(elsewhere, ...WORDS);
    expect(await home.index()).toMatchObject({ files: 1, sessions: 1, problems: [] });
    expect(await found(await home.open(), "cormorant")).toBe(1);
  });

  if (!isContainer)
    it("read up to any byte and then to its end equals one that was read at once", async () => {
      const bytes = Buffer.from(transcript(agentCase, ["barnacle 帆船", "cormorant", "dolphin"]));
      const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(cuts, async (places) => {
          const home = createHome();
          const yore = await home.open();
          for (const [step, place] of [...places.sort((a, b) => a - b), bytes.length].entries()) {
            // Records without a time have that of the file.
            home.touch(home.writeRaw(pathIn(home), bytes.subarray(0, place)), WRITTEN_AT);
            home.now += step;
            await yore.index();
          }
          expect(await yore.index()).toMatchObject({ filesRead: 0, sessions: 1, messages: 6, skippedLines: 0 });
          const fresh = createHome({ over: home });
          await fresh.index();
          expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
        }),
        { numRuns: 4, endOnFailure: true },
      );
    });
});

function homeFor({ workFolder }: AgentCase, options: HomeOptions): TestHome {
  return createEmptyHome({ ...(workFolder !== undefined && { workFolders: [workFolder] }), ...options });
}

function expected(...words: readonly string[]): string[] {
  return words.flatMap((word) => [`human: ${word}`, `assistant: ${word} it is`]);
}

async function said(yore: Yore, session: string): Promise<string[]> {
  const { messages } = await yore.session({ session, everything: true });
  return messages.map(({ role, text }) => `${role}: ${text}`);
}

async function found(yore: Yore, query: string): Promise<number> {
  return (await yore.search({ query })).hits.length;
}

/** The store is as if the session had been read at once. */
async function expectAsRead(home: TestHome, agentCase: AgentCase, ...words: readonly string[]): Promise<void> {
  const { session } = agentCase;
  const fresh = homeFor(agentCase, { over: home });
  await fresh.index();
  expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
  expect(await said(await home.open(), session)).toEqual(expected(...words));
}

/** What a store of its own holds after `words` were read from the same path. */
async function freshDump(agentCase: AgentCase, home: TestHome, words: readonly string[]): Promise<StoreDump> {
  saveRecords(agentCase, join(home.home, agentCase.path), recordsOf(agentCase, words));
  const fresh = homeFor(agentCase, { over: home });
  await fresh.index();
  return fresh.dump();
}

/** Records over which a reader failed. */
async function failures(yore: Yore, agent: string): Promise<string[]> {
  const health = (await yore.doctor()).agents.find((one) => one.agent === agent);
  return (health?.skippedByReason ?? []).map(({ reason }) => reason).filter((reason) => reason.startsWith("failed"));
}

/** The record once for each of its fields and of those one level below, without it. */
function withoutEachField(record: object): object[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const { [key]: _, ...rest } = { ...record } as Record<string, unknown>;
    const below = isObject(value) && !Array.isArray(value) ? withoutEachField(value) : [];
    return [rest, ...below.map((poorer) => ({ ...record, [key]: poorer }))];
  });
}

function numbersAsText(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(numbersAsText);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, numbersAsText(field)]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** What does not depend on how long the lines of a file are, or where it lies. */
function content({ sessions, messages, usage }: StoreDump): unknown {
  const without = (row: Readonly<Record<string, unknown>>) => ({ ...row, file: undefined, byte: undefined });
  return { sessions, messages: messages.map(without), usage: usage.map(without) };
}
