import { crc32 } from "node:zlib";

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();

/** Draws values at random, the same ones for the same seed. */
export interface Draw {
  number(below: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  of(alphabet: string, length: number): string;
  digits(length: number): string;
  hex(length: number): string;
  lower(length: number): string;
  upper(length: number): string;
  alphanumeric(length: number): string;
  /** Letters, digits, `_` and `-`. */
  urlSafe(length: number): string;
  /** Base64 of random bytes, padded. */
  base64(bytes: number): string;
  /** Capitals and 2 to 7, as of authenticator apps. */
  base32(length: number): string;
  uuid(): string;
  /** As people and generators choose them: ten characters or more of at least three kinds. */
  password(): string;
}

export function drawFrom(seed: number): Draw {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const number = (below: number): number => next() % below;
  const of = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(number(alphabet.length))).join("");
  const pick = <T>(list: readonly [T, ...T[]]): T => list[number(list.length)] ?? list[0];
  const hex = (length: number): string => of("0123456789abcdef", length);
  return {
    number,
    pick,
    of,
    digits: (length) => of("123456789", 1) + of(DIGITS, length - 1),
    hex,
    lower: (length) => of(LOWER, length),
    upper: (length) => of(UPPER, length),
    alphanumeric: (length) => of(UPPER + LOWER + DIGITS, length),
    urlSafe: (length) => of(`${UPPER + LOWER + DIGITS}_-`, length - 1) + of(UPPER + LOWER, 1),
    base64: (bytes) => Buffer.from(Array.from({ length: bytes }, () => number(256))).toString("base64"),
    base32: (length) => of(`${UPPER}234567`, length),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(["8", "9", "a", "b"])}${hex(3)}-${hex(12)}`,
    password: () =>
      pick([
        () => of(UPPER, 1) + of(LOWER, 5) + of("!#%^*+", 1) + of(DIGITS, 4) + of(LOWER, 1),
        () => of(LOWER, 2) + of(DIGITS, 2) + of(UPPER, 3) + of(LOWER, 4) + of(DIGITS, 3) + of(UPPER, 2),
        () => of(LOWER, 4) + of("-_.", 1) + of(UPPER, 2) + of(DIGITS, 3) + of(LOWER, 4) + of(DIGITS, 2),
      ])(),
  };
}

/** Six digits to the base of 62 that GitHub and npm put at the end of their tokens. */
export function checksum(of: string): string {
  const digits = DIGITS + UPPER + LOWER;
  let rest = crc32(of);
  let text = "";
  while (text.length < 6) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
