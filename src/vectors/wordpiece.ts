import { hashStart, hashUnit, numberOf, type Vocabulary } from "./vocabulary.ts";

/** Cuts texts into the pieces of words that a model knows. */
export interface WordPieces {
  /**
   * Writes the numbers of a text's pieces into `into`, until it is full, and returns how many there are. Of a text only so
   * much is read as usually fills it several times over.
   */
  readonly cut: (text: string, into: Int32Array) => number;
}

/** A longer word is unknown as a whole. */
const MAX_WORD = 100;
/** Text of which much makes no piece, such as blanks, is not read without end. */
const MAX_UNITS_PER_PIECE = 64;

/**
 * WordPiece as BERT's uncased models have it: lower case, Latin letters without accents, each sign of punctuation and each
 * Chinese character for itself, words in the longest pieces from left to right; a word that has no pieces is `[UNK]`.
 * Names of special pieces in a text, such as `[CLS]`, are words like others, since texts are not to be trusted.
 */
export function createWordPieces(vocabulary: Vocabulary): WordPieces {
  // No letter has a longer form than three units here, except through marks that are left out.
  const word = new Uint16Array(MAX_WORD * 4);
  const hashes = new Int32Array(vocabulary.longest + 1);
  const unknown = Math.max(0, numberOf(vocabulary, "[UNK]"));
  const shapes = new Map<number, Shape>();
  let length = 0;
  let letters = 0;
  let pieces: Int32Array = new Int32Array(0);
  let count = 0;

  const cut = (text: string, into: Int32Array): number => {
    pieces = into;
    count = 0;
    length = 0;
    letters = 0;
    const end = Math.min(text.length, into.length * MAX_UNITS_PER_PIECE);
    for (let at = 0; at < end && count < pieces.length; at += 1) {
      const unit = text.charCodeAt(at);
      const plain = unit < 128 ? (PLAIN[unit] ?? 0) : UNUSUAL;
      if (plain > LETTER_CODES) addLetter(plain);
      else if (plain === BLANK) endWord();
      else if (plain === SIGN) single(unit);
      else if (plain === UNUSUAL) {
        const code = text.codePointAt(at) ?? 0;
        if (code > 0xffff) at += 1;
        addUnusual(code);
      }
    }
    if (count < pieces.length) endWord();
    return count;
  };

  const addLetter = (unit: number): void => {
    if (letters < MAX_WORD) word[length++] = unit;
    letters += 1;
  };

  const single = (unit: number): void => {
    endWord();
    addLetter(unit);
    endWord();
  };

  const addUnusual = (code: number): void => {
    let shape = shapes.get(code);
    if (shape === undefined) {
      // Texts of all the world's letters would fill it without need.
      if (shapes.size >= MAX_SHAPES) shapes.clear();
      shape = shapeOf(code);
      shapes.set(code, shape);
    }
    if (shape.isApart) endWord();
    for (const unit of shape.units) {
      if (letters < MAX_WORD) word[length++] = unit;
      // The second half of a pair is no letter of its own.
      if ((unit & 0xfc00) !== 0xdc00) letters += 1;
    }
    if (shape.isApart) endWord();
  };

  const endWord = (): void => {
    if (letters === 0) return;
    if (letters > MAX_WORD) push(unknown);
    else cutWord();
    length = 0;
    letters = 0;
  };

  const cutWord = (): void => {
    const first = count;
    for (let start = 0; start < length; ) {
      const most = Math.min(length - start, vocabulary.longest);
      let hash = hashStart(start > 0);
      for (let at = 0; at < most; at += 1) {
        hash = hashUnit(hash, word[start + at] ?? 0);
        hashes[at] = hash;
      }
      let size = most;
      let piece = -1;
      for (; size > 0 && piece === -1; size -= 1) {
        piece = vocabulary.find(word, start, start + size, start > 0, hashes[size - 1] ?? 0);
      }
      if (piece === -1) {
        count = first;
        push(unknown);
        return;
      }
      push(piece);
      start += size + 1;
    }
  };

  // A word may have more pieces than there is room for, and turn out to be unknown only at its end.
  const push = (piece: number): void => {
    if (count < pieces.length) pieces[count] = piece;
    count += 1;
  };

  return {
    cut: (text, into) => Math.min(cut(text, into), into.length),
  };
}

const DROPPED = 0;
const BLANK = 1;
const SIGN = 2;
const UNUSUAL = 3;
/** Above it, what stands in the table is the unit of a letter. */
const LETTER_CODES = 3;

const PLAIN = Uint16Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[\t\n\r ]/.test(letter)) return BLANK;
  if (code < 32 || code === 127) return DROPPED;
  return /[0-9a-z]/i.test(letter) ? letter.toLowerCase().charCodeAt(0) : SIGN;
});

/** What becomes of a character that is not plain ASCII. */
interface Shape {
  /** Whether it is a word of its own. */
  readonly isApart: boolean;
  readonly units: readonly number[];
}

const MAX_SHAPES = 20_000;

function shapeOf(code: number): Shape {
  const character = String.fromCodePoint(code);
  if (code === 0xfffd || /\p{C}/u.test(character)) return { isApart: false, units: [] };
  if (/\s/.test(character)) return { isApart: true, units: [] };
  const letters = [...character.normalize("NFD").replace(/\p{Mn}/gu, "")].map((letter) => letter.toLowerCase());
  const folded = letters.join("");
  return {
    isApart: isChinese(code) || /^[\p{P}$+<=>^`|~]$/u.test(folded),
    units: Array.from({ length: folded.length }, (_, at) => folded.charCodeAt(at)),
  };
}

/** The blocks that BERT takes for Chinese; Japanese syllables and Korean are not among them. */
function isChinese(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x20000 && code <= 0x2a6df) ||
    (code >= 0x2a700 && code <= 0x2b73f) ||
    (code >= 0x2b740 && code <= 0x2b81f) ||
    (code >= 0x2b820 && code <= 0x2ceaf) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}
