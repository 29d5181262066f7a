import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type AgentCase, recordsOf, textOf } from "../support/agent-cases.ts";
import { byAgent, CASE_GROUPS, homeOf, saidBy, saveCase } from "../support/case-groups.ts";
import type { TestHome } from "../support/home.ts";

const WORDS = ["barnacle", "cormorant", "dolphin"];
const ALL = expected(...WORDS);

describe.each(CASE_GROUPS)("%s", { timeout: 30_000 }, (_, cases) => {
  const inLines = cases.filter(({ unit }) => unit === "lines" || unit === "log");

  if (inLines.length > 0)
    it("a line of no sense in the middle hides nothing that follows, and each session says so", async () => {
      const [home, whole] = [homeOf(cases), homeOf(cases)];
      for (const agentCase of inLines) {
        const turns = WORDS.map((word, n) => textOf(agentCase, agentCase.turn(word, n)));
        const [first = "", ...others] = turns;
        const damaged = [textOf(agentCase, agentCase.head), first, "\u0000\u0000\u0000\n", ...others].join("");
        const path = home.writeRaw(join(home.home, agentCase.path), damaged);
        for (const one of [path, saveCase(whole, agentCase, recordsOf(agentCase, WORDS))]) home.touch(one, home.now);
      }
      for (const one of [home, whole]) await one.index();
      const ends = (dump: ReturnType<TestHome["dump"]>, agent: string) =>
        dump.sessions.filter((row) => row.agent === agent).map((row) => row.ended_at);
      const [dump, wanted] = [home.dump(), whole.dump()];
      const { items } = await (await home.open()).sessions({ limit: 100 });
      const read = byAgent(inLines, ({ agent }) => ({
        said: saidBy(dump, agent),
        endedAt: ends(dump, agent),
        skipped: items.find((one) => one.agent === agent)?.skippedLines,
      }));
      expect(read).toEqual(byAgent(inLines, ({ agent }) => ({ said: ALL, endedAt: ends(wanted, agent), skipped: 1 })));
    });

  // A text thread of Zed is one text, and of more than is read at once only the beginning is left.
  const inParts = cases.filter(({ format }) => format !== "text thread");
  it("a text of many megabytes costs no message, and is cut with a mark", { timeout: 30_000 }, async () => {
    const home = homeOf(cases);
    for (const [at, agentCase] of inParts.entries()) {
      // More than a line may have is read by code that all share, so one of each kind will do.
      const isFirst = inParts.findIndex(({ unit }) => unit === agentCase.unit) === at;
      const huge = `cormorant ${"ebb and flow ".repeat(isFirst ? 350_000 : 90_000)}`;
      const records: object[] = JSON.parse(
        JSON.stringify(recordsOf(agentCase, WORDS)).replaceAll("cormorant it is", `${huge} it is`),
      );
      saveCase(home, agentCase, records);
    }
    expect(await home.index()).toMatchObject({ skippedLines: 0, problems: [] });
    const dump = home.dump();
    const read = byAgent(inParts, ({ agent }) =>
      saidBy(dump, agent).map((text) =>
        text.length < 250_000 && text.includes("…") ? `${text.slice(0, 20)} (cut)` : text.slice(0, 1_000),
      ),
    );
    expect(read).toEqual(byAgent(inParts, () => ALL.with(3, "assistant: cormorant (cut)")));
  });

  it("a file that two paths lead to by a link is one file", async () => {
    const home = homeOf(cases);
    for (const agentCase of cases) {
      const path = saveCase(home, agentCase, recordsOf(agentCase, WORDS));
      home.link(path, join(home.home, agentCase.twin));
    }
    const report = await home.index();
    expect(report.problems).toEqual([]);
    const counted = byAgent(cases, ({ agent }) => {
      const { files = 0, messages = 0 } = report.agents[agent] ?? {};
      return { files, messages };
    });
    expect(counted).toEqual(byAgent(cases, () => ({ files: 1, messages: 6 })));
  });

  const isDatabase = ({ save, isProse, path }: AgentCase) => save !== undefined && !isProse && !path.endsWith(".json");
  const databases = cases.filter(isDatabase);
  const texts = cases.filter((one) => one.save === undefined);
  it("a file of another generation, in which nothing is understood, is named by doctor for its agent", async () => {
    const home = homeOf(cases);
    for (const agentCase of texts) {
      const odd = [1, 2].map((n) => ({ type: "from-the-future", role: "from-the-future", id: `odd${n}`, data: {} }));
      saveCase(home, agentCase, agentCase.unit === "document" ? [...agentCase.head, ...odd] : odd);
    }
    for (const agentCase of databases)
      withDatabase(saveCase(home, agentCase, recordsOf(agentCase, WORDS)), (database) => {
        for (const name of tablesOf(database)) database.exec(`ALTER TABLE "${name}" RENAME TO "${name}_of_the_future"`);
      });
    const { problems } = await home.index();
    const { agents } = await (await home.open()).doctor();
    const seen = [...texts, ...databases];
    const told = byAgent(seen, ({ agent, path }) => {
      const health = agents.find((one) => one.agent === agent);
      const isNamed = problems.some((problem) => problem.path.endsWith(path));
      return { isTold: isNamed || (health?.unparsed ?? 0) + (health?.partly ?? 0) > 0, sessions: health?.sessions };
    });
    expect(told).toEqual(byAgent(seen, () => ({ isTold: true, sessions: 0 })));
  });

  if (databases.length > 0)
    it("a value in a database that was torn costs that message alone, and is counted", async () => {
      const home = homeOf(cases);
      const holdsAll = byAgent(databases, (agentCase) => {
        const path = saveCase(home, agentCase, recordsOf(agentCase, WORDS));
        return withDatabase(path, (database) => tear(database, "cormorant it is"));
      });
      expect((await home.index()).problems).toEqual([]);
      const dump = home.dump();
      const rest = ALL.filter((text) => text !== "assistant: cormorant it is");
      expect(byAgent(databases, ({ agent }) => saidBy(dump, agent))).toEqual(
        byAgent(databases, ({ agent }) => (holdsAll[agent] ? [] : rest)),
      );
      const { agents } = await (await home.open()).doctor();
      const skipped = ({ agent }: AgentCase) => (agents.find((one) => one.agent === agent)?.skippedLines ?? 0) > 0;
      expect(byAgent(databases, skipped)).toEqual(byAgent(databases, () => true));
    });

  if (databases.length > 0)
    it("a value that held a whole session and is torn takes nothing of what was read", async () => {
      const home = homeOf(cases);
      for (const agentCase of databases) saveCase(home, agentCase, recordsOf(agentCase, WORDS));
      await home.index();
      const torn = databases.filter((agentCase) =>
        withDatabase(join(home.home, agentCase.path), (database) => tear(database, "cormorant it is")),
      );
      expect(await home.index()).toMatchObject({ problems: [] });
      const dump = home.dump();
      expect(byAgent(torn, ({ agent }) => saidBy(dump, agent))).toEqual(byAgent(torn, () => ALL));
    });
});

