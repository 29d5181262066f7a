import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Fetches a package, unless it is there, and returns the folder of its files.
 *
 * @param {{ from: "npm" | "debian", name: string, version: string, integrity: string }} wanted `integrity` of the archive.
 * @param {string} work A folder to keep it in.
 */
export function fetchPackage(wanted, work) {
  const { from, name, version, integrity } = wanted;
  const folder = join(work, "packages", `${name.replace("/", "+")}@${version.replace(":", "+")}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.tmp`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, "files"), { recursive: true });
  if (from === "debian") quietly("apt-get", ["download", "-qq", `${name}=${version}`], draft);
  else quietly("npm", ["pack", `${name}@${version}`, "--ignore-scripts", "--silent"], draft);
  const archive = join(draft, readdirSync(draft).find((file) => /\.(?:tgz|deb)$/.test(file)) ?? "");
  const [algorithm] = integrity.split("-");
  const found = `${algorithm}-${createHash(algorithm).update(readFileSync(archive)).digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${name}@${version} has the integrity ${found}, and ${integrity} was expected`);
  // The folder in an npm archive is not always called `package`.
  if (from === "debian") quietly("dpkg-deb", ["-x", archive, "files"], draft);
  else quietly("tar", ["-xzf", archive, "-C", "files", "--strip-components=1"], draft);
  renameSync(join(draft, "files"), folder);
  rmSync(draft, { recursive: true });
  return folder;
}

function quietly(command, given, cwd) {
  execFileSync(command, given, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
