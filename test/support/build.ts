import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM, ROOT } from "./program.ts";

/** Builds the program before the end-to-end tests, unless the build is newer than all that it is made of. */
export function setup(): void {
  const sources = ["src", "scripts"].flatMap((folder) => filesBelow(join(ROOT, folder)));
  const newest = Math.max(...[...sources, join(ROOT, "package.json")].map(writtenAt));
  if (writtenAt(PROGRAM) > newest) return;
  execFileSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { cwd: ROOT, stdio: "inherit" });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

/** 0 for a file that is not there. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
