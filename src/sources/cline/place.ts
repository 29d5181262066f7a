import { basename, dirname, join } from "node:path";

/** What a path says of the messages of a session: `<root session>/<root session or agent>.messages.json`. */
export interface Place {
  readonly stem: string;
  /** Native id of the session whose folder it is. */
  readonly root: string;
  readonly manifest: string;
  readonly compaction: string;
}

export const MESSAGES = ".messages.json";
export const MANIFEST = ".json";
export const COMPACTION = ".compaction.json";

export function placeOf(path: string): Place {
  const folder = dirname(path);
  const root = basename(folder);
  return {
    root,
    stem: basename(path, MESSAGES),
    manifest: join(folder, root + MANIFEST),
    compaction: join(folder, root + COMPACTION),
  };
}
