import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { REDACTION_VERSION } from "../core/redact.ts";
import type { Source } from "../sources/source.ts";
import { type StoredFile, UNARCHIVED } from "../store/store.ts";
import type { Candidate } from "./discover.ts";

const HEAD_BYTES = 1_024;
const WINDOW_BYTES = 4_096;

/** What there is to do for a file. */
export type Change =
  | { readonly kind: "unchanged" }
  /** Read on from a verified place. */
  | { readonly kind: "append"; readonly from: number }
  /** Read from the start; what was read before no longer stands there. */
  | { readonly kind: "anew" };

/** Raised when all files have to be read anew for what is archived of them. */
const ARCHIVE_VERSION = 1;

/** What a file was read with: files read by another reader, or redacted by other rules, are read anew. */
export function readingVersion(source: Source): number {
  return source.version * 1_000_000 + ARCHIVE_VERSION * 1_000 + REDACTION_VERSION;
}

/**
 * Tells what changed in a file since it was read. Costs a stat where nothing did, and at most two short reads
 * where something was appended, whatever the file's size.
 */
export function compare(candidate: Candidate, stored: StoredFile | undefined): Change {
  const version = stored?.sourceVersion;
  if (stored === undefined || (version !== readingVersion(candidate.source) && version !== UNARCHIVED)) {
    return { kind: "anew" };
  }
  if (candidate.revision !== undefined) {
    return stored.window === candidate.revision && !stored.missing ? { kind: "unchanged" } : { kind: "anew" };
  }
  const isSame =
    stored.size === candidate.size && stored.mtimeMs === candidate.mtimeMs && stored.inode === candidate.inode;
  if (isSame && !stored.missing) return { kind: "unchanged" };
  if (version === UNARCHIVED) return { kind: "anew" };
  const isAppendable = candidate.file.unit === "lines" && candidate.file.compression === undefined;
  if (!isAppendable || candidate.size < stored.offset) return { kind: "anew" };
  return stillStands(candidate, stored) ? { kind: "append", from: stored.offset } : { kind: "anew" };
}

/** A whole record behind the last newline was read too, and then belongs to what must stand. */
export function stillStands({ file, size }: Candidate, stored: StoredFile): boolean {
  if (windowHash(file.path, stored.offset) === stored.window) return true;
  return stored.size > stored.offset && stored.size <= size && windowHash(file.path, stored.size) === stored.window;
}

/** Hash of a file's head and of a window before `end`: proof, in bounded bytes, that what was read still stands. */
export function windowHash(path: string, end: number): string {
  const file = openSync(path, "r");
  try {
    const head = Math.min(HEAD_BYTES, end);
    const from = Math.max(head, end - WINDOW_BYTES);
    const buffer = Buffer.alloc(head + end - from);
    readSync(file, buffer, 0, head, 0);
    readSync(file, buffer, head, end - from, from);
    return createHash("sha256").update(buffer).digest("base64url").slice(0, 22);
  } finally {
    closeSync(file);
  }
}
