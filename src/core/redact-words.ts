import { codeAt } from "./char-code.ts";

/** Calls back for each word of a text that is looked for. */
type EachWord = (text: string, found: (at: number, word: string) => void) => void;

/**
 * Finds words of three characters or more in a text, without regard to the case of ASCII letters. Words that overlap may come in another order than they begin in.
 *
 * Three characters of each word are looked for, the rarest ones. Two characters of the text tell how far the next
 * three can be at the least, so that most of it is looked at every other character (Wu and Manber, 1994). A regular
 * expression of as many words takes several times as long.
 */
export function wordFinder(words: readonly string[]): EachWord {
  // Made when it is first needed: many a process starts and has nothing to look through.
  let find: EachWord | undefined;
  return (text, found) => {
    find ??= finderOf(words);
    find(text, found);
  };
}

function finderOf(words: readonly string[]): EachWord {
  const shifts = new Uint8Array(SIZE * SIZE).fill(2);
  const buckets: Anchor[][] = [[]];
  const bucketOf = new Uint8Array(SIZE * SIZE);
  for (const word of words) {
    const offset = rarestPart(word);
    for (const pair of pairsOf(word, offset)) shifts[pair] = Math.min(shifts[pair] ?? 2, 1);
    for (const pair of pairsOf(word, offset + 1)) {
      shifts[pair] = 0;
      bucketOf[pair] ||= buckets.push([]) - 1;
      buckets[bucketOf[pair] ?? 0]?.push({ word, before: offset + 2 });
    }
  }
  const see = (text: string, end: number, pair: number, found: (at: number, word: string) => void): number => {
    const shift = shifts[pair] ?? 2;
    if (shift === 0) tell(text, end, buckets[bucketOf[pair] ?? 0] ?? [], found);
    return shift || 1;
  };
  return (text, found) => {
    const { length } = text;
    if (length < SHORT) {
      for (let end = 2; end < length; ) {
        const pair = ((codeAt(text, end - 1) & 0xff) << 8) | (codeAt(text, end) & 0xff);
        end += see(text, end, pair, found);
      }
      return;
    }
    for (let from = 0; from + 2 < length; from += CHUNK - 2) {
      const size = BYTES.write(length <= CHUNK ? text : text.slice(from, from + CHUNK), "latin1");
      for (let end = 2; end < size; ) {
        const pair = ((BYTES[end - 1] ?? 0) << 8) | (BYTES[end] ?? 0);
        end += see(text, from + end, pair, found);
      }
    }
  };
}

/** For shorter texts it does not pay. */
const SHORT = 48;

/**
 * Characters as bytes, which are read several times faster than those of a string. Of a character that is none of the
 * first 256 only the lower byte is kept, so what is found is compared with the text itself.
 */
const CHUNK = 65_536;
const BYTES = Buffer.alloc(CHUNK);

interface Anchor {
  readonly word: string;
  /** From where the word begins to the last of the three characters. */
  readonly before: number;
}

const SIZE = 256;

/** Characters by how often they stand in text and code, the most frequent first. */
const FREQUENT = " etaoinsrlcdpumhfg.y/bvw-_k\"'x0,12:j;q3z4$(";

/** How much of a text each character takes, by its code. Numbers alone, since this is worked out in every process. */
const SHARES = new Float64Array(SIZE).fill(0.001);
for (let rank = 0; rank < FREQUENT.length; rank += 1) SHARES[FREQUENT.charCodeAt(rank)] = 1 / (rank + 2);

/** Pairs that are more frequent than their characters tell. */
const COMMON_PAIRS = new Uint8Array(SIZE * SIZE);
for (const pair of "re er he in on an es th st te en ti or ed al it is se nt le ou ar ha io co me".split(" "))
  COMMON_PAIRS[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1;

function rarestPart(word: string): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset + 3 <= word.length; offset += 1) {
    const middle = word.charCodeAt(offset + 1) & 0xff;
    const last = word.charCodeAt(offset + 2) & 0xff;
    const share = SHARES[middle] ?? 0;
    // What ends the three stops the search more often than what begins them.
    const common =
      (SHARES[word.charCodeAt(offset) & 0xff] ?? 0) * share +
      2 * share * (SHARES[last] ?? 0) +
      (COMMON_PAIRS[(middle << 8) | last] === 1 ? 0.05 : 0);
    if (common < least) {
      best = offset;
      least = common;
    }
  }
  return best;
}

/** The two characters at an offset, as small letters and as capitals. */
function pairsOf(word: string, offset: number): readonly number[] {
  const first = word.charCodeAt(offset);
  const second = word.charCodeAt(offset + 1);
  const [large, other] = [capital(first), capital(second)];
  const pairs = [(first << 8) | second, (large << 8) | second, (first << 8) | other, (large << 8) | other];
  return pairs.filter((pair, index) => pairs.indexOf(pair) === index);
}

function capital(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code;
}

function tell(text: string, end: number, anchors: readonly Anchor[], found: (at: number, word: string) => void): void {
  for (const { word, before } of anchors) {
    if (hasWord(text, end - before, word)) found(end - before, word);
  }
}

function hasWord(text: string, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const code = codeAt(text, at + index);
    const small = code >= 65 && code <= 90 ? code + 32 : code;
    if (small !== word.charCodeAt(index)) return false;
  }
  return true;
}
