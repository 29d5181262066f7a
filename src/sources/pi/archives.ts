import { closeSync, openSync, readSync } from "node:fs";
import { fieldsOf, textOf } from "../fields.ts";
import type { Entry } from "../walk.ts";
import { stemOf } from "./place.ts";

/** A file of OpenClaw's session folder that is read. */
export interface Kept {
  readonly path: string;
  readonly compression?: "zstd";
}

/**
 * The transcripts among the files of a folder. OpenClaw renames a transcript when its session is reset or deleted. Such a file is
 * read too, unless the live transcript of that name is the same session's: then it holds what the live one does. A
 * reset may have left the name to another session, so the ids in the headers decide.
 */
export function keepTranscripts(files: readonly Entry[]): Kept[] {
  const paths = new Map(files.map(({ path, name }) => [name, path]));
  const kept: Kept[] = [];
  for (const { path, name } of files) {
    if (LIVE.test(name) && !OTHER.test(name)) kept.push({ path });
    if (!PUT_AWAY.test(name)) continue;
    const isCompressed = name.endsWith(ZSTD);
    if (isCompressed && paths.has(name.slice(0, -ZSTD.length))) continue;
    const live = paths.get(`${stemOf(name)}.jsonl`);
    if (live !== undefined && (isCompressed || isSameSession(live, path))) continue;
    kept.push({ path, ...(isCompressed && { compression: "zstd" }) });
  }
  return kept;
}

const ZSTD = ".zst";
const LIVE = /\.jsonl$/;
/** Traces of model calls, and copies made before a compaction. */
const OTHER =
  /\.trajectory\.jsonl$|\.checkpoint\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/i;
const PUT_AWAY =
  /^.+\.jsonl\.(?:(?:reset|deleted)\.\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(?:\.\d{3})?Z|imported-.+?)(?:\.zst)?$/;
const HEAD_BYTES = 4_096;

function isSameSession(live: string, archived: string): boolean {
  const id = headerId(live);
  const other = headerId(archived);
  return id === undefined || other === undefined || id === other;
}

function headerId(path: string): string | undefined {
  try {
    const [line = ""] = head(path).split("\n");
    const header = fieldsOf(JSON.parse(line));
    return header.type === "session" ? textOf(header.id) : undefined;
  } catch {
    // Not a transcript, or one that cannot be read now: nothing is known of it.
    return undefined;
  }
}

function head(path: string): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
