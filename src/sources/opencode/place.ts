import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Where the files of a session stand. */
export interface Place {
  /** The program's data folder, in which a database may stand. */
  readonly data: string;
  /** Folder with a file for each message. */
  readonly messages: string;
  /** The layout that was left in the middle of 2025. */
  readonly isOldest: boolean;
  /** Folder with a file for each part of a message. */
  parts(message: string): string;
}

/**
 * Layouts of `storage/`: `session/<project>/<session>.json`, `message/<session>/<message>.json` and
 * `part/<message>/<part>.json`; before, below `project/<folder>/storage/session/`: `info/<session>.json`,
 * `message/<session>/<message>.json` and `part/<session>/<message>/<part>.json`.
 *
 * `session` is the id, where the file's content tells another than its name.
 */
export function placeOfSession(path: string, session: string = basename(path, ".json")): Place {
  const folder = dirname(path);
  const isOldest = basename(folder) === "info" && basename(dirname(folder)) === "session";
  const above = dirname(folder);
  const storage = isOldest ? above : dirname(above);
  return {
    data: isOldest ? dirname(dirname(dirname(dirname(storage)))) : dirname(storage),
    messages: join(storage, "message", session),
    isOldest,
    parts: (message) => (isOldest ? join(storage, "part", session, message) : join(storage, "part", message)),
  };
}

/** Names of the JSON files in a folder, which sort by time; none where there is no such folder. */
export function folderNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    // A session without messages has no folder for them.
    return [];
  }
}
