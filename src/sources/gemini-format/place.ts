import { basename, dirname } from "node:path";

/** What the path of a chat tells. */
export interface Place {
  /** The file's name without its ending. */
  readonly stem: string;
  /** Native id of the session whose folder a subagent's chat stands in. */
  readonly parent: string | undefined;
  /** The project's folder below `tmp`: a hash of the project's path, or in newer versions a readable name. */
  readonly project: string;
}

export const CHATS = "chats";

/** `<project>/chats/<name>`, or `<project>/chats/<parent session>/<name>`. */
export function placeOf(path: string): Place {
  const stem = basename(path).replace(/\.jsonl?$/, "");
  const folder = dirname(path);
  const isNested = basename(folder) !== CHATS && basename(dirname(folder)) === CHATS;
  return {
    stem,
    parent: isNested ? basename(folder) : undefined,
    project: dirname(isNested ? dirname(folder) : folder),
  };
}
