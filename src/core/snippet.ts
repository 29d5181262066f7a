import { fold, stem, type Token, tokenize } from "./words.ts";

/** A part of a text around what was looked for. */
export interface Snippet {
  readonly text: string;
  /** Matched spans as [start, end) offsets into `text`, in order, not overlapping. */
  readonly marks: readonly (readonly [number, number])[];
  /** Terms that occur in the whole text, word for word or in another form. */
  readonly found: number;
  /** Terms that occur exactly as typed. */
  readonly exact: number;
  /** Terms that stand together in the snippet. */
  readonly together: number;
}

/** Something to look for, made ready once for many texts. */
export interface Needle {
  readonly text: string;
  readonly exact: RegExp;
  readonly stems: readonly string[];
  readonly prefix: boolean;
}

export function needle(text: string, prefix = false): Needle {
  const words = tokenize(text).map((token) => token.word);
  const escaped = text
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\s+/g, "\\s+");
  const before = /^[\p{L}\p{N}_]/u.test(text.trim()) ? "(?<![\\p{L}\\p{N}_])" : "";
  const after = !prefix && /[\p{L}\p{N}_]$/u.test(text.trim()) ? "(?![\\p{L}\\p{N}_])" : "";
  return { text, exact: new RegExp(`${before}${escaped}${after}`, "giu"), stems: words.map(stem), prefix };
}

type Span = readonly [number, number];

/**
 * The stretch of at most `limit` characters that holds the most of what was looked for, on one line.
 *
 * Finds what the index finds: words in any of their forms, words of a phrase in a row, parts of identifiers.
 */
export function snippet(text: string, needles: readonly Needle[], limit: number): Snippet {
  const found = needles.map((one) => spansOf(text, one));
  const spans = found
    .flatMap((one, index) => one.spans.map((span) => ({ span, index })))
    .sort((a, b) => a.span[0] - b.span[0]);
  const window = bestWindow(spans, Math.floor(limit * 0.8));
  const lead = Math.floor(limit * 0.2);
  const from = window === undefined ? 0 : wordStart(text, Math.max(0, window.from - lead));
  const to = Math.min(text.length, from + limit);
  const inside = spans.map(({ span }) => span).filter(([start, end]) => start >= from && end <= to);
  return {
    ...flatten(text, from, to, merge(inside)),
    found: found.filter((one) => one.spans.length > 0).length,
    exact: found.filter((one) => one.isExact).length,
    together: window?.terms ?? 0,
  };
}

/** Texts longer than this are looked through only around what is found literally. */
const TOKENIZE_CHARS = 20_000;

function spansOf(text: string, one: Needle): { readonly spans: Span[]; readonly isExact: boolean } {
  const exact: Span[] = [];
  for (const match of text.matchAll(one.exact)) {
    exact.push([match.index, match.index + match[0].length]);
    if (exact.length === 50) break;
  }
  if (exact.length > 0) return { spans: exact, isExact: true };
  const spans = phraseSpans(tokenize(text.slice(0, TOKENIZE_CHARS)), one);
  return {
    spans: spans.length > 0 ? spans : phraseSpans(camelTokens(text.slice(0, TOKENIZE_CHARS)), one),
    isExact: false,
  };
}

function phraseSpans(tokens: readonly Token[], { stems, prefix }: Needle): Span[] {
  const spans: Span[] = [];
  if (stems.length === 0) return spans;
  for (let at = 0; at + stems.length <= tokens.length && spans.length < 50; at++) {
    const hit = stems.every((wanted, index) => {
      const word = tokens[at + index]?.word ?? "";
      const isLast = index === stems.length - 1;
      return stem(word) === wanted || (prefix && isLast && word.startsWith(wanted));
    });
    const first = tokens[at];
    const last = tokens[at + stems.length - 1];
    if (hit && first !== undefined && last !== undefined) spans.push([first.start, last.end]);
  }
  return spans;
}

/** Parts of camelCase words as tokens of their own. */
function camelTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/[\p{Lu}]?[\p{Ll}\p{N}]+|[\p{Lu}]+(?![\p{Ll}])/gu)) {
    tokens.push({ word: fold(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

function bestWindow(
  spans: readonly { readonly span: Span; readonly index: number }[],
  width: number,
): { readonly from: number; readonly terms: number } | undefined {
  let best: { from: number; terms: number; spans: number } | undefined;
  for (let at = 0; at < spans.length; at++) {
    const from = spans[at]?.span[0] ?? 0;
    const terms = new Set<number>();
    let count = 0;
    for (let other = at; other < spans.length; other++) {
      const entry = spans[other];
      if (entry === undefined || entry.span[1] > from + width) break;
      terms.add(entry.index);
      count += 1;
    }
    if (best === undefined || terms.size > best.terms || (terms.size === best.terms && count > best.spans)) {
      best = { from, terms: terms.size, spans: count };
    }
  }
  return best;
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + 30).search(/\s/);
  const start = space === -1 ? at : at + space + 1;
  return /[\udc00-\udfff]/.test(text.charAt(start)) ? start + 1 : start;
}

function merge(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of spans) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** Puts a stretch on one line, with ellipses where it was cut, and moves the marks along. */
function flatten(text: string, from: number, to: number, spans: readonly Span[]): Pick<Snippet, "text" | "marks"> {
  let out = from > 0 ? "…" : "";
  const marks: Span[] = [];
  let at = from;
  const add = (until: number): void => {
    const part = text.slice(at, until).replace(/\s+/g, " ");
    out += out === "" || out.endsWith(" ") || out === "…" ? part.trimStart() : part;
    at = until;
  };
  for (const [start, end] of spans) {
    add(start);
    const begin = out.length;
    add(end);
    marks.push([begin, out.length]);
  }
  add(to);
  const trimmed = out.trimEnd().replace(/[\ud800-\udbff]$/, "");
  return { text: to < text.length ? `${trimmed}…` : trimmed, marks };
}
