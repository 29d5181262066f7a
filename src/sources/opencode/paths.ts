import { realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { databaseSidecars } from "../database.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { type Visit, Walk } from "../walk.ts";
import { folderNames, placeOfSession } from "./place.ts";
import { namedDatabase, type Program } from "./programs.ts";

/** Folders of the program's data, and that of a database that stands elsewhere. */
export function dataRoots(program: Program, environment: SourceEnvironment): readonly string[] {
  const named = namedDatabase(program, environment);
  const folders = program.dataFolders(environment);
  return named === undefined || folders.includes(dirname(named)) ? folders : [...folders, dirname(named)];
}

/** Databases first, then the sessions that stand in files, then what could not be looked at. */
export function findHistory(program: Program, environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const databases = new Set<string>();
  const sessions: string[] = [];
  const folders = program.dataFolders(environment);
  for (const folder of folders) walk.start(folder, lookInto(walk, program.database, databases, sessions));
  // In another folder only the database that is named is read, but if it can't be looked at, that is told.
  for (const folder of dataRoots(program, environment)) if (!folders.includes(folder)) walk.start(folder, {});
  for (const path of namedPaths(program, environment)) findNamed(path, walk, databases);
  return [...filesOf([...databases], sessions), ...walk.problems];
}

/** What there is to read in a database or a data folder, wherever it stands. */
export function findBelow(program: Program, path: string): readonly FoundFile[] {
  const databases = new Set<string>();
  const sessions: string[] = [];
  const walk = new Walk();
  walk.start(path, lookInto(walk, program.database, databases, sessions));
  if (program.database.test(basename(path))) findNamed(path, walk, databases);
  return filesOf([...databases], sessions);
}

const JSON_ENDING = ".json";

function filesOf(databases: readonly string[], sessions: readonly string[]): readonly FoundFile[] {
  const found = databases.map((path): FoundFile => ({ path, unit: "container", beside: databaseSidecars(path) }));
  return [...found, ...uncopied(sessions).map((path) => treeFile(path, databases))];
}

/** Takes what is in a data folder: databases, and the files that describe a session each, in both layouts. */
function lookInto(walk: Walk, database: RegExp, databases: Set<string>, sessions: string[]): Visit {
  const take = (path: string, name: string): void => void (name.endsWith(JSON_ENDING) && sessions.push(path));
  return {
    file: (path, name) => void (database.test(name) && databases.add(path)),
    folder: (path, name) => {
      if (name === "storage") walk.within(path, "session", walk.deep(1, take));
      if (name !== "project") return;
      walk.into(path, {
        folder: (project) => walk.within(project, join("storage", "session", "info"), { file: take }),
      });
    },
  };
}

/** A link may have any name where it leads, so the usual database is also looked up by its name. */
function namedPaths(program: Program, environment: SourceEnvironment): readonly string[] {
  const usual = program.dataFolders(environment).map((folder) => join(folder, program.usual));
  const named = namedDatabase(program, environment);
  return named === undefined ? usual : [...usual, named];
}

function findNamed(path: string, walk: Walk, databases: Set<string>): void {
  try {
    const real = walk.file(realpathSync(dirname(path)), basename(path));
    if (real !== undefined) databases.add(real);
  } catch {
    // The folder isn't there, or was reported when it was looked through.
  }
}

/** The newer layout first. The sessions of the oldest were copied into it, and a copy is read in its place. */
function uncopied(sessions: readonly string[]): readonly string[] {
  const isOldest = (path: string): boolean => placeOfSession(path).isOldest;
  const newer = sessions.filter((path) => !isOldest(path));
  const copied = new Set(newer.map((path) => basename(path)));
  return [...newer, ...sessions.filter((path) => isOldest(path) && !copied.has(basename(path)))];
}

/**
 * What shows that the session goes on: another message is another file in its folder, and the last one is written again
 * when all its parts are. Where there is a database, nothing is written to these files any more.
 */
function treeFile(path: string, databases: readonly string[]): FoundFile {
  const { messages, data } = placeOfSession(path);
  if (databases.some((database) => dirname(database) === data)) return { path, unit: "container" };
  const newest = folderNames(messages).at(-1);
  return { path, unit: "container", beside: newest === undefined ? [messages] : [messages, messages + sep + newest] };
}
