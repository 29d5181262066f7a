// `npm start -- <command>`: builds when something is newer than the last build, then runs the built program.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const program = join(root, "dist", "bin", "yore.js");

if (newest(join(root, "src")) > (statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0)) {
  process.stderr.write("Building yore (once)…\n");
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
const run = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(run.status ?? 1);

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), 0);
}
