import { basename, dirname, join, sep } from "node:path";

/** What a transcript's path says about it. */
export interface Place {
  readonly kind: "main" | "subagent" | "suggestion";
  readonly path: string;
  /** File name without `.jsonl`. */
  readonly stem: string;
  /** Native id of the session the file is, or stands under. In the flat layout only the lines say it. */
  readonly session: string | undefined;
  /** Name of the folder below `projects`, which stands for the folder worked in. */
  readonly folderName: string | undefined;
}

export function placeOf(path: string): Place {
  const stem = basename(path).replace(/\.jsonl$/, "");
  const folderName = projectFolderOf(path);
  if (!stem.startsWith(AGENT)) return { kind: "main", path, stem, session: stem, folderName };
  const kind = stem.startsWith(SUGGESTION) ? "suggestion" : "subagent";
  const folder = sessionFolderOf(path);
  return { kind, path, stem, session: folder === undefined ? undefined : basename(folder), folderName };
}

/** The folder beside a session's main transcript that holds its subagents and large tool outputs. */
export function companionFolder(place: Place, session: string): string | undefined {
  const folder = place.kind === "main" ? undefined : sessionFolderOf(place.path);
  if (folder !== undefined) return folder;
  return SAFE_NAME.test(session) ? join(dirname(place.path), session) : undefined;
}

export const SUBAGENTS = "subagents";
export const AGENT = "agent-";
/** An agent that guesses the next prompt. Its first line may hold the end of the parent's turn: see README.md. */
export const SUGGESTION = "agent-aprompt_suggestion-";
/** An agent that writes a compaction summary, which the parent's transcript repeats. */
export const COMPACTION = "agent-acompact-";

const SAFE_NAME = /^[\w-]+$/;
/** Workflow agents stand three folders below their session. */
const MAX_LEVELS = 5;

function projectFolderOf(path: string): string | undefined {
  const parts = path.split(sep);
  const at = parts.lastIndexOf("projects");
  return at === -1 || at + 2 > parts.length - 1 ? undefined : parts[at + 1];
}

/** `…/<session>` for `…/<session>/subagents/[…/]agent-x.jsonl`. */
function sessionFolderOf(path: string): string | undefined {
  let folder = dirname(path);
  for (let level = 0; level < MAX_LEVELS; level++) {
    const name = basename(folder);
    if (name === SUBAGENTS) return dirname(folder);
    // Above this the names are the user's own.
    if (name === "projects" || name === "") return undefined;
    folder = dirname(folder);
  }
  return undefined;
}
