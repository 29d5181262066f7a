import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { redact } from "../../core/redact.ts";

/** What an archived transcript is of. */
export interface ArchivedOf {
  readonly agent: string;
  /** Where the agent keeps it. */
  readonly path: string;
  readonly part?: string;
}

/**
 * The folder that holds the segments of a transcript: readable, and its own whatever the path. A secret in the name of the
 * file is left out, without its fingerprint, so that the folder is the same whatever the key.
 */
export function archiveFolder(root: string, { agent, path, part = "" }: ArchivedOf): string {
  const { text } = redact(part === "" ? basename(path) : part);
  const name = text.replace(/\.jsonl?$|[^\w.-]+/g, "-").replace(/^[-.]+|-+$/g, "");
  const hash = createHash("sha256").update(`${path}\u0000${part}`).digest("hex").slice(0, 12);
  return join(root, agent, `${name.slice(0, 60) || "transcript"}-${hash}`);
}

/** Where a transcript that is written anew is put together, until it takes the place of what was archived before. */
export function stagingFolder(folder: string): string {
  return `${folder}${STAGING}`;
}

export const STAGING = ".new";

/** Where what was archived of a transcript is kept that holds less now. */
export function earlierFolder(folder: string): string {
  return `${folder}${EARLIER}`;
}

export const EARLIER = ".was";

/** A segment is named by the offset it begins at, so that names are in order. */
export function segmentName(from: number): string {
  return `${String(from).padStart(15, "0")}${SEGMENT}`;
}

const SEGMENT = ".segment";

/** Offset in the name of a segment; undefined for other files. */
export function offsetOfSegment(name: string): number | undefined {
  return /^\d{15}\.segment$/.test(name) ? Number(name.slice(0, 15)) : undefined;
}
