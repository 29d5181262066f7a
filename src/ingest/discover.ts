import { realpathSync, type Stats, statSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import type { FoundFile, Source, SourceEnvironment } from "../sources/source.ts";

/** A file of some agent's history, as it is now. */
export interface Candidate {
  readonly source: Source;
  readonly file: FoundFile;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly bornMs: number;
}

export interface Discovery {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
  /** Folders of agents that were there to be looked in, with symbolic links resolved. */
  readonly roots: readonly string[];
}

/** Looks at every file of every source without opening any. A source that fails is a problem, not the end. */
export function discover(sources: readonly Source[], environment: SourceEnvironment): Discovery {
  const candidates: Candidate[] = [];
  const problems: { path: string; problem: string }[] = [];
  const roots: string[] = [];
  for (const source of sources) {
    try {
      roots.push(...source.roots(environment).flatMap((root) => realFolder(root) ?? []));
      for (const found of source.find(environment)) {
        if ("problem" in found) problems.push(found);
        else pushCandidate(candidates, problems, source, found);
      }
    } catch (error) {
      problems.push({ path: source.roots(environment)[0] ?? source.name, problem: describe(error) });
    }
  }
  return { candidates, problems, roots };
}

/** What went wrong with a file, without the text of the file. */
export function describe(error: unknown): string {
  if (error instanceof YoreError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code ?? (error instanceof Error ? error.name : "unknown error");
}

function pushCandidate(
  candidates: Candidate[],
  problems: { path: string; problem: string }[],
  source: Source,
  file: FoundFile,
): void {
  const stat = lookAt(file.path, problems);
  if (stat === undefined || !stat.isFile()) return;
  candidates.push({
    source,
    file,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: stat.ino,
    // A file that was restored or copied is younger than its content, and of the order only its time of writing is left.
    bornMs: Math.min(stat.birthtimeMs || stat.mtimeMs, stat.mtimeMs),
  });
}

function lookAt(path: string, problems: { path: string; problem: string }[]): Stats | undefined {
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
