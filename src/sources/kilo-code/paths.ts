import { join } from "node:path";
import { findIn, taskFolders } from "../cline-format/find.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** Tasks of the extension in all editors, and those of Kilo's first CLI. They need not exist. */
export function kiloRoots(environment: SourceEnvironment): readonly string[] {
  return [...taskFolders(environment, EXTENSIONS), join(environment.home, ".kilocode/cli/global/tasks")];
}

export function findKiloTasks(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  return findIn(new Walk(), kiloRoots(environment));
}

const EXTENSIONS = ["kilocode.kilo-code"];
