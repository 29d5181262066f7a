import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "./program.mjs";

/**
 * Writes the most memory that a process had to a file when it ends. A process that was forked off begins with its
 * parent's peak in `maxRSS`; Linux keeps one that does not.
 */
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  const peak = () => {
    try {
      return Number(/^VmHWM:\\s+(\\d+) kB/m.exec(fs.readFileSync("/proc/self/status", "utf8"))[1]);
    } catch {
      return process.resourceUsage().maxRSS;
    }
  };
  process.on("exit", () => fs.writeFileSync(process.env.YORE_BENCH_PEAK, String(peak() * 1024)));
`)}`;

/** Built once: several runs over one store are of one program. */
let program;

/**
 * `yore index` by the program as it is shipped, over a home folder. Throws when it fails.
 *
 * @param {{ home: string, yoreHome: string }} staged
 * @returns {{ ms: number, peakBytes: number, sessions: number, messages: number, skippedLines: number }}
 */
export function indexRun({ home, yoreHome }) {
  const folder = mkdtempSync(join(tmpdir(), "yore-bench-"));
  const peakPath = join(folder, "peak");
  const env = { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC", YORE_BENCH_PEAK: peakPath };
  try {
    program ??= builtProgram();
    const started = performance.now();
    const run = spawnSync(process.execPath, ["--import", TELL_PEAK, program, "index", "--json"], {
      ...{ env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 50_000_000 },
    });
    const ms = performance.now() - started;
    if (run.status !== 0) throw new Error(`yore index ended with ${run.status ?? run.signal}: ${run.stderr}`);
    const { sessions, messages, skippedLines } = JSON.parse(run.stdout);
    return { ms, peakBytes: Number(readFileSync(peakPath, "utf8")), sessions, messages, skippedLines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
