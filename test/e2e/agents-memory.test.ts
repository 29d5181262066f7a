import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { AGENT_CASES, type AgentCase, saveRecords } from "../support/agent-cases.ts";
import { createWords } from "../support/corpus.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { runYore } from "../support/program.ts";

const MEGABYTE = 1_000_000;
const LIMIT = 300 * MEGABYTE;
const TIMEOUT_MS = 300_000;

/**
 * Tells the most memory that a process had, when it ends. A process that was forked off begins with its parent's peak
 * in `maxRSS`; Linux keeps one that does not.
 */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  const peak = () => {
    try {
      return Number(/^VmHWM:\\s+(\\d+) kB/m.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]);
    } catch {
      return process.resourceUsage().maxRSS;
    }
  };
  process.on("exit", () => fs.writeFileSync(process.env.YORE_TEST_MEMORY, String(peak() * 1024)));
`)}`;

/** How a value of a database is made longer than any agent's usual ones. */
interface Store {
  readonly agent: string;
  readonly format: string;
  /** Puts a text of so many bytes into each answer that the case wrote. */
  readonly grow: string;
}

const databases: readonly Store[] = [
  {
    agent: "crush",
    format: "database",
    grow: "UPDATE messages SET parts = json_set(parts, '$[0].data.text', json_extract(parts, '$[0].data.text') || ?) WHERE role = 'assistant'",
  },
  {
    agent: "opencode",
    format: "database v1",
    grow: "UPDATE part SET data = json_set(data, '$.text', json_extract(data, '$.text') || ?) WHERE data LIKE '% it is%'",
  },
  {
    agent: "opencode",
    format: "database v2",
    grow: "UPDATE session_message SET data = json_set(data, '$.content[0].text', json_extract(data, '$.content[0].text') || ?) WHERE type = 'assistant'",
  },
  {
    agent: "cursor",
    format: "global database",
    grow: "UPDATE cursorDiskKV SET value = json_set(value, '$.text', json_extract(value, '$.text') || ?) WHERE value LIKE '% it is%'",
  },
  {
    agent: "goose",
    format: "database",
    grow: "UPDATE messages SET content_json = json_set(content_json, '$[0].text', json_extract(content_json, '$[0].text') || ?) WHERE role = 'assistant'",
  },
];

describe("memory stays below 300 MB", () => {
  it.each(
    databases.flatMap((store) => [
      { ...store, turns: 250, megabytes: 1 },
      { ...store, turns: 6, megabytes: 50 },
    ]),
  )(
    "with $turns answers of $megabytes MB each in a $format of $agent",
    async ({ agent, format, grow, turns, megabytes }) => {
      const home = createHome();
      const path = fill(home, caseOf(agent, format), turns);
      const database = new Database(path);
      const { changes } = database.prepare(grow).run(text(megabytes * MEGABYTE));
      database.close();
      expect(changes).toBe(turns);
      expect(statSync(path).size).toBeGreaterThan(turns * megabytes * MEGABYTE);
      const { peak, report } = await peakOf(home);
      console.log(agent, format, turns, peak / 1e6, (report as any).seconds);
      expect(report).toMatchObject({ sessions: 1, messages: 2 * turns, skippedLines: 0 });
      expect(peak).toBeLessThan(LIMIT);
    },
    TIMEOUT_MS,
  );

  it.each([
    ["gemini-cli", "log"],
    ["gemini-cli", "document"],
    ["cline", "task"],
    ["aider", "chat history"],
    ["copilot-cli", "events"],
  ])(
    "with 150 answers of 1 MB each in a history of %s (%s)",
    async (agent, format) => {
      const agentCase = caseOf(agent, format);
      const home = createHome({ workFolders: agentCase.workFolder === undefined ? [] : [agentCase.workFolder] });
      const answers = Array.from({ length: 150 }, (_, n) => agentCase.turn(`buoy${n}`, n)).flat();
      const path = saveRecords(agentCase, join(home.home, agentCase.path), [...agentCase.head, ...answers]);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(" it is", ` it is${text(MEGABYTE)}`));
      expect(statSync(path).size).toBeGreaterThan(150 * MEGABYTE);
      const { peak, report } = await peakOf(home);
      console.log(agent, format, peak / 1e6, (report as any).seconds);
      expect(report).toMatchObject({ sessions: 1, messages: 300, skippedLines: 0 });
      expect(peak).toBeLessThan(LIMIT);
    },
    TIMEOUT_MS,
  );
});

function caseOf(agent: string, format: string): AgentCase {
  const found = AGENT_CASES.find((one) => one.agent === agent && one.format === format);
  if (found === undefined) throw new Error(`${agent} has no case ${format}`);
  return found;
}

/** Writes a history of so many small turns. */
function fill(home: TestHome, agentCase: AgentCase, turns: number): string {
  const said = Array.from({ length: turns }, (_, n) => agentCase.turn(`buoy${n}`, n)).flat();
  return saveRecords(agentCase, join(home.home, agentCase.path), [...agentCase.head, ...said]);
}

async function peakOf(home: TestHome): Promise<{ peak: number; report: unknown }> {
  const path = join(home.home, "memory");
  const options = { env: { YORE_TEST_MEMORY: path }, node: ["--import", REPORT] };
  const { code, stdout, stderr } = await runYore(home, ["index", "--json"], options);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
  return { peak: Number(readFileSync(path, "utf8")), report: JSON.parse(stdout) };
}

/** Words, none of which stands where it could be taken for the end of a string. */
function text(bytes: number): string {
  const words = ` ${createWords(3)(5_000)}`;
  return words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
}
