import { mapStrings } from "./map-strings.ts";

/** Stands where something was private. */
export const PRIVATE_MARK = "[private]";

/** A stretch of a text, the end not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text without what stands in `<private>…</private>`; the same one where nothing does. Of JSON each string is looked
 * at by itself, so that it stays JSON. Text that went through once comes out unchanged.
 *
 * - Tags may nest, in any case; the one that closes the outermost ends the span.
 * - A tag that is never closed hides all that follows it, if it stands at the start of a line or if the text was cut.
 *   Elsewhere it is talk of the tag, and stays.
 * - A tag that stands alone between backticks is talk. In a block of code, one that is never closed is, and none is closed
 *   by a tag in another block.
 */
export function withoutPrivate(text: string): string {
  if (!mayHavePrivate(text)) return text;
  return inJson(text) ?? inPlainText(text);
}

/** Whether it is worth a closer look; few texts are. */
export function mayHavePrivate(text: string): boolean {
  return END_OF_TAG.test(text);
}

// Looked for in every text, and found several times as fast without the first letter.
const END_OF_TAG = /rivate\s{0,3}(?:>|\\{1,7}u003e)/i;
// Programs that write JSON may escape the angle brackets and the slash.
const TAG = /(?:<|\\{1,7}u003c)(\\{0,7}\/)?\s{0,3}private\s{0,3}(?:>|\\{1,7}u003e)/gi;

/** Longer JSON in a string is seldom anything but data. */
const LONGEST_JSON = 4_000_000;

function inJson(text: string): string | undefined {
  if (text.length > LONGEST_JSON || !/^\s{0,4}[[{]/.test(text) || !/[\]}]\s{0,4}$/.test(text.slice(-5)))
    return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const result = mapStrings(value, withoutPrivate, {
      list: linesWithoutPrivate,
      blocks: blocksWithoutPrivate,
      name: withoutPrivate,
    });
    return result === value ? text : JSON.stringify(result, undefined, /^\s*[{[]\r?\n( {1,8}|\t)/.exec(text)?.[1]);
  } catch {
    return undefined;
  }
}

function inPlainText(text: string): string {
  let result = text;
  // What was taken out may have begun or ended a block of code.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const spans = spansIn(result, true);
    if (spans.length === 0) break;
    result = replaced(result, spans);
  }
  return result;
}

const MAX_ROUNDS = 8;

function replaced(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end } of spans) {
    result += text.slice(from, start) + PRIVATE_MARK;
    from = end;
  }
  return result + text.slice(from);
}

/**
 * The same for the lines of one text, over several of which a span may reach: as many as before, with one in the midst of a
 * span left empty. What is never closed is left to be looked for in each line by itself.
 */
export function linesWithoutPrivate(lines: readonly string[]): readonly string[] {
  return piecesWithoutPrivate(lines, false);
}

/** The same for blocks of text of one message, which are read as one: what is never closed hides those that follow too. */
export function blocksWithoutPrivate(blocks: readonly string[]): readonly string[] {
  return piecesWithoutPrivate(blocks, true);
}

function piecesWithoutPrivate(lines: readonly string[], hidesUnclosed: boolean): readonly string[] {
  const spans = lines.some(mayHavePrivate) ? spansIn(lines.join("\n"), hidesUnclosed) : [];
  if (spans.length === 0) return lines;
  let begin = 0;
  let next = 0;
  return lines.map((line) => {
    const end = begin + line.length;
    let result = "";
    let from = begin;
    for (let span = spans[next]; span !== undefined && span.start < end; span = spans[next]) {
      result += line.slice(from - begin, Math.max(span.start, begin) - begin);
      if (span.start >= begin) result += PRIVATE_MARK;
      from = Math.min(span.end, end);
      if (span.end > end) break;
      next += 1;
    }
    result += line.slice(from - begin);
    begin = end + 1;
    return result;
  });
}

