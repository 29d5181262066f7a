import { createHmac } from "node:crypto";

/** A text that can be recognised and not be read: how long it is, and two hashes of it under the key of its home. */
export interface KnownText {
  /** In UTF-16 units. */
  readonly length: number;
  /** Of 32 bits; quick to tell for each place of a text in turn. */
  readonly rolling: number;
  /** Of 128 bits, in hexadecimal digits; looked at where the quick one fits. */
  readonly hash: string;
}

/** Shorter texts stand in the midst of others by chance, and are guessed in no time. */
export const SHORTEST_TEXT = 6;

/**
 * The text as it stands, and as it is spelt within JSON, within JSON in JSON, and in a URL, where it is spelt otherwise
 * there.
 */
export function knownTexts(text: string, key: Uint8Array): readonly KnownText[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  const spelt = new Set([text, quoted, JSON.stringify(quoted).slice(1, -1), inUrl(text)]);
  const base = baseOf(key);
  return [...spelt].map((one) => ({ length: one.length, rolling: rollingOf(one, base), hash: hashOf(one, key) }));
}

/** Undefined where there is nothing to find. Takes one look at each character for every length there is. */
export function textFinder(
  texts: readonly KnownText[],
  key: Uint8Array,
): ((text: string, found: (start: number, end: number) => void) => void) | undefined {
  if (texts.length === 0) return undefined;
  const base = baseOf(key);
  const lengths = [...new Set(texts.map(({ length }) => length))];
  const searches = lengths.map((length) =>
    search(
      length,
      texts.filter((one) => one.length === length),
      base,
      key,
    ),
  );
  return (text, found) => {
    for (const one of searches) one(text, found);
  };
}

function search(length: number, texts: readonly KnownText[], base: number, key: Uint8Array) {
  const hashes = new Map<number, string[]>();
  // Most places are passed over by one look into this table.
  const seen = new Uint8Array(1 << 16);
  for (const { rolling, hash } of texts) {
    hashes.set(rolling, [...(hashes.get(rolling) ?? []), hash]);
    seen[rolling >>> 16] = 1;
  }
  let leaving = 1;
  for (let power = 1; power < length; power += 1) leaving = Math.imul(leaving, base);
  return (text: string, found: (start: number, end: number) => void): void => {
    if (text.length < length) return;
    let rolling = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at >= length) rolling = (rolling - Math.imul(text.charCodeAt(at - length) + 1, leaving)) | 0;
      rolling = (Math.imul(rolling, base) + text.charCodeAt(at) + 1) | 0;
      if (at < length - 1 || seen[rolling >>> 16] === 0) continue;
      const start = at - length + 1;
      const wanted = hashes.get(rolling >>> 0);
      if (wanted?.includes(hashOf(text.slice(start, at + 1), key)) === true) found(start, at + 1);
    }
  };
}

function rollingOf(text: string, base: number): number {
  let rolling = 0;
  for (let at = 0; at < text.length; at += 1) rolling = (Math.imul(rolling, base) + text.charCodeAt(at) + 1) | 0;
  return rolling >>> 0;
}

/** Odd, so that no character is lost in multiplying; of the key, so that hashes of two homes cannot be compared. */
function baseOf(key: Uint8Array): number {
  return createHmac("sha256", key).update("yore own texts, base").digest().readUInt32LE() | 1;
}

function hashOf(text: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(`yore own text\u0000${text}`).digest("hex").slice(0, 32);
}

function inUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a pair has no spelling in a URL.
    return text;
  }
}
