import { extname, isAbsolute, relative, resolve, sep } from "node:path";
import {
  type Anchor,
  findSpan,
  formatFileReference,
  isWholeSpan,
  parseFileReference,
  type Span,
  spanAt,
} from "../core/anchor.ts";
import { filesBelow, isFolder, isWithin, type Looked, lookAt } from "./working-tree.ts";
import type { AnchorRecord } from "./yore.ts";

/** Shorter spans stand in many places by chance, so that it cannot be told where one was moved to. */
const DISTINCT_LINES = 3;

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
    const found = spanAt(looked.text, { path, ...place });
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

/** An anchor, and the working trees in which it may be; of those the first that has its file counts. */
export interface Anchored {
  readonly anchor: Anchor;
  readonly trees: readonly string[];
}

/**
 * Compares anchors with what stands there now, in their order. What does not stand where it stood is looked for in the
 * other files of its kind before it counts as changed or gone, unless `elsewhere` is false. Nothing is written.
 */
export function checkAnchors(
  anchored: readonly Anchored[],
  { elsewhere = true }: { readonly elsewhere?: boolean } = {},
): AnchorRecord[] {
  const checked = anchored.map(checkInPlace);
  const astray = checked.flatMap(({ missed }) => missed ?? []);
  const found = elsewhere ? findAstray(astray) : new Map<Missed, string>();
  return checked.map(({ record, missed }) => {
    const now = missed === undefined ? undefined : found.get(missed);
    if (missed === undefined || now === undefined) return record;
    return now === UNTOLD
      ? missed.isThere
        ? record
        : { ...record, state: "unknown" }
      : { ...record, state: "moved", now };
  });
}

/** A span that does not stand where it stood. */
interface Missed {
  readonly anchor: Anchor;
  readonly span: Span;
  readonly tree: string;
  /** Whether the file is there. */
  readonly isThere: boolean;
}

interface Checked {
  readonly record: AnchorRecord;
  readonly missed?: Missed;
}

function checkInPlace({ anchor, trees }: Anchored): Checked {
  const { span, lines, symbol, path } = anchor;
  const place = formatFileReference(anchor);
  const told = { place, ...(symbol !== undefined && lines !== undefined && { lines }) };
  const looked = trees.filter(isFolder).map((tree) => ({ tree, file: lookAt(tree, path) }));
  const { tree, file } = looked.find((one) => one.file !== "absent") ?? looked[0] ?? NOWHERE;
  if (file === "unreadable") return { record: { ...told, state: "unknown" } };
  if (span === undefined) return { record: { ...told, state: file === "absent" ? "gone" : "unknown" } };
  const here = file === "absent" ? undefined : lookIn(file.text, anchor, span);
  if (here !== undefined) return { record: { ...told, ...here } };
  const isThere = file !== "absent";
  return { record: { ...told, state: isThere ? "changed" : "gone" }, missed: { anchor, span, tree, isThere } };
}

const NOWHERE: { readonly tree: string; readonly file: Looked } = { tree: "", file: "unreadable" };

/** Fresh, or moved within the file; undefined where the span is not in it. */
function lookIn(text: string, anchor: Anchor, span: Span): Pick<AnchorRecord, "state" | "now"> | undefined {
  const { path, lines, symbol } = anchor;
  if (lines === undefined) return isWholeSpan(text, span) ? { state: "fresh" } : undefined;
  // A symbol stands where it is called so, whatever was added above it; the same text under another name is another one.
  if (symbol !== undefined) return spanAt(text, anchor)?.span.hash === span.hash ? { state: "fresh" } : undefined;
  const places = findSpan(text, span);
  if (places.includes(lines[0])) return { state: "fresh" };
  const [line, other] = places;
  return line === undefined || other !== undefined ? undefined : { state: "moved", now: `${path}:${line}` };
}

/** Stands for a place in a tree that is too large to be looked through. */
const UNTOLD = "";

/** Where spans stand now, each file of a tree being read once for all of them. */
function findAstray(missed: readonly Missed[]): ReadonlyMap<Missed, string> {
  const found = new Map<Missed, string>();
  const distinct = missed.filter(isDistinct);
  for (const tree of new Set(distinct.map((one) => one.tree))) {
    const all = distinct.filter((one) => one.tree === tree);
    const files = filesBelow(tree, new Set(all.map(({ anchor }) => extname(anchor.path))));
    if (files === undefined) for (const one of all) found.set(one, UNTOLD);
    for (const name of files ?? []) {
      const sought = all.filter((one) => !found.has(one) && one.anchor.path !== name && isOfKind(one, name));
      const file = sought.length === 0 ? "absent" : lookAt(tree, name);
      if (typeof file === "string") continue;
      for (const one of sought) {
        const place = placeIn(file.text, name, one);
        if (place !== undefined) found.set(one, place);
      }
    }
  }
  return found;
}

function placeIn(text: string, name: string, { anchor, span }: Missed): string | undefined {
  if (anchor.lines === undefined) return isWholeSpan(text, span) ? name : undefined;
  const [line] = findSpan(text, span);
  return line === undefined ? undefined : `${name}:${line}`;
}

function isDistinct({ span }: Missed): boolean {
  return span.count >= DISTINCT_LINES;
}

function isOfKind({ anchor }: Missed, name: string): boolean {
  return extname(anchor.path) === extname(name);
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
