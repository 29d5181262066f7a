import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { bundle } from "./bundle.ts";

/**
 * Runs a module in a process whose clock stands in another time zone, and returns what it printed, as JSON.
 * `body` may import from the project's root.
 */
export async function runInZone(timeZone: string, body: string): Promise<unknown> {
  const program = await bundle(body);
  try {
    const run = spawnSync(process.execPath, [program], { env: { ...process.env, TZ: timeZone }, encoding: "utf8" });
    if (run.status !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout);
  } finally {
    rmSync(dirname(program), { recursive: true, force: true });
  }
}
