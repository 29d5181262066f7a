import { stemmer } from "stemmer";

/**
 * The language of the word index. Both sides use it: what is indexed and what is looked for go through `indexable`,
 * so that they are cut the same way.
 *
 * SQLite's unicode61 tokenizer takes runs of letters and digits, so `foo_bar`, `foo.bar()` and paths fall into their
 * parts by themselves and are found whole as phrases. Three things it cannot do are done here: Chinese, Japanese and
 * Korean text is spaced out, character by character, so that any part of a run is a phrase; signs that carry meaning
 * (`c++`, `c#`) become words; camelCase gets its parts in a field of their own.
 */
export function indexable(text: string): string {
  const signed = SIGNED_HINT.test(text) ? text.replace(SIGNED, spellSigns) : text;
  return NON_ASCII.test(signed) ? signed.replace(CJK, " $& ") : signed;
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

/** Words as the index sees them: lower case, without diacritics, CJK one character each. Unstemmed. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    tokens.push({ word: fold(match[0]), start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Lower case without diacritics, as the index compares. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  return NON_ASCII.test(lower) ? lower.normalize("NFD").replace(MARKS, "") : lower;
}

/** The form under which the index keeps a folded word. */
export function stem(word: string): string {
  // FTS5's porter leaves alone what is outside these lengths or not plain letters.
  if (word.length < 3 || word.length > 64 || NOT_PLAIN.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS) stems.clear();
  const stemmed = stemmer(word);
  stems.set(word, stemmed);
  return stemmed;
}

const stems = new Map<string, string>();
const MAX_STEMS = 10_000;

export function isCjk(text: string): boolean {
  return CJK_ONE.test(text);
}

function spellSigns(_: string, name: string, sign: string): string {
  const spelled = sign === "#" ? `${name}sharp` : `${name}plusplus`;
  return `${name}${sign} ${spelled}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
const NON_ASCII = /[^\u0000-\u007f]/;
const NOT_PLAIN = /[^a-z]/;
const MARKS = /\p{Mn}/gu;
const CJK_RANGE = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}々〆ー";
const CJK = new RegExp(`[${CJK_RANGE}]`, "gu");
const CJK_ONE = new RegExp(`[${CJK_RANGE}]`, "u");
const TOKEN = new RegExp(`[${CJK_RANGE}]|(?:(?![${CJK_RANGE}])[\\p{L}\\p{N}\\p{Co}\\p{Mn}])+`, "gu");
const SIGNED_HINT = /[A-Za-z](?:\+\+|#)/;
const SIGNED = /(?<![A-Za-z0-9_])([A-Za-z]{1,3})(\+\+|#)(?![A-Za-z0-9_+#])/g;
const CAMEL = /[A-Za-z0-9]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*/g;
const CAMEL_EDGE = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
