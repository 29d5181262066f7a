import { join } from "node:path";
import { findIn, taskFolders } from "../cline-format/find.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** Tasks of the extension in all editors, and those of Roo's CLI. They need not exist. */
export function rooRoots(environment: SourceEnvironment): readonly string[] {
  return [...taskFolders(environment, EXTENSIONS), join(environment.home, ".vscode-mock/global-storage/tasks")];
}

export function findRooTasks(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  return findIn(new Walk(), rooRoots(environment));
}

const EXTENSIONS = ["rooveterinaryinc.roo-cline", "rooveterinaryinc.roo-code-nightly"];
