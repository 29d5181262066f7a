import { isPlaceholder } from "./redact-values.ts";

/**
 * How many characters of private key stand before the line that ends it, where the line that begins it was cut off. The
 * data must reach up to `at`. Looks no further back than to the dashes of the block before, so that a text is read once.
 */
export function lengthOfKeyBefore(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_KEY);
  const area = text.slice(from, at);
  const dashes = area.lastIndexOf("-----");
  const body = (dashes < 0 ? area : area.slice(dashes + 5))
    .replace(ESCAPED_SLASHES, (signs) => "/".repeat(signs.length))
    .replace(ESCAPES, (signs) => " ".repeat(signs.length));
  const words = Array.from(body.matchAll(WORD), ({ 0: word, index }): Word => {
    const joint = JOINT.exec(word)?.[0].length ?? 0;
    return { text: word.slice(joint), start: index + joint };
  }).filter(({ text }) => text !== "" && !LINE_NUMBER.test(text));
  const isBegun = dashes < 0 && from === 0;
  const first = firstOfKey(words, isBegun);
  return first === undefined ? 0 : body.length - first.start;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

/** As long as a key of 16384 bits. */
const LONGEST_KEY = 32_768;
const ESCAPED_SLASHES = /\\{1,4}\//g;
const ESCAPES = /\\{1,8}[nrt]/g;
/** What is left between quotes, signs of quoted lines and white space. */
const WORD = /[^\s"'`,>|│→#*\\]+/g;
/** What may stand before the data on its line: the sign of a patch, a number. */
const JOINT = /^(?:\d{1,6}[:-]|[+-](?=\d{1,6}[:-])\d{1,6}[:-]|-|\+$)/;
const LINE_NUMBER = /^\d{1,6}$/;
const DATA = /^[A-Za-z0-9+/]*={0,2}$/;
const CHECKSUM = /^=[A-Za-z0-9+/]{4}$/;
/** What tells that something was left out. A secret that was replaced is none. */
const CUT = /(?<!\[redacted:[^\]]{1,60})[\]….]$/;
/** Lines of a key are longer, but for the last one, the checksum behind it, and one that was cut in two. */
const SHORTEST_LINE = 20;
const LAST_LINES = 2;

function firstOfKey(words: readonly Word[], isWhole: boolean): Word | undefined {
  let first: Word | undefined;
  let data = "";
  let hasLine = false;
  for (let count = 1; count <= words.length; count += 1) {
    const word = words[words.length - count];
    if (word === undefined || !(DATA.test(word.text) || CHECKSUM.test(word.text))) break;
    const before = words[words.length - count - 1];
    const isCut = before === undefined ? isWhole : CUT.test(before.text);
    const isLine = word.text.length >= SHORTEST_LINE;
    if (!isLine && (hasLine || count > LAST_LINES) && !isCut) break;
    hasLine ||= isLine;
    first = word;
    data = word.text + data;
  }
  return isKeyData(data) ? first : undefined;
}

function isKeyData(data: string): boolean {
  return data.length >= 12 && /[a-z]/.test(data) && /[A-Z]/.test(data) && /[\d=]/.test(data) && !isPlaceholder(data);
}
