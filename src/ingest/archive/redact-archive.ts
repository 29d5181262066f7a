import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanIdentity, cleanRecord, cleanValue } from "../prepare.ts";
import { offsetOfSegment } from "./place.ts";
import { decodeEntries, decodeHeader, encodeSegment, type SegmentHeader } from "./segment.ts";

/** What came of a segment. */
export type RedactedSegment =
  /** Text before and after, of each entry that changed. */
  | { readonly kind: "read"; readonly path: string; readonly bytes: number; readonly changes: readonly Change[] }
  | { readonly kind: "damaged"; readonly path: string };

type Change = readonly [before: string, after: string];

/** Paths of all segments, those of earlier and of unfinished copies too, in stable order. */
export function segmentPaths(root: string): readonly string[] {
  return filesBelow(root).filter((path) => offsetOfSegment(path.slice(-OFFSET_NAME)) !== undefined);
}

const OFFSET_NAME = "000000000000000.segment".length;

/**
 * Redacts a segment by the rules of now. It keeps its name, and its entries their offsets, so that nothing is read anew
 * for it. Whoever reads it meanwhile finds the old or the new, never a part. A trial writes nothing.
 */
export async function redactSegment(path: string, isTrial: boolean): Promise<RedactedSegment> {
  const segment = readFileSync(path);
  const entries = decodeEntries(segment);
  const header = decodeHeader(segment)?.header;
  if (entries === undefined || header === undefined) return { kind: "damaged", path };
  const changes: Change[] = [];
  const note = (before: string, after: string): string => {
    if (before !== after) changes.push([before, after]);
    return after;
  };
  const cleaned = entries.map((entry) => note(entry, cleanEntry(entry)));
  const facts = cleanHeader(header);
  note(JSON.stringify(header.project ?? null), JSON.stringify(facts.project ?? null));
  if (changes.length > 0 && !isTrial) {
    const draft = `${path}.tmp`;
    writeFileSync(draft, await encodeSegment(facts, cleaned), { mode: 0o600 });
    renameSync(draft, path);
  }
  return { kind: "read", path, bytes: segment.length, changes };
}

/** Removes what a pass that was killed left half written; the next pass writes it again. */
export function dropDrafts(root: string): void {
  for (const path of filesBelow(root)) if (path.endsWith(".segment.tmp")) rmSync(path, { force: true });
}

/** `<offset> <record>`, `+ <what stood beside it>`; of an unreadable line there is only why. */
function cleanEntry(entry: string): string {
  const space = entry.indexOf(" ");
  const rest = entry.slice(space + 1);
  if (rest.startsWith("! ")) return entry;
  let value: unknown;
  try {
    value = JSON.parse(rest);
  } catch {
    return entry;
  }
  const cleaned = entry.startsWith("+ ") ? cleanSeen(value) : cleanRecord(value);
  return cleaned === value ? entry : `${entry.slice(0, space)} ${JSON.stringify(cleaned)}`;
}

/** The path that it was asked for by stays, or a reader would not find it again. */
function cleanSeen(seen: unknown): unknown {
  if (typeof seen !== "object" || seen === null || !("value" in seen)) return seen;
  const value = cleanValue(seen.value);
  return value === seen.value ? seen : { ...seen, value };
}

function cleanHeader({ format: _, rawBytes: __, bytes: ___, sha256: ____, ...facts }: SegmentHeader) {
  return facts.project === undefined ? facts : { ...facts, project: cleanIdentity(facts.project) };
}

function filesBelow(folder: string): readonly string[] {
  const names = listed(folder);
  return names.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? filesBelow(path) : [path];
  });
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
