import { realpathSync, type Stats, statSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import { looksExported } from "../ingest/export-lines.ts";
import { type Problem, problemOf } from "../ingest/problem.ts";
import type { ProblemKind } from "../sources/problem.ts";
import type { FoundFile, Source } from "../sources/source.ts";

/** A file that a source takes. */
interface Accepted {
  readonly source: Source;
  readonly file: FoundFile;
}

/** Paths that a person named, with those apart at which an export of ours stands. */
export function findExports(paths: readonly string[]): { readonly exports: string[]; readonly others: string[] } {
  const exports: string[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const kind = statSync(realPath(path)).isFile() ? looksExported(realPath(path)) : "no";
    if (kind === "too-new")
      throw new YoreError("bad-input", `${path} is an export by a newer version of yore.`, { hint: "Update yore." });
    (kind === "yes" ? exports : others).push(path);
  }
  return { exports, others };
}

/** What the sources make of paths that a person named. Throws where one is not there or is of no known kind. */
export function acceptPaths(sources: readonly Source[], paths: readonly string[]): readonly Accepted[] {
  return paths.flatMap((path) => {
    const real = realPath(path);
    const refusals: Problem[] = [];
    const accepted = sources.flatMap((source) => acceptedBy(source, real, refusals));
    if (accepted.length > 0) return accepted;
    const [refusal] = refusals;
    if (refusal !== undefined) throw refused(refusal, real, path);
    const kinds = sources.filter((source) => source.accept !== undefined).map((source) => source.name);
    throw new YoreError("bad-input", `Nothing was found in ${path} that can be imported.`, {
      hint: `What can be: ${kinds.join(", ")}, and what \`yore export\` wrote. The histories of agents are read by themselves, with \`yore index\`.`,
    });
  });
}

/** What one source cannot make sense of, another may. */
function acceptedBy(source: Source, path: string, refusals: Problem[]): readonly Accepted[] {
  try {
    return (source.accept?.(path) ?? []).map((file) => ({ source, file }));
  } catch (error) {
    const at = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : path;
    refusals.push(problemOf(at, error));
    return [];
  }
}

/** A path that is the one that was named is told as it was named. */
function refused({ path, problem, kind }: Problem, real: string, named: string): YoreError {
  const at = path === real ? named : path;
  if (kind === undefined) return new YoreError("unreadable", `${at} could not be read (${problem}).`);
  const hint = HINTS[kind];
  return new YoreError("bad-input", `${at} ${problem}.`, hint === undefined ? {} : { hint });
}

const HINTS: { readonly [kind in ProblemKind]?: string } = {
  damaged: "If it was downloaded, download it once more.",
  packed: "Unpack it, and import the folder.",
};

function realPath(path: string): string {
  const { real, stats } = lookAt(path);
  if (!stats.isFile() && !stats.isDirectory())
    throw new YoreError("bad-input", `${path} is neither a file nor a folder.`);
  return real;
}

function lookAt(path: string): { readonly real: string; readonly stats: Stats } {
  try {
    const real = realpathSync(path);
    return { real, stats: statSync(real) };
  } catch (error) {
    throw new YoreError("not-found", `There is no file or folder ${path}.`, { cause: error });
  }
}
