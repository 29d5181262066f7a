/** What the path of a file says of it. */
export interface Place {
  /** `text`: a transcript of the first kind. `state`: an editor's database. `chat`: the database of a session of the CLI. */
  readonly kind: "transcript" | "text" | "state" | "chat";
  /** Native id of the session; of an editor's database its parts have one each. */
  readonly session: string;
  /** The session that spawned this one. */
  readonly parent?: string;
  /** Name that Cursor made from the folder worked in. */
  readonly folderName?: string;
}

/**
 * Transcripts stand in `projects/<folder>/agent-transcripts/`, as `<session>/<session>.jsonl`, before that as
 * `<session>.jsonl` and `<session>.txt`; those of subagents in `<session>/subagents/`. The CLI's databases are
 * `chats/<hash of the folder>/<session>/store.db`.
 */
export function placeOf(path: string): Place {
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? path;
  if (name === STATE) return { kind: "state", session: parts.at(-2) ?? name };
  if (name === CHAT) return { kind: "chat", session: parts.at(-2) ?? name };
  const top = parts.lastIndexOf(TRANSCRIPTS);
  const folderName = top > 0 ? parts[top - 1] : undefined;
  const parent = parts.at(-2) === SUBAGENTS ? parts.at(-3) : undefined;
  return {
    kind: name.endsWith(".txt") ? "text" : "transcript",
    session: name.replace(/\.(?:jsonl|txt)$/, ""),
    ...(parent !== undefined && { parent }),
    ...(folderName !== undefined && { folderName }),
  };
}

/** Names of files and folders. */
export const STATE = "state.vscdb";
export const CHAT = "store.db";
export const TRANSCRIPTS = "agent-transcripts";
export const SUBAGENTS = "subagents";
