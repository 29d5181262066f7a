import { stemmer } from "stemmer";

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
  return NON_ASCII.test(signed) ? signed.normalize("NFC").replace(CJK, " $& ").replace(FOREIGN, " ") : signed;
}

/** Parts of camelCase and letter-digit identifiers in a text, each identifier once, in order. */
export function identifierParts(text: string): string {
  const found = text.match(CAMEL);
  if (found === null) return "";
  const parts: string[] = [];
  for (const identifier of new Set(found)) parts.push(identifier.replace(CAMEL_EDGE, " "));
  return parts.join(" . ");
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
  for (const match of text.matchAll(TOKEN)) {
    tokens.push({ word: fold(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Lower case, and Latin letters without diacritics, as the index compares. */
export function fold(word: string): string {
  if (!NON_ASCII.test(word)) return word.toLowerCase();
  return word.normalize("NFC").replace(WIDE, foldOne).replace(MARKS, "").toLowerCase();
}

/** The form under which the index keeps a folded word. */
export function stem(word: string): string {
  // All endings are plain letters. FTS5's porter leaves alone what is outside these lengths.
  if (word.length < 3 || word.length > 64 || !ENDS_PLAIN.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const stemmed = NON_ASCII.test(word) ? stemBytes(word) : stemmer(word);
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
  return CJK_ONE.test(text);
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
  return folded.length === lower.length && NON_ASCII.test(folded) ? folded : lower;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: the range is ASCII
const NON_ASCII = /[^\u0000-\u007f]/;
const WIDE = /[^\u0000-\u007f]/gu;
const LATIN = /^[a-z]$/;
const ENDS_PLAIN = /[a-z]$/;
const BYTE_BASE = 0xe000;
// Combining marks that unicode61 takes as part of a word and leaves out of it.
const MARK_RANGE = "\\u0300-\\u0304\\u0306-\\u030c\\u030f\\u0311\\u031b\\u0323-\\u0328\\u032d\\u032e\\u0330\\u0331";
const MARKS = new RegExp(`[${MARK_RANGE}]`, "gu");
const CJK_RANGE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}々〆ー";
const CJK = new RegExp(`[${CJK_RANGE}]`, "gu");
const CJK_ONE = new RegExp(`[${CJK_RANGE}]`, "u");
const FOREIGN = new RegExp(`[^\\u0000-\\u007f\\p{L}\\p{N}${MARK_RANGE}]+`, "gu");
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: the range is ASCII
const TOKEN = new RegExp(
  `(?=[\\p{L}\\p{N}])(?:[${CJK_RANGE}]|(?:(?![${CJK_RANGE}])[\\p{L}\\p{N}${MARK_RANGE}])+)`,
  "gu",
);
const SIGNED_HINT = /[A-Za-z](?:\+\+|#)/;
const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]{1,3})(\+\+|#)(?![A-Za-z_+#])/g;
const CAMEL = /[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*/g;
const CAMEL_EDGE = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
