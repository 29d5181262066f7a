/** What the path of a transcript says of it. */
export interface Place {
  /** Native id of its session, where the name or a folder above bears one. */
  readonly session: string | undefined;
  /** The name without endings: the session's id where neither path nor header tell another. */
  readonly stem: string;
  /** The session that spawned this one. */
  readonly parent: string | undefined;
  /** It is of OpenClaw, which wraps what people write in chat channels. */
  readonly isChannel: boolean;
}

/**
 * Transcripts are named `<start>_<session>.jsonl`. Those of omp's subagents stand in the folder beside the transcript
 * of their spawner that has its name: `<start>_<session>/<agent>.jsonl`, and theirs in `<start>_<session>/<agent>/`.
 * Their names are told by the path, since the header need not be the first record.
 */
export function placeOf(path: string): Place {
  const parts = path.split(/[\\/]/);
  const stem = stemOf(parts.at(-1) ?? path);
  const isChannel = CHANNEL.test(path);
  const top = parts.slice(0, -1).findIndex((part) => DATED.test(part));
  if (top < 0) return { session: DATED.exec(stem)?.[1], stem, parent: undefined, isChannel };
  const above = parts.slice(top, -1).map(sessionName);
  return { session: [...above, stem].join("/"), stem, parent: above.join("/"), isChannel };
}

/** Native id of the session a transcript's path or a bare id names. */
export function sessionName(reference: string): string {
  const stem = stemOf(reference.split(/[\\/]/).at(-1) ?? reference);
  return DATED.exec(stem)?.[1] ?? stem;
}

/** A transcript's file name without its endings, also of one that was put away. */
export function stemOf(name: string): string {
  return name.replace(/\.jsonl(?:\.(?:reset|deleted)\.[^.]+(?:\.\d{3}Z)?|\.imported-[^/\\]*?)?(?:\.zst)?$/, "");
}

const DATED = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z_(.+)$/;
const CHANNEL = /[\\/]agents[\\/][^\\/]+[\\/](?:sessions|session-sqlite-import-archive)[\\/][^\\/]+$/;
