import { fold, isCjk } from "../core/words.ts";
import type { Clause } from "../store/store.ts";
import { cjkPairs, cjkWords } from "./cjk-words.ts";
import type { Term } from "./query.ts";

/** What to look for, the strictest way first; ways that would find the same are the same list. */
export interface Clauses {
  /** One for each term, as typed. */
  readonly typed: readonly Clause[];
  /** Chinese, Japanese and Korean by the words in it. */
  readonly words: readonly Clause[];
  /** And by parts of longer words, for where some of all is enough. */
  readonly parts: readonly Clause[];
  /** Texts that were quoted. */
  readonly quoted: ReadonlySet<string>;
  /** What is left out of `words` and `parts`. */
  readonly ignored: readonly string[];
}

/** More words than this are a pasted text; its longest words, which are mostly its rarest, are enough to find it. */
const MAX_TERMS = 16;

export function clausesOf(terms: readonly Term[]): Clauses {
  const typed = clauses(terms.map((term) => term.text));
  const quoted = new Set(terms.filter((term) => term.isPhrase).map((term) => term.text));
  const isRun = ({ text, isPhrase }: Term): boolean => !isPhrase && isCjk(text);
  if (!terms.some(isRun)) return { typed, words: typed, parts: typed, quoted, ignored: [] };
  const apart = terms.map((term) => (isRun(term) ? cjkWords(term.text) : { words: [term.text], ignored: [] }));
  const words = apart.flatMap((one) => one.words);
  // Nothing but words that carry no meaning: then they are what was meant.
  if (words.length === 0) return { typed, words: typed, parts: typed, quoted, ignored: [] };
  return {
    typed,
    words: clauses(words),
    parts: clauses(words.flatMap(cjkPairs)),
    quoted,
    ignored: apart.flatMap((one) => one.ignored),
  };
}

/** Each text once, in order, of the longest as many as can be looked for. */
function clauses(texts: readonly string[]): readonly Clause[] {
  const distinct = [...new Map(texts.map((text): [string, Clause] => [fold(text), { text }])).values()];
  if (distinct.length <= MAX_TERMS) return distinct;
  const chosen = new Set(distinct.toSorted((a, b) => b.text.length - a.text.length).slice(0, MAX_TERMS));
  return distinct.filter((clause) => chosen.has(clause));
}
