/** Marks where text was left out. */
function cutMarker(chars: number): string {
  return `[…cut ${chars} characters…]`;
}

/**
 * Keeps the first three quarters and the last quarter of a text that is longer than `limit` UTF-16 units, with a
 * marker between. Never splits a surrogate pair. What was clipped to that limit before comes out as it is.
 */
export function clipMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isClipped = text.length <= limit + MARKER_CHARS && CUT_MARKER.test(text);
  return isClipped ? text : joinEnds(text, text, limit, text.length);
}

const CUT_MARKER = /\n\[…cut \d+ characters…\]\n/;
const MARKER_CHARS = 40;

/**
 * The same of a text of `length` of which only the beginning and the end are at hand: three quarters of `limit` from
 * `beginning`, one from `end`.
 */
export function joinEnds(beginning: string, end: string, limit: number, length: number): string {
  const head = wholeCharacters(beginning, Math.min(beginning.length, Math.floor(limit * 0.75)));
  const tailFrom = Math.max(0, end.length - Math.floor(limit * 0.25));
  const tail = end.slice(isLowSurrogate(end, tailFrom) ? tailFrom + 1 : tailFrom);
  return `${head}\n${cutMarker(length - head.length - tail.length)}\n${tail}`;
}

/** One line of at most `limit` characters, cut at a word if one ends near, with an ellipsis. */
export function clipLine(text: string, limit: number): string {
  const whole = text.trim();
  const line = whole
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= limit && whole.length <= limit * 4) return line;
  const head = wholeCharacters(line, Math.min(line.length, limit - 1));
  const space = head.lastIndexOf(" ");
  return `${space > limit * 0.6 ? head.slice(0, space) : head}…`;
}

/**
 * Tokens a model would count, estimated: four characters each for Latin text, one each for CJK. Within a fifth of
 * common tokenizers on prose and code; meant for budgets, not for bills.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/**
 * Cuts a text into pieces of at most `limit` characters at the strongest border near the end of each: a blank line,
 * a line, a sentence, a space.
 */
export function splitAtBorders(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > limit) {
    const end = from + borderBefore(text.slice(from, from + limit));
    pieces.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}

function borderBefore(window: string): number {
  const least = window.length >> 1;
  for (const border of ["\n\n", "\n", ". ", " "]) {
    const at = window.lastIndexOf(border);
    if (at >= least) return at + border.length;
  }
  return wholeCharacters(window, window.length).length;
}

function wholeCharacters(text: string, end: number): string {
  return text.slice(0, isHighSurrogate(text, end - 1) ? end - 1 : end);
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

/** Whether a text has one of these words, without compiling anything. */
export function hasAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word));
}

/** Of a text that is, plain classes of letters say what those of Unicode do, which take milliseconds to make. */
export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
const NON_ASCII = /[^\u0000-\u007f]/;
