import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { cleanStored } from "../ingest/prepare.ts";
import { MODELS } from "../vectors/minilm/packages.ts";
import { formatMirror, writeMirrorText } from "./mirror-file.ts";
import { cleanJson } from "./redact-tally.ts";

/** All files of Yore's folder but those of models: a person installed these, and nothing of a history is in them. */
export function ownFilesIn(yoreHome: string): readonly string[] {
  return filesIn(yoreHome, MODELS);
}

/** All files below a folder, in stable order, by their paths below it. Folders behind links are gone through too. */
export function filesIn(folder: string, except?: string): readonly string[] {
  const seen = new Set<string>();
  const walk = (below: string): string[] => {
    if (below !== "" && below === except) return [];
    const here = join(folder, below);
    const real = realpathSync(here);
    if (seen.has(real)) return [];
    seen.add(real);
    return listed(here).flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`;
      const stats = statSync(join(folder, path), { throwIfNoEntry: false });
      return stats?.isDirectory() === true ? walk(path) : stats?.isFile() === true ? [path] : [];
    });
  };
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? walk("") : [];
}

/** Removes folders below a folder in which there is nothing. */
export function dropEmptyFolders(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    dropEmptyFolders(path);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** The text of a file as it is to be: JSON as ours is spelt, line by line where each is one, and whatever else as it is. */
export function cleanFileText(name: string, text: string): string {
  // Files that were kept beside others are named for those.
  const own = name.replace(/\.(?:damaged|edited)-[\dTZ]+$/, "");
  if (own.endsWith(".jsonl")) return text.replace(/[^\n]+/g, (line) => cleanJson(line));
  return own.endsWith(".json") ? cleanJson(text, formatMirror) : cleanStored(text);
}

/**
 * Changes the lines of a file that other processes may add whole lines to meanwhile: what they add is changed too. Returns
 * the text before and after; where both are the same, and in a trial, the file was not touched.
 */
export async function rewriteGrowingFile(
  path: string,
  change: (text: string) => string,
  isTrial: boolean,
): Promise<readonly [string, string]> {
  const file = openSync(path, "r");
  try {
    const bytes = readFrom(file, 0);
    const before = bytes.toString("utf8");
    const after = change(before);
    if (isTrial || after === before) return [before, after];
    const added = readFrom(file, bytes.length);
    writeMirrorText(path, after + change(added.toString("utf8")));
    // Whoever had opened the file before another took its place has written to it by now.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const late = readFrom(file, bytes.length + added.length).toString("utf8");
    if (late !== "") writeMirrorText(path, readFileSync(path, "utf8") + change(late));
    return [before, after];
  } finally {
    closeSync(file);
  }
}

const SETTLE_MS = 50;

function readFrom(file: number, from: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
  const read = readSync(file, buffer, 0, buffer.length, from);
  return buffer.subarray(0, read);
}

/** The text of a file; undefined where it is none, or is too long to be one of ours. */
export function textIn(path: string): string | undefined {
  if (statSync(path).size > LONGEST) return undefined;
  const bytes = readFileSync(path);
  return bytes.includes(0) ? undefined : bytes.toString("utf8");
}

const LONGEST = 64 * 1024 * 1024;

function listed(folder: string): readonly string[] {
  return readdirSync(folder).sort();
}
