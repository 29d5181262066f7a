import { tokenize } from "../core/words.ts";
import type { Term } from "./query.ts";

const STOP_WORDS = new Set(
  `a about all am an and any are as at be been but by can could did do does for from get got had has have he her him his
  how i if in into is it its just like me my no not of on one or our out she should so some than that the their them then
  there these they this those to too up us was we were what when where which while who why will with would you your`.split(
    /\s+/,
  ),
);

/** Leaves out words that stand everywhere, unless they were quoted or, where it must not be empty, nothing else is left. */
export function withoutStopWords(
  terms: readonly Term[],
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): {
  readonly kept: readonly Term[];
  readonly ignored: readonly string[];
} {
  const isStop = (term: Term): boolean => {
    const tokens = tokenize(term.text);
    return (
      !term.isPhrase &&
      tokens.length > 0 &&
      tokens.every((token) => STOP_WORDS.has(token.word)) &&
      !/[^\p{L}\p{N}?!.,;]/u.test(term.text)
    );
  };
  const kept = terms.filter((term) => !isStop(term));
  if (kept.length === 0 && !mayBeEmpty) return { kept: terms, ignored: [] };
  return { kept, ignored: terms.filter(isStop).map((term) => term.text) };
}
