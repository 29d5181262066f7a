import { isAbsolute, join } from "node:path";
import { databaseSidecars } from "../database.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/**
 * Goose's own folder of sessions, on macOS by the rule of Linux, and the one of its first versions. A root that isn't
 * absolute is passed over by Goose.
 */
export function gooseRoots({ home, platform, variables }: SourceEnvironment): readonly string[] {
  const { GOOSE_PATH_ROOT = "", XDG_DATA_HOME = "", XDG_CONFIG_HOME = "", APPDATA } = variables;
  if (isAbsolute(GOOSE_PATH_ROOT)) return [join(GOOSE_PATH_ROOT, "data", SESSIONS)];
  if (platform === "win32") {
    return [join(APPDATA || join(home, "AppData", "Roaming"), "Block", "goose", "data", SESSIONS)];
  }
  const data = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home, ".local", "share");
  const config = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, ".config");
  return [join(data, "goose", SESSIONS), join(config, "goose", SESSIONS)];
}

/** The database and the transcripts that were there before it, by folder and name, then what could not be looked at. */
export function findSessions(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  for (const root of gooseRoots(environment)) {
    walk.start(root, {
      file: (path, name) => {
        if (name === DATABASE) found.set(path, { path, unit: "container", beside: databaseSidecars(path) });
        // Goose writes the whole file at every message.
        else if (name.endsWith(".jsonl")) found.set(path, { path, unit: "log" });
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

const SESSIONS = "sessions";
const DATABASE = "sessions.db";
