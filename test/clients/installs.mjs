// Yore as built, and the installing of real programs from a lock file.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const YORE = join(ROOT, "dist", "bin", "yore.js");
export const MCP = join(ROOT, "dist", "bin", "mcp.js");

/** Why programs that were built for one system cannot run here; undefined where they can. */
export function reasonToSkip() {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== "linux-x64") return `the programs are installed for linux-x64, and this is ${platform}`;
  const { glibcVersionRuntime } = process.report.getReport().header;
  return glibcVersionRuntime === undefined ? "the programs need glibc, and this Linux has none" : undefined;
}

/** Installs what the lock file in `folder` names, unless what is there is newer. Throws when npm fails. */
export function installLocked(folder) {
  const installed = join(folder, "node_modules", ".package-lock.json");
  if (modified(installed) >= modified(join(folder, "package-lock.json"))) return;
  // The engines that npm would warn of are those that get a newer Node from the same lock file.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"];
  runToEnd("npm", ["ci", "--prefix", folder, ...flags]);
}

/** Builds Yore unless the build is newer than all that it is made of. Throws when that fails. */
export function buildYore() {
  const built = Math.min(modified(YORE), modified(MCP));
  if (built < newestIn(join(ROOT, "src"))) runToEnd(process.execPath, [join(ROOT, "scripts", "build.mjs")]);
}

function runToEnd(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: "utf8" });
  assert.ok(status === 0, `\`${[basename(command), ...args].join(" ")}\` failed\n${error ?? `${stdout}${stderr}`}`);
}

function newestIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => modified(join(folder, name)))
    .reduce((newest, time) => Math.max(newest, time), 0);
}

/** 0 where there is no such file. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
