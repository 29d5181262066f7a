import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AGENTS_VERSION, HISTORIES, writeHistory } from "./corpus/agents.mjs";
import { CACHE } from "./lib/build.mjs";
import { indexRun } from "./lib/index-run.mjs";
import { median, walk } from "./lib/measure.mjs";

const SHAPE = { sessions: 40, bytes: 20_000_000 };
const MEMORY = { kind: "value", most: 300 * 1_048_576 };

/**
 * The first reading of each agent's history alone, and of all in one home: the program's whole run, with its start.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function manyAgents({ rounds }) {
  const agents = Object.keys(HISTORIES);
  return [...agents.flatMap((agent) => measure(agent, [agent], rounds)), ...measure("all agents", agents, rounds)];
}

function measure(name, agents, rounds) {
  const home = homeOf(name, agents);
  const megabytes = walk(home).reduce((sum, { size }) => sum + size, 0) / 1e6;
  const yoreHome = `${home}-yore`;
  const runs = Array.from({ length: rounds }, () => {
    rmSync(yoreHome, { recursive: true, force: true });
    return indexRun({ home, yoreHome });
  });
  rmSync(yoreHome, { recursive: true, force: true });
  return [
    {
      what: `first reading, ${name}, ${Math.round(megabytes)} MB`,
      value: megabytes / (median(runs.map(({ ms }) => ms)) / 1_000),
      unit: "MB/s",
    },
    {
      what: `peak memory, ${name}`,
      value: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
      unit: "bytes",
      budget: MEMORY,
    },
  ];
}

/** A home folder with these agents' histories, written unless an earlier run did so. */
function homeOf(name, agents) {
  const folder = join(CACHE, `agents-${name.replaceAll(" ", "-")}-${AGENTS_VERSION}-${SHAPE.sessions}-${SHAPE.bytes}`);
  if (existsSync(folder)) return folder;
  process.stderr.write(`writing the history of ${name}\n`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  for (const agent of agents) writeHistory(part, agent, SHAPE);
  renameSync(part, folder);
  return folder;
}
