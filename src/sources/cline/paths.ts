import { join, resolve } from "node:path";
import { findTasks, taskFolders } from "../cline-format/find.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";
import { COMPACTION, MANIFEST, MESSAGES } from "./place.ts";

/** Tasks of the extension in all editors, tasks below Cline's own folder, and the sessions of its SDK. */
export function clineRoots(environment: SourceEnvironment): readonly string[] {
  return [...clineTaskFolders(environment), sessionsFolder(environment)];
}

/** Histories of tasks, then the messages of sessions, in stable order, then what could not be looked at. */
export function findClineHistory(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  findTasks(walk, clineTaskFolders(environment), found);
  const session = (folder: string, root: string): void => {
    const beside = [join(folder, root + MANIFEST), join(folder, root + COMPACTION)];
    walk.into(folder, {
      file: (path, name) => {
        if (name.endsWith(MESSAGES)) found.set(path, { path, unit: "document", beside });
      },
    });
  };
  walk.start(sessionsFolder(environment), { folder: session });
  return [...found.values(), ...walk.problems];
}

const EXTENSIONS = ["saoudrizwan.claude-dev", "saoudrizwan.cline-nightly"];

function clineTaskFolders(environment: SourceEnvironment): readonly string[] {
  return [...taskFolders(environment, EXTENSIONS), join(dataFolder(environment), "tasks")];
}

function sessionsFolder(environment: SourceEnvironment): string {
  return named(environment.variables.CLINE_SESSION_DATA_DIR) ?? join(dataFolder(environment), "sessions");
}

function dataFolder({ home, variables }: SourceEnvironment): string {
  return named(variables.CLINE_DATA_DIR) ?? join(named(variables.CLINE_DIR) ?? join(home, ".cline"), "data");
}

function named(folder: string | undefined): string | undefined {
  const path = folder?.trim();
  return path ? resolve(path) : undefined;
}
