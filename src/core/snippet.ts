import { once } from "./once.ts";
import { isAscii } from "./text.ts";
import { fold, isCjk, stem, type Token, tokenize } from "./words.ts";

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
  /** Terms right behind the one that they follow in the query, at most a short word between. */
  readonly inRow: number;
}

/** Something to look for, made ready once for many texts. */
export interface Needle {
  readonly text: string;
  /** What was typed, in lower case, where it has no space in it: then a plain search finds it. */
  readonly plain: string | undefined;
  /** Whether a word has to begin where it begins, and to end where it ends. */
  readonly startsWord: boolean;
  readonly endsWord: boolean;
  readonly exact: RegExp;
  /** Matches wherever any form of the words may stand, and more. */
  readonly loose: RegExp;
  readonly stems: readonly string[];
  /** What all forms of each word begin with. */
  readonly beginnings: readonly string[];
  readonly prefix: boolean;
}

export function needle(text: string, prefix = false): Needle {
  const typed = text.normalize("NFC").trim();
  const stems = tokenize(typed).map((token) => stem(token.word));
  const escaped = typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const [first = "", last = ""] = [/^[\p{L}\p{N}_]/u.exec(typed)?.[0], /[\p{L}\p{N}_]$/u.exec(typed)?.[0]];
  const startsWord = first !== "" && !isCjk(first);
  const endsWord = !prefix && last !== "" && !isCjk(last);
  const before = startsWord ? "(?<![\\p{L}\\p{N}_])" : "";
  const after = endsWord ? "(?![\\p{L}\\p{N}_])" : "";
  const beginnings = stems.map(beginningOf);
  const loose = beginnings.join("[\\p{L}\\p{N}]*?[^\\p{L}\\p{N}]*?");
  return {
    text,
    plain: typed === "" || /\s/.test(typed) ? undefined : typed.toLowerCase(),
    startsWord,
    endsWord,
    beginnings,
    exact: new RegExp(typed === "" ? "(?!)" : `${before}${escaped}${after}`, "giu"),
    loose: new RegExp(loose === "" ? "(?!)" : loose, "giu"),
    stems,
    prefix,
  };
}

type Span = readonly [number, number];

/**
 * The stretch of at most `limit` characters that holds the most of what was looked for, on one line.
 *
 * Finds what the index finds: words in any of their forms, words of a phrase in a row, parts of identifiers.
 */
export function snippet(whole: string, needles: readonly Needle[], limit: number): Snippet {
  const text = whole.normalize("NFC");
  const haystack = readyFor(text);
  const found = needles.map((one) => spansOf(haystack, one));
  const spans = found
    .flatMap((one, index) => one.spans.map((span) => ({ span, index })))
    .sort((a, b) => a.span[0] - b.span[0]);
  const window = bestWindow(spans, Math.floor(limit * 0.8));
  const lead = Math.floor(limit * 0.2);
  const from = window === undefined ? 0 : wordStart(text, Math.max(0, window.from - lead), window.from);
  const to = characterEnd(text, Math.min(text.length, from + limit));
  const inside = spans
    .map(({ span: [start, end] }): Span => [start, Math.min(end, to)])
    .filter(([start, end]) => start >= from && start < end);
  return {
    ...flatten(text, from, to, merge(inside)),
    found: found.filter((one) => one.spans.length > 0).length,
    exact: found.filter((one) => one.isExact).length,
    together: window?.terms ?? 0,
    inRow: countInRow(found.map((one) => one.spans)),
  };
}

/** A blank or a sign, or a word such as `of` between blanks. */
const GAP = 4;

function countInRow(spans: readonly (readonly Span[])[]): number {
  return spans.filter((own, at) => {
    const starts = new Set(own.map(([start]) => start));
    return (spans[at - 1] ?? []).some(([, end]) =>
      Array.from({ length: GAP + 1 }, (_, gap) => end + gap).some((place) => starts.has(place)),
    );
  }).length;
}

/** Texts longer than this are cut into words only where a needle may stand. */
const TOKENIZE_CHARS = 20_000;
/** As many places of one needle are enough to choose a window from. */
const MAX_SPANS = 50;

/** A text made ready for all needles: what is costly is done once, and only where it is asked for. */
interface Haystack {
  readonly text: string;
  /** In lower case; undefined where that changes the length, and with it all places. */
  readonly lower: string | undefined;
  isPlain(): boolean;
  words(): readonly Token[];
  /** Parts of camelCase words as words of their own. */
  parts(): readonly Token[];
}

