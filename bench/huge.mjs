import { mkdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { HISTORIES, writeHistory } from "./corpus/agents.mjs";
import { CACHE } from "./lib/build.mjs";
import { indexRun } from "./lib/index-run.mjs";
import { walk } from "./lib/measure.mjs";

const SESSIONS = 5_000;
/** Room that must be free for each byte of history: the history, its store and its archive, and some to spare. */
const ROOM = 2.5;
/** Bytes on disk for each byte of text, over all formats. */
const OVERHEAD = 1.75;

/**
 * A history of many gigabytes over many agents: its first reading, and one more look at it. Removed afterwards.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function huge({ options: { gigabytes, keep } }) {
  const bytes = gigabytes * 1e9;
  mkdirSync(CACHE, { recursive: true });
  const { bavail, bsize } = statfsSync(CACHE);
  if (bavail * bsize < bytes * ROOM) throw new Error(`${Math.ceil((bytes * ROOM) / 1e9)} GB must be free on the disk`);
  const home = join(CACHE, "huge");
  const staged = { home, yoreHome: `${home}-yore` };
  const remove = () => {
    for (const folder of Object.values(staged)) rmSync(folder, { recursive: true, force: true });
  };
  try {
    remove();
    const agents = Object.keys(HISTORIES);
    const shape = {
      sessions: Math.ceil((SESSIONS * Math.min(1, gigabytes / 10)) / agents.length),
      bytes: bytes / OVERHEAD / agents.length,
    };
    for (const agent of agents) {
      process.stderr.write(`writing the history of ${agent}\n`);
      writeHistory(home, agent, shape);
    }
    return measure(staged);
  } finally {
    if (!keep) remove();
  }
}

function measure(staged) {
  const size = sizeOf(staged.home);
  process.stderr.write(`reading ${Math.round(size / 1e6)} MB\n`);
  const first = indexRun(staged);
  const again = indexRun(staged);
  const what = `${Math.round(size / 1e6)} MB, ${first.sessions} sessions, ${first.messages} messages`;
  const memory = { kind: "value", most: 300 * 1_048_576 };
  return [
    { what: `first reading, ${what}`, value: first.ms, unit: "ms" },
    { what: "first reading, speed", value: size / 1e6 / (first.ms / 1_000), unit: "MB/s" },
    { what: "peak memory, first reading", value: first.peakBytes, unit: "bytes", budget: memory },
    { what: "nothing changed, whole process", value: again.ms, unit: "ms" },
    { what: "peak memory, nothing changed", value: again.peakBytes, unit: "bytes", budget: memory },
    { what: "store and archive", value: (100 * sizeOf(staged.yoreHome)) / size, unit: "%" },
  ];
}

function sizeOf(folder) {
  return walk(folder).reduce((sum, file) => sum + file.size, 0);
}
