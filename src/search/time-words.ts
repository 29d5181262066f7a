import { type DateRange, findDateRange } from "../core/dates.ts";
import { tokenize } from "../core/words.ts";
import type { Term } from "./query.ts";

/** What was asked, and from when and where. */
interface Asked {
  readonly terms: readonly Term[];
  readonly now: number;
  readonly timeZone?: string;
}

/** What is left of the words, and the time that the others spoke of. */
export interface TimedTerms {
  readonly terms: readonly Term[];
  readonly hint?: DateRange;
}

/** A time spoken of in plain words moves results up; its words need not stand in the text. */
export async function takeTimeWords(input: Asked): Promise<TimedTerms> {
  const plain = input.terms.filter((term) => !term.isPhrase).map((term) => term.text);
  const found = await findDateRange(plain.join(" "), input.now, input.timeZone);
  if (found === undefined) return { terms: input.terms };
  const spoken = wordsOf(found.text);
  return {
    terms: input.terms.filter((term) => term.isPhrase || !wordsOf(term.text).every((word) => spoken.includes(word))),
    hint: found.range,
  };
}

function wordsOf(text: string): string[] {
  return tokenize(text).map((token) => token.word);
}
