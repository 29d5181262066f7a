import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { AGENT_CASES, type AgentCase, saveRecords } from "../support/agent-cases.ts";
import { createWords } from "../support/corpus.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { runYore } from "../support/program.ts";

const LIMIT = 300 * 1_048_576;
const TIMEOUT_MS = 300_000;
const TURNS = 600;
const ANSWER_BYTES = 200_000;

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

interface Store {
  readonly agent: string;
  readonly format: string;
  /** Adds to each answer a piece of a text, which is its first value, of so many bytes as its second says. */
  readonly grow: string;
}

const databases: readonly Store[] = [
  {
    agent: "opencode",
    format: "database v1",
    grow: `UPDATE part SET data = json_set(data, '$.text', json_extract(data, '$.text') || substr(?, 1 + rowid * 997, ?))
      WHERE data LIKE '% it is%'`,
  },
  {
    agent: "cursor",
    format: "global database",
    grow: `UPDATE cursorDiskKV SET value = json_set(value, '$.text', json_extract(value, '$.text') || substr(?, 1 + rowid * 997, ?))
      WHERE value LIKE '% it is%'`,
  },
];

describe("memory stays below 300 MB", () => {
  it.each(databases)(
    "with the $agent $format of 120 MB in answers of 200 KB each",
    async ({ agent, format, grow }) => {
      const home = createHome();
      const path = fill(home, caseOf(agent, format), TURNS);
      const database = new Database(path);
      const { changes } = database.prepare(grow).run(words(3_000_000), ANSWER_BYTES);
      database.close();
      expect(changes).toBe(TURNS);
      expect(statSync(path).size).toBeGreaterThan(TURNS * ANSWER_BYTES);
      const { peak, report } = await peakOf(home);
      expect(report).toMatchObject({ sessions: 1, messages: 2 * TURNS, skippedLines: 0 });
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

/** So many bytes of words. */
function words(bytes: number): string {
  const draw = createWords(3);
  let text = "";
  while (text.length < bytes) text += ` ${draw(1_000)}`;
  return text.slice(0, bytes);
}
