import { basename, join, resolve } from "node:path";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { type Entry, Walk } from "../walk.ts";

/** Folders of live and of archived sessions. */
export function codexRoots(environment: SourceEnvironment): readonly string[] {
  const override = environment.variables.CODEX_HOME;
  const home = override === undefined || override === "" ? join(environment.home, ".codex") : resolve(override);
  return [join(home, "sessions"), join(home, "archived_sessions")];
}

/** Rollouts in the order of their folders and names, which begin with the date, then what could not be looked at. */
export function findRollouts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const rollouts: Entry[] = [];
  // Names of uncompressed files. A twin may lie in the other root: it is unpacked when its session goes on.
  const plain = new Set<string>();
  const take = (path: string, name: string): void => {
    if (!ROLLOUT.test(name)) return;
    rollouts.push({ path, name });
    if (!name.endsWith(ZSTD)) plain.add(name);
  };
  for (const root of roots) walk.start(root, walk.deep(MAX_DEPTH, take));
  const found = new Map<string, FoundFile>();
  for (const { path, name } of rollouts) {
    if (!name.endsWith(ZSTD)) found.set(path, { path, unit: name.endsWith(".json") ? "document" : "lines" });
    else if (!plain.has(name.slice(0, -ZSTD.length))) found.set(path, { path, unit: "lines", compression: "zstd" });
  }
  return [...found.values(), ...walk.problems];
}

/** The rollout that is named. Those of its subagents have names that do not tell whose they are. */
export function findNear({ path: named }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const found = within(codexRoots(environment), named);
  const name = found?.parts.at(-1) ?? "";
  if (found === undefined || found.parts.length > MAX_DEPTH + 1 || !ROLLOUT.test(name)) return [];
  return name.endsWith(".jsonl") ? [{ path: found.path, unit: "lines" }] : [];
}

/**
 * Id of the session a rollout's name tells: `rollout-<date>-<session>.jsonl`, with `_<rollout>` behind it where a
 * session was rewound into a new file. The bare name where it holds no UUID.
 */
export function fileSession(path: string): string {
  const name = basename(path);
  return UUID.exec(name)?.[0].toLowerCase() ?? name.replace(/\.jsonl?(\.zst)?$/, "");
}

const ZSTD = ".zst";
const ROLLOUT = /^rollout-.+\.(?:jsonl|jsonl\.zst|json)$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** `sessions/YYYY/MM/DD` is three deep. */
const MAX_DEPTH = 6;
