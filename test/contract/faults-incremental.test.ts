import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { sources } from "../../src/sources/registry.ts";
import { type AgentCase, recordsOf, textOf } from "../support/agent-cases.ts";
import { byAgent, CASE_GROUPS, homeOf, saidBy, saveCase } from "../support/case-groups.ts";
import { compareDumps } from "../support/dump.ts";
import { type Fixture, fixtureGroups, fixtureHome, readFixture } from "../support/fixture-home.ts";

const WORDS = ["barnacle", "cormorant", "dolphin"];
const ALL = WORDS.flatMap((word) => [`human: ${word}`, `assistant: ${word} it is`]);

/** All but exports, which are read when a person names them. */
const groups = fixtureGroups(sources.filter(({ agent }) => agent !== "chatgpt" && agent !== "claude-ai")).map(
  (fixtures, index) => [index + 1, fixtures] as const,
);

describe("a store that was filled in steps equals one that was filled at once", () => {
  it.each(groups)("every fixture, group %i", { timeout: 30_000 }, async (_, fixtures) => {
    const { home, over, files, write } = fixtureHome(fixtures);
    const growing = files.filter((file) => growsAlone(fixtures, file));
    for (const file of files) if (!growing.includes(file)) write(file);
    for (const file of growing) write(file, "half");
    const yore = await home.open();
    await yore.index();
    for (const file of growing) write(file);
    await yore.index();
    const fresh = over();
    await fresh.index();
    const { files: _files, ...differences } = compareDumps(home.dump(), fresh.dump());
    expect(differences).toEqual({});
  });
});

describe.each(CASE_GROUPS)("%s", { timeout: 30_000 }, (_, cases) => {
  const lines = cases.filter(({ unit }) => unit === "lines");
  it("of a file of lines that grew, what was added is read and nothing else, and what a reader remembers stays small", async () => {
    const home = homeOf(lines);
    const many = Array.from({ length: 150 }, (_, n) => `word${n}`);
    for (const agentCase of lines) saveCase(home, agentCase, recordsOf(agentCase, many));
    await home.index();
    const added = byAgent(lines, (agentCase) => {
      const text = textOf(agentCase, agentCase.turn("dolphin", 200));
      home.appendRaw(join(home.home, agentCase.path), text);
      return Buffer.byteLength(text);
    });
    const report = await home.index();
    expect(report.bytes).toBe(Object.values(added).reduce((sum, bytes) => sum + bytes, 0));
    expect(report.newMessages).toBe(2 * lines.length);
    const states = home
      .dump()
      .files.map(({ agent, readerState }) => [agent, JSON.stringify(readerState ?? "").length] as const);
    expect(states.filter(([, size]) => size > 8_000)).toEqual([]);
  });

  const twins = cases.filter(({ hasNoIds }) => !hasNoIds);
  it.each([
    ["first", "path", "twin"],
    ["second", "twin", "path"],
  ] as const)(
    "of two files of one session, the %s of which holds less, the fuller one counts, and no tokens twice",
    async (_, less, more) => {
      const [home, whole] = [homeOf(cases), homeOf(cases)];
      for (const agentCase of twins) {
        saveCase(home, agentCase, recordsOf(agentCase, WORDS.slice(0, 2)), agentCase[less]);
        saveCase(home, agentCase, recordsOf(agentCase, WORDS), agentCase[more]);
        saveCase(whole, agentCase, recordsOf(agentCase, WORDS));
      }
      for (const one of [home, whole]) expect(await one.index()).toMatchObject({ problems: [] });
      const [dump, wanted] = [home.dump(), whole.dump()];
      expect(byAgent(twins, ({ agent }) => saidBy(dump, agent).toSorted())).toEqual(
        byAgent(twins, () => ALL.toSorted()),
      );
      const tokens = ({ usage }: typeof dump) => usage.map(({ key, input, output }) => [key, input, output]);
      expect(tokens(dump)).toEqual(tokens(wanted));
      expect(dump.sessions).toHaveLength(twins.length);
    },
  );

  const databases = cases.filter(
    ({ save, isProse, path }) => save !== undefined && !isProse && !path.endsWith(".json"),
  );
  if (databases.length > 0)
    it("a database that its agent holds locked keeps what was read, and is read when it is free", {
      timeout: 20_000,
    }, async () => {
      const home = homeOf(cases);
      for (const agentCase of databases) saveCase(home, agentCase, recordsOf(agentCase, WORDS.slice(0, 2)));
      await home.index();
      const held = databases.map((agentCase) => {
        const database = new Database(saveCase(home, agentCase, recordsOf(agentCase, WORDS)));
        database.exec("BEGIN EXCLUSIVE");
        onTestFinished(() => void database.close());
        return database;
      });
      const report = await home.index();
      const isNamed = ({ path }: AgentCase) => report.problems.some((problem) => problem.path.endsWith(path));
      expect(byAgent(databases, isNamed)).toEqual(byAgent(databases, () => true));
      expect(report).toMatchObject({ sessions: databases.length, messages: 4 * databases.length });
      for (const database of held) database.exec("ROLLBACK");
      expect(await home.index()).toMatchObject({ messages: 6 * databases.length, problems: [] });
    });
});

/**
 * Whether nothing in a file is told by another one too: of files that share messages, that which was there first has them,
 * and that is tested apart. Nor may some messages of a file have a time and others none: those have the next time that is
 * known, or else the file's.
 */
function growsAlone(fixtures: readonly Fixture[], file: string): boolean {
  const own = new Set<string>();
  const others = new Set<string>();
  let isDatedInPart = false;
  for (const fixture of fixtures)
    for (const [key, { session, items }] of Object.entries(readFixture(fixture))) {
      const told = items.flatMap((item) =>
        item.kind === "usage" ? item.key : item.kind === "message" ? item.nativeId : [],
      );
      const dated = items.flatMap((item) => (item.kind === "message" ? [item.at !== undefined] : []));
      if (key.startsWith(file)) isDatedInPart ||= dated[0] === false && dated.includes(true);
      for (const id of [session, ...told]) (key.split("#")[0] === file ? own : others).add(id);
    }
  return own.size > 0 && !isDatedInPart && ![...own].some((id) => others.has(id));
}
