import { neutralise } from "../../core/fence.ts";

/** Stored text for one line of a terminal: made safe, white space run together. */
export function oneLine(text: string): string {
  return neutralise(text.replace(/\s+/g, " ")).trim();
}

/** Stored text of several lines for a terminal: made safe, white space as it was. */
export function block(text: string): string {
  return neutralise(text.replace(/\r\n?/g, "\n")).trimEnd();
}

/** Columns that plain text takes on a terminal: none for combining marks, two for East Asian wide characters and emoji. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** At most `width` columns, ending in `…` if something was cut off. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let left = width - 1;
  let kept = "";
  for (const char of text) {
    left -= charWidth(char);
    if (left < 0) break;
    kept += char;
  }
  return width < 1 ? "" : `${kept.trimEnd()}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + space : space + text;
}

/**
 * Where to break text without line breaks into lines of at most `width` columns, as [start, end) offsets. Breaks at
 * spaces, and inside a word only if the word is wider than a line.
 */
export function wrap(text: string, width: number): [number, number][] {
  const lines: [number, number][] = [];
  let start = 0;
  while (start < text.length) {
    const end = lineEnd(text, start, width);
    lines.push([start, end]);
    start = end;
  }
  return lines;
}

// After the last space that fits, else before the character that does not; a line has at least one, or none would end.
function lineEnd(text: string, start: number, width: number): number {
  let used = 0;
  let at = start;
  let afterSpace: number | undefined;
  for (const char of text.slice(start)) {
    used += charWidth(char);
    if (used > width && char !== " " && at > start) return afterSpace ?? at;
    at += char.length;
    if (char === " ") afterSpace = at;
  }
  return text.length;
}

function charWidth(char: string): number {
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

const PLAIN = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]/u;
// Blocks that Unicode's EastAsianWidth.txt lists as W or F, coarsely, and what is shown as an emoji by default.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
