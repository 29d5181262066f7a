import { spawnSync } from "node:child_process";
import { buildSync } from "esbuild";

/**
 * Runs a module in a process whose clock stands in another time zone, and returns what it printed, as JSON.
 * `body` may import from the project's root.
 */
export function runInZone(timeZone: string, body: string): unknown {
  const { outputFiles } = buildSync({
    stdin: { contents: body, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  const run = spawnSync(process.execPath, ["--input-type=module", "-"], {
    input: outputFiles[0]?.text ?? "",
    env: { ...process.env, TZ: timeZone },
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}