const REMINDER = "<system-reminder>\nMind the gap.\n</system-reminder>";
const IDE = "# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\n";

describe("what a harness put before a person's words, in the way of each agent", () => {
  it.each<[string, string]>([
    ["claude-code", `${REMINDER}\nfix the tide`],
    ["claude-code", "<ide_opened_file>The user opened a.ts</ide_opened_file>\nfix the tide"],
    [
      "claude-code",
      "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the tide</command-args>",
    ],
    ["codex", `${IDE}fix the tide\n`],
    ["codex", "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>\nfix the tide"],
    ["droid", `${REMINDER}\nfix the tide`],
  ])("%s: %j is neither in the prompt nor in the title", async (agent, text) => {
    const { dump, prompts } = await read(agent, [text]);
    expect(prompts).toEqual([text.includes("/fix") ? "/fix the tide" : "fix the tide"]);
    expect(dump.sessions[0]?.title_first_prompt).toBe(prompts[0]);
  });

  it.each<[string, string]>([
    ["claude-code", REMINDER],
    ["claude-code", "<task-notification>\n<task-id>1</task-id>\n</task-notification>"],
    ["claude-code", "<local-command-stdout>done</local-command-stdout>"],
    ["codex", "<environment_context>\n  <cwd>/a</cwd>\n</environment_context>"],
    ["codex", "# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>"],
    ["gemini-cli", "<session_context>\nToday is Monday.\n</session_context>"],
    ["gemini-cli", "<hook_context>\nBe kind.\n</hook_context>"],
    ["qwen-code", REMINDER],
    ["droid", REMINDER],
  ])("%s: %j alone is no prompt and no title", async (agent, text) => {
    const { dump, prompts } = await read(agent, [text, "fix the tide"]);
    expect(prompts).toEqual(["fix the tide"]);
    expect(dump.sessions[0]).toMatchObject({ title_first_prompt: "fix the tide", turns: 1 });
  });
});

/** Reads a session of an agent in which a person's turns are these texts. */
async function read(agent: string, texts: readonly string[]) {
  const agentCase = CASE_GROUPS[0]?.[1].find((one) => one.agent === agent);
  if (agentCase === undefined) throw new Error(`There is no case of ${agent}.`);
  const home = homeOf([agentCase]);
  saveCase(home, agentCase, [...agentCase.head, ...texts.flatMap((text, n) => agentCase.turn(text, n))]);
  await home.index();
  const dump = home.dump();
  const prompts = dump.messages.filter(({ role }) => role === "human").map((row) => row.text);
  return { dump, prompts };
}

/** Cuts the JSON that holds a text. Tells whether it holds the whole session. */
function tear(database: Database.Database, text: string): boolean {
  for (const table of tablesOf(database))
    for (const column of namesIn(database, `SELECT name FROM pragma_table_info('${table}')`)) {
      const cell = `CAST("${column}" AS TEXT)`;
      const row = database
        .prepare<[string], { id: number; value: string }>(
          `SELECT rowid AS id, ${cell} AS value FROM "${table}" WHERE instr(${cell}, ?) > 0`,
        )
        .get(text);
      if (row === undefined) continue;
      const half = row.value.slice(0, row.value.indexOf(text) + 4);
      database.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`).run(half, row.id);
      return row.value.includes("dolphin");
    }
  throw new Error("There is nothing to tear.");
}

function tablesOf(database: Database.Database): string[] {
  return namesIn(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
}

function namesIn(database: Database.Database, sql: string): string[] {
  return database
    .prepare<[], { name: string }>(sql)
    .all()
    .map(({ name }) => name);
}

function withDatabase<T>(path: string, work: (database: Database.Database) => T): T {
  const database = new Database(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function expected(...words: readonly string[]): string[] {
  return words.flatMap((word) => [`human: ${word}`, `assistant: ${word} it is`]);
}
