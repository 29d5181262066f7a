// Where the programs are: in a cache that `npm ci` of Yore sweeps away, at the versions of package-lock.json beside this.
import { copyFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installLocked, ROOT } from "../clients/installs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(ROOT, "node_modules", ".cache", "yore-agents");

export function installPrograms() {
  mkdirSync(cache, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    const own = readFileSync(join(here, file));
    if (!own.equals(readOrEmpty(join(cache, file)))) copyFileSync(join(here, file), join(cache, file));
  }
  // npm takes a folder that is reached through a link for a package that is linked.
  installLocked(realpathSync(cache));
}

/** Path of a file in a package. */
export function bin(path) {
  return join(cache, "node_modules", path);
}

export function versionOf(name) {
  return JSON.parse(readFileSync(bin(join(name, "package.json")), "utf8")).version;
}

function readOrEmpty(path) {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
