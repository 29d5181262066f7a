import { codeAt } from "./char-code.ts";
import { SHORTEST_TOKEN, TOKEN_RULES, type TokenRule } from "./redact-providers.ts";

/**
 * Finds the tokens of providers, by their table.
 *
 * A token is a long run of token characters, so looking at every `SHORTEST_TOKEN`th character finds all runs that can
 * hold one. Within a run, the two characters at the start of a word tell which rules to try.
 */
export function findTokens(text: string, found: (start: number, end: number, name: string) => void): void {
  // Asked once: strings come in so many forms that asking again costs more than looking at a character.
  const { length } = text;
  let from = 0;
  for (let at = SHORTEST_TOKEN - 1; at < length; at = from + SHORTEST_TOKEN - 1) {
    const first = from;
    from = at + 1;
    if (!isTokenCharacter(codeAt(text, at))) continue;
    let start = at;
    while (start > first && isTokenCharacter(codeAt(text, start - 1))) start--;
    // Most runs are words; where one cannot reach as far as a token does is seen at once.
    const least = start + SHORTEST_TOKEN - 1;
    if (least >= length) return;
    if (!isTokenCharacter(codeAt(text, least))) {
      from = least + 1;
      continue;
    }
    while (from < length && isTokenCharacter(codeAt(text, from))) from++;
    if (from - start >= SHORTEST_TOKEN) from = Math.max(from, searchRun(text, start, from, found));
  }
}

const JOINT = 1;
const ALPHANUMERIC = 2;

/** What an ASCII character is to a token: nothing, a joint such as `-`, or a letter or digit. */
const CHARACTERS = new Uint8Array(128);
for (const character of "_.-") CHARACTERS[character.charCodeAt(0)] = JOINT;
for (const [first, last] of ["09", "AZ", "az"].map((range) => [range.charCodeAt(0), range.charCodeAt(1)] as const)) {
  CHARACTERS.fill(ALPHANUMERIC, first, last + 1);
}

/** Letters, digits, `_`, `.` and `-`. */
export function isTokenCharacter(code: number): boolean {
  return code < 128 && CHARACTERS[code] !== 0;
}

function isAlphanumeric(code: number): boolean {
  return code < 128 && CHARACTERS[code] === ALPHANUMERIC;
}

/** Rules by the first two characters of their prefixes; 0 in `BUCKET_OF` means that no prefix begins like that. */
const BUCKETS: TokenRule[][] = [[]];
const BUCKET_OF = new Uint8Array(128 * 128);
for (const rule of TOKEN_RULES) {
  for (const pair of new Set(rule.prefixes.map((prefix) => pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1))))) {
    BUCKET_OF[pair] ||= BUCKETS.push([]) - 1;
    BUCKETS[BUCKET_OF[pair] ?? 0]?.push(rule);
  }
}

function pairOf(first: number, second: number): number {
  return (first << 7) | second;
}

/** Returns where the last token ended, since some go on with characters that end a run. */
function searchRun(
  text: string,
  start: number,
  end: number,
  found: (start: number, end: number, name: string) => void,
): number {
  const unescaped = endOfEscape(text, start);
  let at = start;
  let before = JOINT;
  while (at < end - 1) {
    const code = codeAt(text, at);
    const kind = CHARACTERS[code] ?? 0;
    const startsWord = before === JOINT || kind === JOINT || at === unescaped;
    before = kind;
    const bucket = startsWord ? (BUCKET_OF[pairOf(code, codeAt(text, at + 1))] ?? 0) : 0;
    at = bucket === 0 ? at + 1 : tryRules(text, at, BUCKETS[bucket] ?? [], found);
  }
  return at;
}

/** Where the text goes on after `\n`, `%3D` or `ESC[32m`, whose last characters a run begins with. */
function endOfEscape(text: string, start: number): number {
  switch (start === 0 ? 0 : codeAt(text, start - 1)) {
    case BACKSLASH:
      return start + 1;
    case PERCENT:
      return start + 2;
    case BRACKET:
    case SEMICOLON:
      COLOUR_END.lastIndex = start;
      return COLOUR_END.test(text) ? COLOUR_END.lastIndex : start;
    default:
      return start;
  }
}

const [BACKSLASH, PERCENT, BRACKET, SEMICOLON] = [0x5c, 0x25, 0x5b, 0x3b];

const COLOUR_END = /\d{0,3}m/y;

/** Returns where to go on: behind what was matched, so that no text is read twice, or one further. */
function tryRules(
  text: string,
  at: number,
  rules: readonly TokenRule[],
  found: (start: number, end: number, name: string) => void,
): number {
  let next = at + 1;
  for (const { prefixes, pattern, check, name } of rules) {
    if (!prefixes.some((prefix) => text.startsWith(prefix, at))) continue;
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token === undefined || isAlphanumeric(codeAt(text, at + token.length))) continue;
    if (check(token)) {
      found(at, at + token.length, name);
      return at + token.length;
    }
    next = Math.max(next, at + token.length);
  }
  return next;
}
