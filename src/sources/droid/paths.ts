import { join, resolve } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** `sessions`, and `projects`, which the hooks' documentation names. They need not exist. */
export function droidRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const override = variables.FACTORY_HOME_OVERRIDE;
  const folder = join(override === undefined || override === "" ? home : resolve(override), ".factory");
  return [join(folder, "sessions"), join(folder, "projects")];
}

/**
 * Transcripts in stable order, then what could not be looked at. A file whose name stands in an earlier root too is its
 * copy.
 */
export function findTranscripts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const names = new Set<string>();
  const files: FoundFile[] = [];
  for (const root of roots) {
    const found = new Map<string, string>();
    const take = (path: string, name: string): void => {
      if (name.endsWith(".jsonl") && !names.has(name)) found.set(path, name);
    };
    walk.start(root, walk.deep(MAX_DEPTH, take));
    for (const [path, name] of found) {
      names.add(name);
      files.push({ path, unit: "lines" });
    }
  }
  return [...files, ...walk.problems];
}

/** `<folder of the working folder>/<session>.jsonl` is one deep; the first version had no folders. */
const MAX_DEPTH = 4;
