import { realpathSync, type Stats, statSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import type { FoundFile, Source, SourceEnvironment } from "../sources/source.ts";
import type { SessionKey } from "../store/store.ts";
import type { Archived } from "./archive/reader.ts";

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
}

export interface Problem {
  readonly path: string;
  readonly problem: string;
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
  const roots: string[] = [];
  for (const source of sources) {
    try {
      roots.push(...source.roots(environment).flatMap((root) => realFolder(root) ?? []));
      for (const found of source.find(environment)) {
        if ("problem" in found) problems.push(found);
        else candidates.push(...candidatesFor(source, [found], problems));
      }
    } catch (error) {
      problems.push({ path: source.roots(environment)[0] ?? source.name, problem: describe(error) });
    }
  }
  return { candidates, problems, roots };
}

/** An earlier look, and the paths at which something changed since. */
export interface Again {
  readonly found: Discovery;
  readonly changed: ReadonlySet<string>;
}

/** The earlier look with those files looked at again that changed, or beside which something did. */
export function lookAgain({ found, changed }: Again): Discovery {
  const problems: Problem[] = [...found.problems];
  const candidates = found.candidates.flatMap((candidate) => {
    const { source, file } = candidate;
    const isChanged = changed.has(file.path) || file.beside?.some((path) => changed.has(path)) === true;
    return isChanged ? candidatesFor(source, [file], problems) : [candidate];
  });
  return { ...found, candidates, problems };
}

/** Looks at files that a source found. Those that are not there are passed over. */
export function candidatesFor(source: Source, files: readonly FoundFile[], problems: Problem[]): Candidate[] {
  return files.flatMap((file): Candidate[] => {
    const stat = lookAt(file.path, problems);
    if (stat === undefined || !stat.isFile()) return [];
    // Of lines, the size tells what was added.
    const others = file.unit === "lines" ? [] : (file.beside ?? []);
    const beside = others.flatMap((path) => lookAt(path, problems) ?? []);
    return [
      {
        source,
        file,
        size: stat.size + beside.reduce((sum, one) => sum + one.size, 0),
        mtimeMs: Math.max(stat.mtimeMs, ...beside.map((one) => one.mtimeMs)),
        inode: stat.ino,
        // A file that was restored or copied is younger than its content, and of the order only its time of writing is
        // left.
        bornMs: Math.min(stat.birthtimeMs || stat.mtimeMs, stat.mtimeMs),
      },
    ];
  });
}

/** What went wrong with a file, without the text of the file. */
export function describe(error: unknown): string {
  if (error instanceof YoreError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code ?? (error instanceof Error ? error.name : "unknown error");
}

function lookAt(path: string, problems: Problem[]): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    problems.push({ path, problem: describe(error) });
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
