import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findInIndex, type IndexedFile } from "../core/git-index.ts";
import type { WorkingTree } from "./trees.ts";

/** A longer list is of a repository that is too large to be looked through while someone waits. */
const MAX_INDEX_BYTES = 8_000_000;
/** Files that are looked at. */
const MAX_FILES = 300;

/**
 * Those of `paths`, which are relative to the top of a working tree, that are not as git saw them last: changed, new or
 * gone. No program is started, so that a file that was only touched counts too. Empty where nothing can be told.
 */
export function changedAmong({ top, gitDirectory }: WorkingTree, paths: readonly string[]): ReadonlySet<string> {
  const asked = [...new Set(paths)].filter(isInside).slice(0, MAX_FILES);
  const known = asked.length === 0 ? undefined : indexOf(gitDirectory, new Set(asked));
  if (known === undefined) return new Set();
  return new Set(asked.filter((path) => isChanged(join(top, path), known.get(path))));
}

function isInside(path: string): boolean {
  return path !== "" && !/^(?:[/~]|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path);
}

function indexOf(gitDirectory: string, wanted: ReadonlySet<string>): ReadonlyMap<string, IndexedFile> | undefined {
  try {
    const path = join(gitDirectory, "index");
    return statSync(path).size > MAX_INDEX_BYTES ? undefined : findInIndex(readFileSync(path), wanted);
  } catch {
    return undefined;
  }
}

function isChanged(path: string, known: IndexedFile | undefined): boolean {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined || known === undefined) return (stat === undefined) !== (known === undefined);
    const nanoseconds = Number(stat.mtimeNs % 1_000_000_000n);
    return (
      Number(stat.size % 0x1_0000_0000n) !== known.size ||
      Number(stat.mtimeNs / 1_000_000_000n) % 0x1_0000_0000 !== known.seconds ||
      (known.nanoseconds !== 0 && nanoseconds !== known.nanoseconds)
    );
  } catch {
    return false;
  }
}
