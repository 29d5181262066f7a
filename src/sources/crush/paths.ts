import { join, resolve } from "node:path";
import { databaseSidecars } from "../database.ts";
import { fieldsOf, listOf, textOf } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/**
 * Crush's own folder, where settings may put all data, then the folders of projects that are known to it or to us, the
 * data of each in one database.
 */
export function crushRoots(environment: SourceEnvironment): readonly string[] {
  const global = globalFolder(environment);
  const listed = listedProjects(join(global, PROJECT_LIST)).map(({ dataFolder }) => dataFolder);
  const worked = environment.workFolders.map((folder) => join(folder, DATA_FOLDER));
  return [...new Set([global, ...listed, ...worked, join(environment.home, DATA_FOLDER)])];
}

/** Databases in the order of the roots, then what could not be looked at. */
export function findDatabases(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const list = join(globalFolder(environment), PROJECT_LIST);
  for (const folder of crushRoots(environment)) {
    walk.start(folder, {
      file: (path, name) => {
        // The list tells which project a database outside of its project belongs to.
        const beside = [...databaseSidecars(path), list];
        if (name === DATABASE) found.set(path, { path, unit: "container", beside });
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

/** A project as Crush lists it. */
export interface ListedProject {
  readonly path: string;
  /** Where its database is; absolute. */
  readonly dataFolder: string;
}

/** Projects in the list that Crush keeps of them; none where there is no such file. */
export function listedProjects(file: string): readonly ListedProject[] {
  return listOf(fieldsOf(readJsonFile(file)).projects).flatMap((entry) => {
    const { path, data_dir } = fieldsOf(entry);
    const project = textOf(path);
    if (project === undefined) return [];
    return [{ path: project, dataFolder: resolve(project, textOf(data_dir) ?? DATA_FOLDER) }];
  });
}

/** Name of the folder in a project, unless its settings say otherwise. */
export const DATA_FOLDER = ".crush";
export const PROJECT_LIST = "projects.json";

const DATABASE = "crush.db";

/** As in Crush's `GlobalConfigData`: the same rule on macOS as on Linux. */
function globalFolder({ home, platform, variables }: SourceEnvironment): string {
  const { CRUSH_GLOBAL_DATA, XDG_DATA_HOME, LOCALAPPDATA } = variables;
  if (CRUSH_GLOBAL_DATA) return CRUSH_GLOBAL_DATA;
  if (XDG_DATA_HOME) return join(XDG_DATA_HOME, "crush");
  if (platform === "win32") return join(LOCALAPPDATA || join(home, "AppData", "Local"), "crush");
  return join(home, ".local", "share", "crush");
}
