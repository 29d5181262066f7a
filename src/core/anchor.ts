import { createHash } from "node:crypto";
import { rangeOfSymbol } from "./symbol-range.ts";

/** A place in a file that something was said about, and what stood there then. */
export interface Anchor {
  /** Relative to the project's folder, with slashes; absolute where it lies outside. */
  readonly path: string;
  readonly symbol?: string;
  /** First and last line, from 1; absent where the whole file is meant. */
  readonly lines?: readonly [first: number, last: number];
  /** Of what stood there; absent where it could not be read. */
  readonly span?: Span;
}

/** What stood at a place, without its text. Blank lines and indentation don't count, since moving code changes them. */
export interface Span {
  /** Lines that are not blank. */
  readonly count: number;
  readonly hash: string;
  /** Hash of the first of them, by which candidates are found. */
  readonly first: string;
}

/** Of a file that is there: `moved`, with where to; of one that is not, `gone`. `unknown`: it cannot be told. */
export const ANCHOR_STATES = ["fresh", "moved", "changed", "gone", "unknown"] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];

/** `path`, `path#symbol`, `path:12` or `path:12-30`. */
export function parseFileReference(text: string): Pick<Anchor, "path" | "symbol" | "lines"> {
  const trimmed = text.trim();
  const [, before = "", first = "", last = first] = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(trimmed) ?? [];
  if (before !== "" && Number(first) > 0) {
    const [from, to] = [Number(first), Number(last)];
    return { path: before, lines: [Math.min(from, to), Math.max(from, to)] };
  }
  const [, path = trimmed, symbol = ""] = /^(.+?)#([\p{L}\p{N}_$.:~!?# -]+?(?:\(\))?)$/u.exec(trimmed) ?? [];
  return symbol === "" ? { path } : { path, symbol };
}

export function formatFileReference({ path, symbol, lines }: Pick<Anchor, "path" | "symbol" | "lines">): string {
  if (symbol !== undefined) return `${path}#${symbol}`;
  if (lines === undefined) return path;
  return lines[0] === lines[1] ? `${path}:${lines[0]}` : `${path}:${lines[0]}-${lines[1]}`;
}

/** Looks up what a reference means in a file's text. Undefined where the text has no such symbol or lines. */
export function spanAt(
  text: string,
  { path, symbol, lines }: Pick<Anchor, "path" | "symbol" | "lines">,
): { readonly lines?: readonly [number, number]; readonly span: Span } | undefined {
  const all = text.split("\n");
  const range = symbol === undefined ? lines : rangeOfSymbol(text, symbol, path);
  if (range === undefined) {
    if (symbol !== undefined) return undefined;
    const span = spanOf(numbered(all));
    return span === undefined ? undefined : { span };
  }
  const span = spanOf(numbered(all).filter(({ line }) => line >= range[0] && line <= range[1]));
  return span === undefined ? undefined : { lines: range, span };
}

/** First line of each place at which the span stands. */
export function findSpan(text: string, span: Span): readonly number[] {
  const lines = numbered(text.split("\n"));
  return lines.flatMap(({ line, text: first }, at) => {
    if (at + span.count > lines.length || hashOf(first) !== span.first) return [];
    return spanOf(lines.slice(at, at + span.count))?.hash === span.hash ? [line] : [];
  });
}

/** Whether the text is the span and nothing else. */
export function isWholeSpan(text: string, span: Span): boolean {
  return spanOf(numbered(text.split("\n")))?.hash === span.hash;
}

interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

function numbered(lines: readonly string[]): Line[] {
  return lines.flatMap((text, index) => {
    const trimmed = text.trim();
    return trimmed === "" ? [] : [{ line: index + 1, text: trimmed }];
  });
}

function spanOf(lines: readonly Line[]): Span | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  return { count: lines.length, hash: hashOf(lines.map(({ text }) => text).join("\n")), first: hashOf(first.text) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
