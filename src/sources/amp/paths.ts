import { join, resolve } from "node:path";
import { editorFolders } from "../editors.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** Folders of threads: the central one, then those of the extension's first versions in each editor. */
export function ampRoots(environment: SourceEnvironment): readonly string[] {
  const { home, variables } = environment;
  const data = variables.XDG_DATA_HOME?.trim() ? resolve(variables.XDG_DATA_HOME) : join(home, ".local", "share");
  const folders = editorFolders(environment).map((user) => join(user, "globalStorage", EXTENSION));
  return [
    join(data, "amp", "threads"),
    ...folders.flatMap((folder) => EDITOR_FOLDERS.map((name) => join(folder, name))),
  ];
}

/** Threads in the order of the roots, then by name, then what could not be looked at. */
export function findThreads(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const file = (path: string, name: string): void => {
    if (THREAD.test(name)) found.set(path, { path, unit: "document" });
  };
  for (const root of ampRoots(environment)) walk.start(root, { file });
  return [...found.values(), ...walk.problems];
}

/** Id of the thread that a file is named after. */
export function threadOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.json$/, "");
}

const EXTENSION = "sourcegraph.amp";
const EDITOR_FOLDERS = ["threads3", "threads3-development"];
const THREAD = /^T-[\w-]+\.json$/;
