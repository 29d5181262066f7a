import { isAbsolute, join } from "node:path";
import { databaseSidecars } from "../database.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** Folders of threads, each followed by the one of text threads, of Zed and of its Flatpak. */
export function zedRoots(environment: SourceEnvironment): readonly string[] {
  return dataFolders(environment).flatMap((folder) => [join(folder, THREADS), textFolder(folder, environment)]);
}

/** The database of threads, then text threads by name, then what could not be looked at. */
export function findThreads(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  for (const folder of dataFolders(environment)) {
    walk.start(join(folder, THREADS), {
      file: (path, name) => {
        if (name === DATABASE) found.set(path, { path, unit: "container", beside: databaseSidecars(path) });
      },
    });
    walk.start(textFolder(folder, environment), {
      file: (path, name) => {
        if (name.endsWith(TEXT_THREAD)) found.set(path, { path, unit: "document" });
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

export const TEXT_THREAD = ".zed.json";

const THREADS = "threads";
const DATABASE = "threads.db";
const FLATPAK = [".var", "app", "dev.zed.Zed", "data", "zed"];

/** As in Zed's `paths` crate; stable and preview builds share the folder. */
function dataFolders({ home, platform, variables }: SourceEnvironment): readonly string[] {
  const { LOCALAPPDATA, FLATPAK_XDG_DATA_HOME = "", XDG_DATA_HOME = "" } = variables;
  if (platform === "darwin") return [join(home, "Library", "Application Support", "Zed")];
  if (platform === "win32") return [join(LOCALAPPDATA || join(home, "AppData", "Local"), "Zed")];
  const data = [FLATPAK_XDG_DATA_HOME, XDG_DATA_HOME].find((folder) => isAbsolute(folder));
  return [join(data ?? join(home, ".local", "share"), "zed"), join(home, ...FLATPAK)];
}

/** On macOS text threads lie with the settings. */
function textFolder(folder: string, { home, platform }: SourceEnvironment): string {
  return platform === "darwin" ? join(home, ".config", "zed", "conversations") : join(folder, "conversations");
}
