import { realpathSync, type Stats, statSync } from "node:fs";
import type { FoundFile, Source, SourceEnvironment } from "../sources/source.ts";
import type { SessionKey } from "../store/store.ts";
import type { Archived } from "./archive/reader.ts";
import { type Problem, problemOf } from "./problem.ts";

/** A file of some agent's history, or a part of one, as it is now. */
export interface Candidate {
  readonly source: Source;
  readonly file: FoundFile;
  /** Of a file with others beside it, the sum over all of them, and the latest time. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly bornMs: number;
  /** Of a part: what it is now, as its source tells it. */
  readonly revision?: string;
  /** Of a part: the session of another agent that it repeats. */
  readonly copyOf?: SessionKey;
  /** It is read from the archive, since the agent has it no more. */
  readonly archived?: Archived;
}

export interface Discovery {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly Problem[];
  /** Folders of agents that were there to be looked in, with symbolic links resolved. */
  readonly roots: readonly string[];
  /** Those among them that hold nothing but what agents write: neither projects nor the home folder. */
  readonly ownRoots: readonly string[];
}

/** What names a file in the store: of a part, the container's path and the part. */
export function keyOf({ path, part }: FoundFile): string {
  return part === undefined ? path : `${path}#${part}`;
}

/**
 * Looks at every file of every source without opening any; containers are not taken apart. A source that fails is a
 * problem, not the end.
 */
export function discover(sources: readonly Source[], environment: SourceEnvironment): Discovery {
  const candidates: Candidate[] = [];
  const problems: Problem[] = [];
  const roots = new Set<string>();
  const ownRoots = new Set<string>();
  const shared = new Set([environment.home, ...environment.workFolders]);
  for (const source of sources) {
    try {
      for (const root of source.roots(environment)) {
        const folder = realFolder(root);
        if (folder === undefined) continue;
        roots.add(folder);
        if (!shared.has(root)) ownRoots.add(folder);
      }
      // Links may lead to a file in several ways, and what is read twice in a pass is archived twice at once.
      const paths = new Set<string>();
      for (const found of source.find(environment)) {
        if ("problem" in found) {
          problems.push(found);
          continue;
        }
        if (paths.has(found.path)) continue;
        paths.add(found.path);
        const candidate = candidateFor(source, found, problems);
        if (candidate !== undefined) candidates.push(candidate);
      }
    } catch (error) {
      problems.push(problemOf(source.roots(environment)[0] ?? source.name, error));
    }
  }
  return { candidates, problems, roots: [...roots], ownRoots: [...ownRoots] };
}

/** An earlier look, and paths of files and of what stands beside them, at which something changed since. */
export interface Again {
  readonly found: Discovery;
  readonly changed: ReadonlySet<string>;
}

export interface SecondLook {
  /** The earlier look, with what changed as it is now. */
  readonly found: Discovery;
  /** What changed alone, without what is there no more. */
  readonly near: Discovery;
  /** Paths of the files that were looked at again. */
  readonly paths: readonly string[];
}

/** Looks again at those files that changed, or beside which something did. */
export function lookAgain({ found, changed }: Again): SecondLook {
  const problems: Problem[] = [];
  const before = found.candidates.filter(
    ({ file }) => changed.has(file.path) || file.beside?.some((path) => changed.has(path)) === true,
  );
  const now = new Map(before.map((one) => [one, candidatesFor(one.source, [one.file], problems)]));
  return {
    found: { ...found, candidates: found.candidates.flatMap((one) => now.get(one) ?? [one]) },
    near: { ...found, candidates: [...now.values()].flat(), problems },
    paths: before.map(({ file }) => file.path),
  };
}

/** Looks at files that a source found. Those that are not there are passed over. */
export function candidatesFor(source: Source, files: readonly FoundFile[], problems: Problem[]): Candidate[] {
  return files.flatMap((file) => candidateFor(source, file, problems) ?? []);
}

function candidateFor(source: Source, file: FoundFile, problems: Problem[]): Candidate | undefined {
  const stat = lookAt(file.path, problems);
  if (stat === undefined || !stat.isFile()) return undefined;
  // Of lines, the size tells what was added.
  const others = file.unit === "lines" ? [] : (file.beside ?? []);
  let { size, mtimeMs } = stat;
  for (const path of others) {
    const beside = lookAt(path, problems);
    size += beside?.size ?? 0;
    mtimeMs = Math.max(mtimeMs, beside?.mtimeMs ?? 0);
  }
  // A file that was restored or copied is younger than its content, and of the order only its time of writing is left.
  const bornMs = Math.min(stat.birthtimeMs || stat.mtimeMs, stat.mtimeMs);
  return { source, file, size, mtimeMs, inode: stat.ino, bornMs };
}

function lookAt(path: string, problems: Problem[]): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    problems.push(problemOf(path, error));
    return undefined;
  }
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    // The source tells what is wrong with it.
    return undefined;
  }
}
