import { tokenize } from "../core/words.ts";

/** Words of a text, folded, with one blank between and around: another text quotes it where its own hold them. */
export function phraseOf(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

export function wordsOf(text: string): readonly string[] {
  return tokenize(text).map(({ word }) => word);
}

/** How many different words of a text say something by themselves. */
export function tellingWords(text: string): number {
  return new Set(wordsOf(text).filter(isTelling)).size;
}

export function isTelling(word: string): boolean {
  return word.length > 2 && !PLAIN.has(word);
}

/** Words that stand in most sentences. */
const PLAIN = new Set(
  "the and for with from that this have has not was are but you can its into onto out all add use new one two per via".split(
    " ",
  ),
);

/** Without the mark that something was cut off. */
export function uncut(text: string): string {
  return text.trim().replace(/\s*(?:…|\.\.\.)$/, "");
}
