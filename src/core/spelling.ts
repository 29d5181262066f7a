/**
 * How many letters have to be put in, left out, changed, or swapped with their neighbour to make one word of another.
 * No letter is touched twice.
 */
export function editDistance(one: string, other: string): number {
  const wanted = codesOf(other);
  const rows = [firstRow(wanted)];
  const codes = codesOf(one);
  for (let at = 0; at < codes.length; at++) rows.push(nextRow(rows, codes, wanted));
  return rows.at(-1)?.at(-1) ?? 0;
}

/** How far a search for near terms goes. */
export interface Nearness {
  /** At most so many letters apart. */
  readonly distance: number;
  /** So many letters at the beginning are the same; at least one. */
  readonly kept: number;
  /** Looks into the terms so many times at most; what lies behind is not found. */
  readonly looks: number;
}

/**
 * Terms of a sorted list that are near a word, in the order of the list.
 *
 * `firstFrom` tells the first term at or behind a text. What no near term can begin with is passed over in one look, so
 * that the cost goes by the word and not by the length of the list.
 */
export function nearTerms(
  word: string,
  { distance, kept, looks }: Nearness,
  firstFrom: (from: string) => string | undefined,
): string[] {
  const wanted = codesOf(word);
  const beginning = textOf(wanted.slice(0, kept));
  const found: string[] = [];
  let from: string | undefined = beginning;
  for (let look = 0; look < looks && from !== undefined; look++) {
    const term = firstFrom(from);
    if (term?.startsWith(beginning) !== true) break;
    const codes = codesOf(term);
    const rows = [firstRow(wanted)];
    while (rows.length <= codes.length && least(rows.at(-1)) <= distance) rows.push(nextRow(rows, codes, wanted));
    if (least(rows.at(-1)) <= distance) {
      if ((rows.at(-1)?.at(-1) ?? 0) <= distance) found.push(term);
      from = behind(rows, codes, codes.length, 0, { wanted, distance, kept });
    } else {
      rows.pop();
      const at = rows.length - 1;
      from = behind(rows, codes, at, codes[at] ?? 0, { wanted, distance, kept });
    }
  }
  return found;
}

/** What a word may be if something is wrong with its first letter: that is too much, missing, another, or swapped. */
export function otherBeginnings(word: string): readonly string[] {
  const [first = "", second = "", ...rest] = word;
  const behindFirst = second + rest.join("");
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  return [
    second + first + rest.join(""),
    behindFirst,
    ...letters.map((letter) => letter + behindFirst),
    ...letters.map((letter) => letter + word),
  ].filter((one) => one !== word);
}

interface Aim {
  readonly wanted: readonly number[];
  readonly distance: number;
  readonly kept: number;
}

/** The first text that a near term can begin with, of those that go on as `codes` up to `at` and then with more than `after`. */
function behind(
  rows: readonly (readonly number[])[],
  codes: readonly number[],
  at: number,
  after: number,
  aim: Aim,
): string | undefined {
  const { wanted, distance, kept } = aim;
  if (at < kept) return undefined;
  const row = rows[at] ?? [];
  if (least(row) < distance) return textOf([...codes.slice(0, at), next(after)]);
  // No letter may be wrong any more: only those that go on with the word, or end a swap, are left.
  let code = Number.POSITIVE_INFINITY;
  for (let index = 0; index < wanted.length; index++) {
    const letter = wanted[index] ?? 0;
    const swaps = at > 0 && wanted[index + 1] === codes[at - 1] && (rows[at - 1]?.[index] ?? distance) < distance;
    if (letter > after && letter < code && ((row[index] ?? distance + 1) <= distance || swaps)) code = letter;
  }
  if (code < Number.POSITIVE_INFINITY) return textOf([...codes.slice(0, at), code]);
  return at === 0 ? undefined : behind(rows, codes, at - 1, codes[at - 1] ?? 0, aim);
}

function firstRow(wanted: readonly number[]): number[] {
  return Array.from({ length: wanted.length + 1 }, (_, at) => at);
}

/** Distances of one letter more of `codes` to each beginning of `wanted`. */
function nextRow(rows: readonly (readonly number[])[], codes: readonly number[], wanted: readonly number[]): number[] {
  const at = rows.length - 1;
  const [before = [], row = []] = [rows[at - 1], rows[at]];
  const made = [at + 1];
  for (let index = 1; index <= wanted.length; index++) {
    const isSame = wanted[index - 1] === codes[at];
    let least = Math.min((row[index - 1] ?? 0) + (isSame ? 0 : 1), (row[index] ?? 0) + 1, (made[index - 1] ?? 0) + 1);
    const isSwap = at > 0 && index > 1 && wanted[index - 1] === codes[at - 1] && wanted[index - 2] === codes[at];
    if (isSwap) least = Math.min(least, (before[index - 2] ?? 0) + 1);
    made.push(least);
  }
  return made;
}

function least(row: readonly number[] | undefined): number {
  return Math.min(...(row ?? []));
}

/** The next character there can be. */
function next(code: number): number {
  return code === 0xd7ff ? 0xe000 : code + 1;
}

function codesOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}

function textOf(codes: readonly number[]): string {
  return String.fromCodePoint(...codes);
}
