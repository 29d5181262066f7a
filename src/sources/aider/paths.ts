import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { hasHeading } from "./sections.ts";

/** Aider writes in the root of the repository, else in the folder it was started in. */
export function aiderRoots({ home, workFolders }: SourceEnvironment): readonly string[] {
  return [...new Set([...workFolders, home])];
}

/** One history for each folder worked in, in the order of the folders, then what could not be looked at. */
export function findHistories(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const found = new Map<string, FoundFile>();
  const problems: FindProblem[] = [];
  const name = environment.variables.AIDER_CHAT_HISTORY_FILE || CHAT_HISTORY;
  for (const folder of aiderRoots(environment)) {
    try {
      const path = realFile(resolve(folder, name));
      if (path !== undefined) found.set(path, containerOf(path));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      if (code !== "ENOENT" && code !== "ENOTDIR") problems.push({ problem: `cannot be read (${code})`, path: folder });
    }
  }
  return [...found.values(), ...problems];
}

/** A chat history of any name, known by its first heading, or the one in a folder. */
export function acceptHistory(path: string): readonly FoundFile[] {
  try {
    const stats = statSync(path);
    const file = realFile(stats.isDirectory() ? join(path, CHAT_HISTORY) : path);
    if (file === undefined) return [];
    return basename(file) === CHAT_HISTORY || hasHeading(beginningOf(file)) ? [containerOf(file)] : [];
  } catch {
    return [];
  }
}

const CHAT_HISTORY = ".aider.chat.history.md";
const LOOK_BYTES = 65_536;

function containerOf(path: string): FoundFile {
  return { path, unit: "container" };
}

function realFile(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? realpathSync(path) : undefined;
}

function beginningOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(LOOK_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, LOOK_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
