import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  type Anchor,
  findSpan,
  formatFileReference,
  isWholeSpan,
  parseFileReference,
  type Span,
  spanAt,
} from "../core/anchor.ts";
import type { AnchorRecord } from "./yore.ts";

/** Larger files are not looked into. */
const MAX_FILE_BYTES = 2_000_000;
/** How many files are looked through for what was moved; in a larger tree it cannot be told where it went. */
const MAX_FILES = 5_000;
const MAX_FOLDERS = 2_000;
const SKIPPED = new Set(["node_modules", "vendor", "dist", "build", "target", "out", "coverage", "__pycache__"]);

/**
 * What a reference means now: the file in the first of the folders that has it, told by its path in the tree that it lies
 * in, and what stands there.
 */
export function anchorOf(reference: string, folders: readonly string[], trees: readonly string[]): Anchor {
  const { path, ...place } = parseFileReference(reference);
  for (const folder of folders) {
    const file = resolve(folder, path);
    const tree = trees.find((one) => isWithin(file, one)) ?? folder;
    const looked = lookAt(tree, file);
    if (typeof looked === "string") continue;
    const found = spanAt(looked.text, place);
    const lines = found?.lines ?? place.lines;
    return {
      ...place,
      path: slashed(relative(tree, file)),
      ...(lines !== undefined && { lines }),
      ...(found !== undefined && { span: found.span }),
    };
  }
  const tree = isAbsolute(path) ? trees.find((one) => isWithin(path, one)) : undefined;
  return { ...place, path: slashed(tree === undefined ? path : relative(tree, path)).replace(/^(?:\.\/)+/, "") };
}

/**
 * Compares an anchor with the working trees in these folders, the first of which that has the file counts. What does not
 * stand where it stood is looked for in the same file, and then in the others of its kind, before it counts as changed.
 * Nothing is written.
 */
export function checkAnchor(anchor: Anchor, folders: readonly string[]): AnchorRecord {
  const place = formatFileReference(anchor);
  const unknown: AnchorRecord = { place, state: "unknown" };
  const { span } = anchor;
  const trees = folders.filter(isFolder).map((folder) => ({ folder, file: lookAt(folder, anchor.path) }));
  const [first] = trees;
  if (first === undefined) return unknown;
  const { folder, file } = trees.find((tree) => tree.file !== "absent") ?? first;
  if (file === "unreadable") return unknown;
  if (span === undefined) return file === "absent" ? { place, state: "gone" } : unknown;
  const here = file === "absent" ? undefined : lookIn(file.text, anchor, span);
  if (here !== undefined) return { place, ...here };
  const elsewhere = lookElsewhere(folder, anchor, span);
  if (elsewhere === "too-many") return unknown;
  if (elsewhere !== undefined) return { place, state: "moved", now: elsewhere };
  return { place, state: file === "absent" ? "gone" : "changed" };
}

/** Fresh, or moved within the file; undefined where the span is not in it. */
function lookIn(text: string, { path, lines, symbol }: Anchor, span: Span): Omit<AnchorRecord, "place"> | undefined {
  if (lines === undefined) return isWholeSpan(text, span) ? { state: "fresh" } : undefined;
  const places = findSpan(text, span);
  const [line] = places;
  if (line === undefined) return undefined;
  // A symbol stands where it is called so, whatever was added above it.
  if (places.includes(lines[0]) || symbol !== undefined) return { state: "fresh" };
  return { state: "moved", now: `${path}:${line}` };
}

/** Where the span stands in another file of that kind, in order of path. */
function lookElsewhere(folder: string, { path, lines }: Anchor, span: Span): string | "too-many" | undefined {
  const kind = extname(path);
  const files = filesBelow(folder, kind);
  if (files === undefined) return "too-many";
  for (const name of files) {
    if (name === path) continue;
    const file = lookAt(folder, name);
    if (typeof file === "string") continue;
    if (lines === undefined) {
      if (isWholeSpan(file.text, span)) return name;
      continue;
    }
    const [line] = findSpan(file.text, span);
    if (line !== undefined) return `${name}:${line}`;
  }
  return undefined;
}

/** Undefined where there are too many to look at. */
function filesBelow(top: string, kind: string): readonly string[] | undefined {
  const found: string[] = [];
  const folders = [""];
  for (let at = 0; at < folders.length; at += 1) {
    const folder = folders[at] ?? "";
    for (const entry of entriesOf(join(top, folder))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name)) folders.push(name);
      else if (entry.isFile() && extname(entry.name) === kind) found.push(name);
    }
    if (found.length > MAX_FILES || folders.length > MAX_FOLDERS) return undefined;
  }
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

type Looked = { readonly text: string } | "absent" | "unreadable";

/** A file below a folder; what lies outside, also over a link, is not read. */
function lookAt(folder: string, path: string): Looked {
  try {
    const file = realpathSync(resolve(folder, path));
    const { size, isFile } = factsOf(file);
    if (!isWithin(file, realpathSync(folder)) || !isFile || size > MAX_FILE_BYTES) return "unreadable";
    const text = readFileSync(file, "utf8");
    return text.includes("\u0000") ? "unreadable" : { text };
  } catch (error) {
    return isAbsent(error) ? "absent" : "unreadable";
  }
}

function factsOf(file: string): { readonly size: number; readonly isFile: boolean } {
  const stat = statSync(file);
  return { size: stat.size, isFile: stat.isFile() };
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
