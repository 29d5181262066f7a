import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./lib/build.mjs";
import { childReport, interleaved, median, walk } from "./lib/measure.mjs";
import { large, MIXED, stage } from "./lib/stage.mjs";

const CHILD = fileURLToPath(new URL("./lib/child.mjs", import.meta.url));
const SAMPLES = join(ROOT, "..", "shared", "samples", "home");

/**
 * Reading all history for the first time, against reading and parsing the same files.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function coldIndex({ rounds, observations, options }) {
  const homes = [["synthetic", stage(MIXED).home, rounds]];
  if (existsSync(SAMPLES)) homes.unshift(["real transcripts", SAMPLES, rounds]);
  // Minutes of work, so only when asked for.
  if (options.big) homes.push(["big synthetic", stage(large(observations)).home, 1]);
  const rows = [];
  for (const [name, home, times] of homes) rows.push(...(await measure(name, home, times)));
  return rows;
}

async function measure(name, home, rounds) {
  const yoreHome = mkdtempSync(join(tmpdir(), "yore-bench-"));
  const env = { PATH: process.env.PATH, HOME: home, YORE_HOME: join(yoreHome, "yore") };
  let last = { bytes: 0, peakBytes: 0 };
  let peakBytes = 0;
  const cpuMs = { index: [], parse: [] };
  const index = () => {
    rmSync(env.YORE_HOME, { recursive: true, force: true });
    last = childReport(CHILD, ["index"], env);
    peakBytes = Math.max(peakBytes, last.peakBytes);
    cpuMs.index.push(last.cpuMs);
    return last.ms;
  };
  const parse = () => {
    const report = childReport(CHILD, ["parse"], env);
    cpuMs.parse.push(report.cpuMs);
    return report.ms;
  };
  try {
    const taken = await interleaved({ parse, index }, rounds);
    const stored = walk(env.YORE_HOME).reduce((sum, file) => sum + file.size, 0);
    const megabytes = `${Math.round(last.bytes / 1e6)} MB`;
    return [
      {
        what: `cold index, ${name}, ${megabytes}`,
        value: median(taken.index),
        unit: "ms",
        against: { what: "read + JSON.parse", value: median(taken.parse), unit: "ms" },
        budget: { kind: "ratio", most: 5 },
      },
      {
        what: `cold index, processor time, ${name}`,
        value: median(cpuMs.index),
        unit: "ms",
        against: { what: "read + JSON.parse", value: median(cpuMs.parse), unit: "ms" },
      },
      {
        what: `peak memory, ${name}`,
        value: peakBytes,
        unit: "bytes",
        budget: { kind: "value", most: 300 * 1_048_576 },
      },
      {
        what: `store size, ${name}`,
        value: (100 * stored) / last.bytes,
        unit: "%",
        budget: { kind: "value", most: 45 },
      },
    ];
  } finally {
    rmSync(yoreHome, { recursive: true, force: true });
  }
}
