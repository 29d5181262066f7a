import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseSidecars } from "../database.ts";
import type { Program } from "./programs.ts";
import { sessionsIn } from "./tables.ts";

/** Whether a database in the data folder holds the session. */
export function isMoved(session: string, folder: string, program: Program): boolean {
  return databasesIn(folder, program).some((path) => sessionsOf(path).has(session));
}

const NONE: ReadonlySet<string> = new Set();
/**
 * What the databases hold, as they were when they were looked into. There is a file for every session, and to open a
 * database may mean to copy it.
 */
const looked = new Map<string, { readonly stamp: string; readonly sessions: ReadonlySet<string> }>();

function databasesIn(folder: string, { database }: Program): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => database.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // Files that a person put elsewhere have no data folder above them that can be looked at.
    return [];
  }
}

function sessionsOf(path: string): ReadonlySet<string> {
  const stamp = [path, ...databaseSidecars(path)].map(stampOf).join(" ");
  const known = looked.get(path);
  if (known?.stamp === stamp) return known.sessions;
  const sessions = lookInto(path);
  looked.set(path, { stamp, sessions });
  return sessions;
}

function lookInto(path: string): ReadonlySet<string> {
  try {
    return sessionsIn(path);
  } catch {
    // Whoever reads the database reports it. What is then told twice has the same ids.
    return NONE;
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return `${stats?.size}:${stats?.mtimeMs}:${stats?.ino}`;
}
