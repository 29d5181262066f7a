import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve, sep as SEPARATOR } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";

/** Folders of live and of archived sessions. */
export function codexRoots(environment: SourceEnvironment): readonly string[] {
  const override = environment.variables.CODEX_HOME;
  const home = override === undefined || override === "" ? join(environment.home, ".codex") : resolve(override);
  return [join(home, "sessions"), join(home, "archived_sessions")];
}

/**
 * Rollouts in the order of their folders and names, which begin with the date, then what could not be looked at.
 *
 * Runs before every query: one `readdir` a folder, and a closer look only at symbolic links.
 */
export function findRollouts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk: Walk = { files: [], problems: [], folders: new Set(), plain: new Set() };
  for (const root of roots) walkLink(root, 0, walk);
  const found = new Map<string, FoundFile>();
  for (const { path, name } of walk.files) {
    if (!name.endsWith(ZSTD)) found.set(path, { path, unit: name.endsWith(".json") ? "document" : "lines" });
    else if (!walk.plain.has(name.slice(0, -ZSTD.length)))
      found.set(path, { path, unit: "lines", compression: "zstd" });
  }
  return [...found.values(), ...walk.problems];
}

/**
 * Id of the session a rollout's name tells: `rollout-<date>-<session>.jsonl`, with `_<rollout>` behind it where a
 * session was rewound into a new file. The bare name where it holds no UUID.
 */
export function fileSession(path: string): string {
  const name = basename(path);
  return UUID.exec(name)?.[0].toLowerCase() ?? name.replace(/\.jsonl?(\.zst)?$/, "");
}

interface Walk {
  readonly files: { readonly path: string; readonly name: string }[];
  readonly problems: FindProblem[];
  /** Folders that were walked: a link may lead to one twice, or back up. */
  readonly folders: Set<string>;
  /** Names of uncompressed files. A twin may lie in the other root: it is unpacked when its session goes on. */
  readonly plain: Set<string>;
}

const ZSTD = ".zst";
const ROLLOUT = /^rollout-.+\.(?:jsonl|jsonl\.zst|json)$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** `sessions/YYYY/MM/DD` is three deep. */
const MAX_DEPTH = 6;

function walkFolder(folder: string, depth: number, walk: Walk): void {
  if (walk.folders.has(folder)) return;
  walk.folders.add(folder);
  for (const entry of entriesOf(folder, walk)) {
    const path = `${folder}${SEPARATOR}${entry.name}`;
    if (entry.isFile()) keep(path, entry.name, walk);
    else if (depth >= MAX_DEPTH) continue;
    else if (entry.isDirectory()) walkFolder(path, depth + 1, walk);
    else walkLink(path, depth + 1, walk);
  }
}

/**
 * Roots and links are resolved, and entries of file systems that don't say what they are; what lies below a resolved
 * folder needs no resolving.
 */
function walkLink(path: string, depth: number, walk: Walk): void {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) walkFolder(real, depth, walk);
    else if (stats.isFile()) keep(real, basename(real), walk);
  } catch (error) {
    report(path, error, walk);
  }
}

function keep(path: string, name: string, walk: Walk): void {
  if (!ROLLOUT.test(name)) return;
  walk.files.push({ path, name });
  if (!name.endsWith(ZSTD)) walk.plain.add(name);
}

function entriesOf(folder: string, walk: Walk): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(folder, error, walk);
    return [];
  }
}

/** A folder that isn't there holds nothing; only one that can't be looked into is a problem. */
function report(path: string, error: unknown, walk: Walk): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (code !== "ENOENT") walk.problems.push({ problem: `cannot be read (${code})`, path });
}