function readyFor(text: string): Haystack {
  const lower = text.toLowerCase();
  return {
    text,
    lower: lower.length === text.length ? lower : undefined,
    isPlain: once(() => isAscii(text)),
    words: once(() => tokenize(text)),
    parts: once(() => camelTokens(text)),
  };
}

function spansOf(haystack: Haystack, one: Needle): { readonly spans: Span[]; readonly isExact: boolean } {
  const { text, lower } = haystack;
  const exact = exactSpans(haystack, one);
  if (exact.length > 0) return { spans: exact, isExact: true };
  // No form of a word stands where its beginning does not, unless the index folds letters.
  const isAbsent = lower !== undefined && one.beginnings.some((beginning) => !lower.includes(beginning));
  if (isAbsent && haystack.isPlain()) return { spans: [], isExact: false };
  if (text.length <= TOKENIZE_CHARS) {
    const words = phraseSpans(haystack.words(), one);
    return { spans: words.length > 0 ? words : phraseSpans(haystack.parts(), one), isExact: false };
  }
  const spans: Span[] = [];
  for (const [from, to] of stretchesOf(text, one)) {
    const stretch = text.slice(from, to);
    const words = phraseSpans(tokenize(stretch), one);
    const parts = words.length > 0 ? words : phraseSpans(camelTokens(stretch), one);
    spans.push(...parts.map(([start, end]): Span => [from + start, from + end]));
    if (spans.length >= MAX_SPANS) break;
  }
  return { spans, isExact: false };
}

function exactSpans({ text, lower }: Haystack, { plain, startsWord, endsWord, exact }: Needle): Span[] {
  const spans: Span[] = [];
  if (plain === undefined || lower === undefined) {
    for (const match of text.matchAll(exact)) {
      spans.push([match.index, match.index + match[0].length]);
      if (spans.length === MAX_SPANS) break;
    }
    return spans;
  }
  for (let at = lower.indexOf(plain); at !== -1 && spans.length < MAX_SPANS; at = lower.indexOf(plain, at + 1)) {
    const end = at + plain.length;
    const isInside =
      (startsWord && ENDS_IN_WORD.test(lower.slice(Math.max(0, at - 2), at))) ||
      (endsWord && BEGINS_IN_WORD.test(lower.slice(end, end + 2)));
    if (!isInside) spans.push([at, end]);
  }
  return spans;
}

const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}_]/u;

/** The parts of a long text, at whole words, in which a needle may stand. */
function* stretchesOf(text: string, one: Needle): Generator<Span> {
  if (ACCENTED.test(text)) yield [0, text.length];
  else {
    let at = 0;
    for (const match of text.matchAll(one.loose)) {
      if (match.index < at) continue;
      const end = match.index + match[0].length;
      const from =
        match.index - (LAST_WORD.exec(text.slice(Math.max(at, match.index - 100), match.index))?.[0].length ?? 0);
      at = end + (FIRST_WORD.exec(text.slice(end, end + 100))?.[0].length ?? 0);
      yield [from, at];
    }
  }
}

// What a stem and all words of that stem begin with: `happi`, `happy`; `possibl`, `possibility`.
function beginningOf(stemmed: string): string {
  return stemmed.replace(/(?<=.)(?:(?<=b)l?[ei]?|[ei])$/, "");
}

// Letters that the index folds to others, so that a needle in plain letters does not match them.
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]|\p{Mn}/u;
const LAST_WORD = /[\p{L}\p{N}]*$/u;
const FIRST_WORD = /^[\p{L}\p{N}]*/u;

function phraseSpans(tokens: readonly Token[], { stems, prefix }: Needle): Span[] {
  const spans: Span[] = [];
  if (stems.length === 0) return spans;
  for (let at = 0; at + stems.length <= tokens.length && spans.length < MAX_SPANS; at++) {
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

/** The start of a word near `at`, not after `latest`. */
function wordStart(text: string, at: number, latest: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, Math.min(latest, at + 30)).search(/\s/);
  return characterEnd(text, space === -1 ? at : at + space + 1);
}

/** `at`, or one less where that would split a character. */
function characterEnd(text: string, at: number): number {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at;
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
  const trimmed = out.trimEnd();
  return { text: to < text.length ? `${trimmed}…` : trimmed, marks };
}
