/** Where the next of the words begins, and which; `undefined` where none does. */
export type FindWord = (text: string, from: number) => { readonly at: number; readonly word: string } | undefined;

/**
 * Finds words of three characters or more in a text, without regard to the case of ASCII letters. None may be the
 * beginning of another.
 *
 * Two characters tell how far the next word can begin at the least, so that most of a text is looked at every other
 * character (Wu and Manber, 1994). Regular expressions of as many words take several times as long.
 */
export function wordFinder(words: readonly string[]): FindWord {
  const shifts = new Uint8Array(SIZE * SIZE).fill(2);
  const buckets: string[][] = [[]];
  const bucketOf = new Uint8Array(SIZE * SIZE);
  for (const word of words) {
    const [first, middle, last] = [word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(2)];
    const pair = (middle << 7) | last;
    bucketOf[pair] ||= buckets.push([]) - 1;
    buckets[bucketOf[pair] ?? 0]?.push(word);
    shifts[pair] = 0;
    shifts[(first << 7) | middle] = Math.min(shifts[(first << 7) | middle] ?? 2, 1);
  }
  return (text, from) => {
    for (let end = from + 2; end < text.length; ) {
      const pair = (fold(text.charCodeAt(end - 1)) << 7) | fold(text.charCodeAt(end));
      const shift = shifts[pair] ?? 2;
      if (shift === 0) {
        const word = wordAt(text, end - 2, buckets[bucketOf[pair] ?? 0] ?? []);
        if (word !== undefined) return { at: end - 2, word };
      }
      end += shift || 1;
    }
    return undefined;
  };
}

const SIZE = 128;

/** Small letters for capitals, 0 for what is not ASCII. */
const FOLDED = new Uint8Array(SIZE).map((_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

function fold(code: number): number {
  return code < SIZE ? (FOLDED[code] ?? 0) : 0;
}

function wordAt(text: string, at: number, words: readonly string[]): string | undefined {
  for (const word of words) {
    let length = 0;
    while (length < word.length && fold(text.charCodeAt(at + length)) === word.charCodeAt(length)) length++;
    if (length === word.length) return word;
  }
  return undefined;
}
