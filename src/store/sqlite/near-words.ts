import { editDistance, nearTerms, otherBeginnings } from "../../core/spelling.ts";
import { stem } from "../../core/words.ts";
import { maybeText, type Statements } from "./statements.ts";

/** Shorter words are near too many others. */
const LEAST_LETTERS = 4;
/** From so many letters on two may be wrong, though not among the first. */
const LETTERS_FOR_TWO = 8;
const SURE_LETTERS = 3;
/** A look into the index costs some ten microseconds, and more where the pages have to be read first. */
const LOOKS = 130;
const FURTHER_LOOKS = 70;
const LEAST_BEGINNING = 3;
const PIECES = 3;
/** How often a word occurs is counted so far. */
const COUNTED = 100;

/** Words of the index like a folded one, with some rows of the index that have each. */
export function nearWords(
  sql: Statements,
  word: string,
  limit: number,
): readonly { readonly term: string; readonly rows: readonly number[] }[] {
  // Of the connection alone, so that a store that can only be read has it too. Instances, since rows would be counted through.
  sql.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, words, instance)");
  const firstFrom = (from: string): string | undefined =>
    maybeText(sql.get("SELECT term FROM temp.vocabulary WHERE term >= ? LIMIT 1", from)?.term);
  const roots = [stem(word), ...(ENDING.test(word) ? [word.replace(ENDING, "")] : [])];
  const isLong = word.length >= LEAST_LETTERS;
  const near = isLong ? differing(word, roots, firstFrom) : [];
  const others = isLong && near.length === 0 ? otherBeginnings(word).map(stem) : [];
  const all = new Set([...near, ...[...others, ...beginningsOf(word)].filter((term) => firstFrom(term) === term)]);
  const distanceOf = (term: string): number => Math.min(...roots.map((root) => editDistance(term, root)));
  return [...all]
    .filter((term) => term !== roots[0])
    .map((term) => ({ term, distance: distanceOf(term), count: countOf(sql, term) }))
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, limit)
    .map(({ term }) => ({ term, rows: rowsOf(sql, term) }));
}

/** A letter may have to be there before an ending is taken for one, so it is cut off whatever stands before it. */
const ENDING = /(?<=...)(?:[ei]?rs?|ors?|ing|ed|e?s|ations?|ions?|ments?|ly|al|ive|able|ity|ness)$/;

function differing(
  word: string,
  roots: readonly string[],
  firstFrom: (from: string) => string | undefined,
): readonly string[] {
  const [root = "", cut = root] = roots;
  const one = nearTerms(root, { distance: 1, kept: 1, looks: LOOKS }, firstFrom);
  const further = { distance: 1, kept: SURE_LETTERS - 1, looks: FURTHER_LOOKS };
  if (cut !== root) one.push(...nearTerms(cut, further, firstFrom));
  if (one.length > 0 || word.length < LETTERS_FOR_TWO) return one;
  return nearTerms(root, { distance: 2, kept: SURE_LETTERS, looks: FURTHER_LOOKS }, firstFrom);
}

/** What the index may keep of words that begin so, or that end wrongly. */
function beginningsOf(word: string): readonly string[] {
  return Array.from({ length: Math.max(0, word.length - LEAST_BEGINNING) }, (_, at) =>
    word.slice(0, LEAST_BEGINNING + at),
  );
}

function countOf(sql: Statements, term: string): number {
  return sql.number("SELECT count(*) FROM (SELECT 1 FROM temp.vocabulary WHERE term = ? LIMIT ?)", term, COUNTED) ?? 0;
}

function rowsOf(sql: Statements, term: string): readonly number[] {
  return sql.numbers("SELECT DISTINCT doc FROM temp.vocabulary WHERE term = ? LIMIT ?", term, PIECES);
}
