/** First and last line, from 1. */
export type LineRange = readonly [first: number, last: number];

/**
 * The lines of a text in which a symbol is defined, by what most languages have in common. `Outer.inner` is looked for
 * within `Outer`. In Markdown, a symbol is a heading, and its lines are its section. Undefined where nothing is sure to
 * define it: a place in which it is only used would seem to stand whatever is done to it.
 */
export function rangeOfSymbol(text: string, symbol: string, path: string): LineRange | undefined {
  const lines = text.split("\n");
  if (/\.(?:md|mdx|markdown)$/i.test(path)) return sectionOf(lines, symbol);
  const code = lines.map(withoutComments);
  let within: LineRange = [1, lines.length];
  for (const [level, name] of symbol
    .replace(/\(\)$/, "")
    .split(/\.|::|#/)
    .filter(Boolean)
    .entries()) {
    const found = rangeWithin(code, name, level === 0 ? within : [within[0] + 1, within[1]]);
    if (found === undefined) return undefined;
    within = found;
  }
  return within;
}

function rangeWithin(code: readonly string[], name: string, [first, last]: LineRange): LineRange | undefined {
  const at = definitionsOf(name)
    .map((defines) => code.findIndex((line, index) => index + 1 >= first && index + 1 <= last && defines.test(line)))
    .find((index) => index >= 0);
  return at === undefined ? undefined : [at + 1, endOfBlock(code, at) + 1];
}

/** The surest first: a line with a word that defines, a method with its body, a key or an assignment. */
function definitionsOf(name: string): readonly RegExp[] {
  const own = `${NOT_BEFORE}${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}${NOT_AFTER}`;
  return [
    new RegExp(`${DEFINES}[^=;(){}]*?${own}`, "u"),
    new RegExp(`^\\s*(?:[\\p{L}\\p{N}_<>[\\],?*&@:]+\\s+)*#?${own}\\s*(?:<[^>]*>)?\\s*\\((?![^)]*\\)\\s*[;,.)])`, "u"),
    new RegExp(`^\\s*(?:-\\s+)?(?:[\\w.]+\\.)?["'\`]?${own}["'\`]?\\s*(?::|=(?!=))`, "u"),
  ];
}

const NOT_BEFORE = "(?<![\\p{L}\\p{N}_$])";
const NOT_AFTER = "(?![\\p{L}\\p{N}_$])";
const DEFINES =
  "\\b(?:function|class|interface|type|enum|struct|trait|impl|union|module|namespace|package|def|fn|func|fun|sub|proc|const|let|var|val|macro|record|object)\\b\\*?";

/**
 * Goes on while a bracket is open, then through a body that begins on the next line, by brace or by indentation, and
 * takes in the line that closes it.
 */
function endOfBlock(code: readonly string[], start: number): number {
  const base = indentOf(code[start] ?? "");
  let depth = depthOf(code[start] ?? "");
  let end = start;
  for (let next = start + 1; next < code.length; next += 1) {
    const line = code[next] ?? "";
    if (line.trim() === "") continue;
    const goesOn = depth > 0 || indentOf(line) > base || /^\s*\{/.test(line);
    if (!goesOn)
      return /^\s*(?:[)\]}]|end\b)/.test(line) && depth === 0 && end > start && isOpenEnd(code, start, end)
        ? next
        : end;
    depth += depthOf(line);
    end = next;
    if (depth <= 0 && /^\s*[)\]}]/.test(line) && indentOf(line) <= base && !/[:{]\s*$/.test(line)) return end;
  }
  return end;
}

/** Whether a block is closed by a word and not by a bracket, as in Ruby. */
function isOpenEnd(code: readonly string[], start: number, end: number): boolean {
  return code.slice(start, end + 1).every((line) => !/\{\s*$/.test(line));
}

/** Brackets that a line opens, less those that it closes. Those in strings don't count. */
function depthOf(line: string): number {
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g, "");
  return (bare.match(/[([{]/g) ?? []).length - (bare.match(/[)\]}]/g) ?? []).length;
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].replaceAll("\t", "    ").length ?? 0;
}

/** A line of a comment is blank, so that a symbol that it names is not taken for one that it defines. */
function withoutComments(line: string): string {
  return /^\s*(?:\/\/|\/?\*|#(?![\p{L}_]+\s*[(=])|--\s|;|<!--)/u.test(line) ? "" : line.replace(/\s\/\/\s.*$/, "");
}

function sectionOf(lines: readonly string[], symbol: string): LineRange | undefined {
  const wanted = slugOf(symbol);
  const levels = lines.map((line) => /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line));
  const at = levels.findIndex((heading) => heading !== null && slugOf(heading[2] ?? "") === wanted);
  if (at < 0 || wanted === "") return undefined;
  const level = levels[at]?.[1]?.length ?? 0;
  const next = levels.findIndex(
    (heading, index) => index > at && heading !== null && (heading[1]?.length ?? 7) <= level,
  );
  return [at + 1, next < 0 ? lines.length : next];
}

/** As in a link to a heading: lower case, blanks as `-`, without signs. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]+/gu, "")
    .trim()
    .replace(/\s+/g, "-");
}
