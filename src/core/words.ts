import { stemmer } from "stemmer";
import { once } from "./once.ts";
import { isAscii } from "./text.ts";

/**
 * The language of the word index. Both sides use it: what is indexed and what is looked for go through `indexable`,
 * so that they are cut the same way.
 *
 * SQLite's unicode61 tokenizer takes runs of letters and digits, so `foo_bar`, `foo.bar()` and paths fall into their
 * parts by themselves and are found whole as phrases. Four things it cannot do are done here: Chinese, Japanese and
 * Korean text is spaced out, character by character, so that any part of a run is a phrase; emoji and other symbols
 * end a word, of which it knows only the older ones; signs that carry meaning (`c++`, `c#`) become words; camelCase
 * gets its parts in a field of their own.
 */
export function indexable(text: string): string {
  const signed = SIGNED_HINT.test(text) ? text.replace(SIGNED, spellSigns) : text;
  if (!UNUSUAL.test(signed)) return signed;
  const composed = signed.normalize("NFC");
  return (CJK_HINT.test(composed) ? composed.replace(cjk(), " $& ") : composed).replace(foreign(), " ");
}

/** Parts of camelCase and letter-digit identifiers in a text, each identifier once, in order. */
export function identifierParts(text: string): string {
  const seen = new Set<string>();
  CAMEL_EDGE.lastIndex = 0;
  for (let edge = CAMEL_EDGE.exec(text); edge !== null; edge = CAMEL_EDGE.exec(text)) {
    let start = edge.index;
    let end = edge.index + 2;
    while (start > 0 && isWordCode(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isWordCode(text.charCodeAt(end))) end++;
    seen.add(text.slice(start, end));
    CAMEL_EDGE.lastIndex = end;
  }
  if (seen.size === 0) return "";
  return [...seen].map((identifier) => identifier.replace(CAMEL_CUT, " ")).join(" . ");
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** A word of a text: what it says, folded for comparison, and where it stands. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words as the index sees them: lower case, Latin without diacritics, CJK one character each. Unstemmed. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(isAscii(text) ? PLAIN_TOKEN : token())) {
    tokens.push({ word: fold(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Lower case, and Latin letters without diacritics, as the index compares. */
export function fold(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  return word.normalize("NFC").replace(WIDE, foldOne).replace(MARKS, "").toLowerCase();
}

/** The form under which the index keeps a folded word. */
export function stem(word: string): string {
  // All endings are plain letters. FTS5's porter leaves alone what is outside these lengths.
  if (word.length < 3 || word.length > 64 || !ENDS_PLAIN.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const stemmed = isAscii(word) ? stemmer(word) : stemBytes(word);
  stems.set(word, stemmed);
  return stemmed;
}

const stems = new Map<string, string>();
const MAX_STEMS = 10_000;

// FTS5's porter counts bytes: to it, the ß of `straße` is two consonants. They have no case, so that none is changed.
function stemBytes(word: string): string {
  const bytes = [...Buffer.from(word)];
  if (bytes.length > 64) return word;
  const stemmed = stemmer(String.fromCharCode(...bytes.map((byte) => (byte < 0x80 ? byte : BYTE_BASE + byte))));
  return Buffer.from([...stemmed].map((byte) => byte.charCodeAt(0) % BYTE_BASE)).toString();
}

export function isCjk(text: string): boolean {
  return !isAscii(text) && cjkOne().test(text);
}

function spellSigns(_: string, name: string, sign: string): string {
  const spelled = sign === "#" ? `${name}sharp` : `${name}plusplus`;
  return `${name}${sign} ${spelled} `;
}

// Letters of other scripts keep their marks: in Cyrillic and Japanese they make another letter.
function foldOne(character: string): string {
  const lower = foldCase(character);
  const [base = ""] = lower.normalize("NFD");
  return LATIN.test(base) ? base : lower;
}

// As Unicode folds case: by way of the upper case, which all forms of a letter share (σ and ς), but ı is no i.
function foldCase(character: string): string {
  const lower = character.toLowerCase();
  const folded = lower.toUpperCase().toLowerCase();
  return folded.length === lower.length && !isAscii(folded) ? folded : lower;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: the range is ASCII
const WIDE = /[^\u0000-\u007f]/gu;
const LATIN = /^[a-z]$/;
const ENDS_PLAIN = /[a-z]$/;
const BYTE_BASE = 0xe000;
// Combining marks that unicode61 takes as part of a word and leaves out of it.
const MARK_RANGE = "\\u0300-\\u0304\\u0306-\\u030c\\u030f\\u0311\\u031b\\u0323-\\u0328\\u032d\\u032e\\u0330\\u0331";
const MARKS = new RegExp(`[${MARK_RANGE}]`, "gu");
const CJK_RANGE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}々〆ー";
const cjk = once(() => new RegExp(`[${CJK_RANGE}]`, "gu"));
const cjkOne = once(() => new RegExp(`[${CJK_RANGE}]`, "u"));
const foreign = once(() => new RegExp(`[^\\u0000-\\u007f\\p{L}\\p{N}${MARK_RANGE}]+`, "gu"));
// Beyond Latin letters, punctuation, arrows and boxes, which are most of what is not ASCII and need no care.
const UNUSUAL = /[^\u0000-\u02ff\u2010-\u27ff]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: the range is ASCII
const token = once(
  () => new RegExp(`(?=[\\p{L}\\p{N}])(?:[${CJK_RANGE}]|(?:(?![${CJK_RANGE}])[\\p{L}\\p{N}${MARK_RANGE}])+)`, "gu"),
);
/** What that comes to in ASCII. */
const PLAIN_TOKEN = /[A-Za-z0-9]+/g;
const SIGNED_HINT = /[A-Za-z](?:\+\+|#)/;
const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]{1,3})(\+\+|#)(?![A-Za-z_+#])/g;
const CAMEL_EDGE = /[a-z0-9][A-Z]|[A-Z][A-Z](?=[a-z])/g;
const CAMEL_CUT = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
// Cheaper than the property classes; the few others in it are left alone by the replacement.
const CJK_HINT = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\ud840-\ud8ff]/;
