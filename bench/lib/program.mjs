import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./build.mjs";

const YORE = join(ROOT, "dist", "bin", "yore.js");

/** Builds the program when it is older than its source. Throws when it does not build. */
export function builtProgram() {
  if (newest(join(ROOT, "src")) <= (statSync(YORE, { throwIfNoEntry: false })?.mtimeMs ?? 0)) return YORE;
  process.stderr.write("building the program\n");
  const run = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`The program does not build:\n${run.stderr}`);
  return YORE;
}

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
}
