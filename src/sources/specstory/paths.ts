import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";
import { isHistory } from "./split.ts";

/** Where SpecStory writes in each folder worked in. They need not exist. */
export function specstoryRoots({ workFolders }: SourceEnvironment): readonly string[] {
  return workFolders.map((folder) => join(folder, HISTORY));
}

/** Histories by folder and name, then what could not be looked at. */
export function findHistories(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  for (const folder of environment.workFolders) {
    walk.start(join(folder, HISTORY), {
      file: (path, name) => {
        if (isName(name)) found.set(path, { path, unit: "container" });
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

/** A history of any name, known by how it begins, those in a folder, or those of a project. */
export function acceptHistories(path: string): readonly FoundFile[] {
  try {
    if (statSync(path).isFile()) return isSpecStory(path) ? [{ path: realpathSync(path), unit: "container" }] : [];
    const walk = new Walk();
    const found = new Map<string, FoundFile>();
    const take = (file: string, name: string): void => {
      if (isName(name) && isSpecStory(file)) found.set(file, { path: file, unit: "container" });
    };
    walk.start(join(path, HISTORY), { file: take });
    if (found.size === 0) walk.start(path, { file: take });
    return [...found.values()];
  } catch {
    return [];
  }
}

/** The folder that was worked in: the one in which SpecStory's own stands. */
export function workFolderOf(path: string): string | undefined {
  const folder = dirname(dirname(path));
  return basename(dirname(path)) === "history" && basename(folder) === ".specstory" ? dirname(folder) : undefined;
}

const HISTORY = join(".specstory", "history");
const LOOK_BYTES = 4_096;

/** SpecStory explains the folder in a hidden file. */
function isName(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".");
}

function isSpecStory(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(LOOK_BYTES);
    return isHistory(buffer.toString("utf8", 0, readSync(file, buffer, 0, LOOK_BYTES, 0)));
  } finally {
    closeSync(file);
  }
}