interface Tag extends Span {
  readonly opens: boolean;
  /** Number of the block of code it stands in; 0 outside. */
  readonly block: number;
}

/** Nobody writes more of them; then all from the first to the last is hidden. */
const MOST_TAGS = 1_000;

function spansIn(text: string, hidesUnclosed: boolean): readonly Span[] {
  const tags = tagsIn(text);
  if (tags.length === 0) return [];
  const final = tags.findLastIndex(({ opens }) => !opens);
  const isCut = CUT.test(text.slice(-MARK_OF_CUT));
  const spans: Span[] = [];
  for (let at = 0; at < tags.length; at += 1) {
    const tag = tags[at];
    if (tag === undefined || !tag.opens) continue;
    const isMany = tags.length > MOST_TAGS;
    const { last, isClosed } = isMany || at > final ? { last: final, isClosed: at < final } : closing(tags, at);
    if (!isClosed && hidesUnclosed && tag.block === 0 && (isCut || startsLine(text, tag.start))) {
      spans.push({ start: tag.start, end: text.length });
      break;
    }
    const end = tags[last]?.end;
    if (end === undefined || last <= at) continue;
    spans.push({ start: tag.start, end });
    at = last;
  }
  return spans;
}

/** Where the span ends that begins with a tag: at the tag that closes it, or of too few the one that comes nearest to it. */
function closing(tags: readonly Tag[], first: number): { readonly last: number; readonly isClosed: boolean } {
  const block = tags[first]?.block ?? 0;
  let [depth, least, last] = [0, Number.POSITIVE_INFINITY, -1];
  for (let at = first; at < tags.length; at += 1) {
    const tag = tags[at];
    if (tag === undefined || (block !== 0 && tag.block !== 0 && tag.block !== block)) continue;
    depth += tag.opens ? 1 : -1;
    if (tag.opens || depth >= least) continue;
    [least, last] = [depth, at];
    if (depth === 0) break;
  }
  return { last, isClosed: least === 0 };
}

/** Blanks, and the signs of a quotation, a list, a heading or a patch, may stand before it. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST_SIGNS), at);
  return (at < MOST_SIGNS ? /(?:^|[\n\r])[ \t>+*#-]*$/ : /[\n\r][ \t>+*#-]*$/).test(before);
}

const MOST_SIGNS = 40;
/** What ends a text of which the rest was left out. */
const CUT = /(?:…|\.{3})[\])]?\s{0,4}$/;
const MARK_OF_CUT = 12;

function tagsIn(text: string): readonly Tag[] {
  const found = [...text.matchAll(TAG)].map(({ index, 0: tag, 1: slash }) => ({
    start: index,
    end: index + tag.length,
    opens: slash === undefined,
  }));
  const tags = found.filter(({ start, end }) => text[start - 1] !== "`" || text[end] !== "`");
  if (tags.length === 0) return [];
  const blocks = blocksOfCode(text);
  let next = 0;
  return tags.map((tag) => {
    while ((blocks[next]?.end ?? Number.POSITIVE_INFINITY) <= tag.start) next += 1;
    return { ...tag, block: (blocks[next]?.start ?? Number.POSITIVE_INFINITY) <= tag.start ? next + 1 : 0 };
  });
}

const FENCE = /^[ \t>]{0,12}(`{3,}|~{3,})([^\n]*)$/gm;

/** Blocks between fences. One that does not end is none: what follows may be anything. */
function blocksOfCode(text: string): readonly Span[] {
  const blocks: Span[] = [];
  let open: { readonly fence: string; readonly start: number } | undefined;
  for (const { index, 0: line, 1: fence = "", 2: rest = "" } of text.matchAll(FENCE)) {
    if (open === undefined) {
      open = { fence, start: index };
    } else if (fence.startsWith(open.fence) && rest.trim() === "") {
      blocks.push({ start: open.start, end: index + line.length });
      open = undefined;
    }
  }
  return blocks;
}
