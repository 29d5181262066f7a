import { GrowingBytes } from "./growing-bytes.ts";

/** Shortens the strings of one JSON text that comes in pieces. */
export interface Shrinker {
  /** Reads on. The bytes may be reused once this returns. */
  push(bytes: Uint8Array): void;
  /** The shortened text, or undefined where even that is longer than allowed. */
  finish(): Buffer | undefined;
}

export interface ShrinkLimits {
  /** A longer string literal is cut to about this many bytes. */
  readonly maxStringBytes?: number;
  /** A longer result is given up. */
  readonly maxResultBytes?: number;
}

/**
 * Copies JSON and cuts every string literal, keys too, that is longer than `maxStringBytes`: its first three quarters
 * stay, and of its end up to a quarter, with ` […cut N bytes…] ` between.
 *
 * Valid JSON stays valid and keeps its structure, as no escape, surrogate pair or character is cut in two. How the
 * text is split into pieces makes no difference. Memory is bounded by the limits, not by the text.
 */
export function createShrinker(limits: ShrinkLimits = {}): Shrinker {
  return new JsonShrinker(limits);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

class JsonShrinker implements Shrinker {
  readonly #out: GrowingBytes;
  readonly #headBytes: number;
  readonly #tailBytes: number;
  /** What follows the head of a string: the last two buffers of it, each begun where a cut may be. */
  #previous = new GrowingBytes();
  #current = new GrowingBytes();
  #inTail = false;
  #inString = false;
  /** Bytes in the part that is being filled: the head or the current buffer. */
  #filled = 0;
  #dropped = 0;
  /** Where the bytes begin that are read but not yet copied, since they go straight on. */
  #pending = 0;
  /** An escape that began in an earlier piece, and how much of it was read. */
  readonly #escape = new Uint8Array(6);
  #escaped = 0;
  /** Whether the last thing read was the first half of a surrogate pair. */
  #afterHigh = false;
  /** Bytes taken beyond a full part to end a character. */
  #extra = 0;

  constructor({ maxStringBytes = 128 * 1024, maxResultBytes = 32 * 1024 * 1024 }: ShrinkLimits) {
    this.#out = new GrowingBytes(maxResultBytes);
    this.#headBytes = Math.ceil(maxStringBytes * 0.75);
    this.#tailBytes = Math.ceil(maxStringBytes / 8);
  }

  push(bytes: Uint8Array): void {
    this.#pending = 0;
    for (let at = 0; at < bytes.length; ) {
      if (!this.#inString) at = this.#readBetween(bytes, at);
      else if (this.#escaped > 0) at = this.#readEscape(bytes, at);
      else at = this.#readString(bytes, at);
    }
    this.#flush(bytes, bytes.length);
  }

  finish(): Buffer | undefined {
    this.#closeString();
    return this.#out.isOver ? undefined : this.#out.bytes;
  }

  #readBetween(bytes: Uint8Array, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    this.#inString = quote >= 0;
    return quote < 0 ? bytes.length : quote + 1;
  }

  /** Reads on as far as the part has room, then one step of what stopped that. */
  #readString(bytes: Uint8Array, from: number): number {
    const at = this.#readRun(bytes, from);
    const byte = bytes[at];
    if (byte === undefined) return at;
    if (byte === BACKSLASH) return this.#readEscape(bytes, at);
    if (byte === QUOTE) {
      if (this.#inTail) this.#flush(bytes, at);
      this.#closeString();
      this.#inString = false;
      return at + 1;
    }
    // The part is full and ends between characters. More than three bytes like this in a row are no part of one.
    if (this.#extra < 3 && isContinuation(byte)) {
      this.#extra++;
      this.#filled++;
      return at + 1;
    }
    this.#turn(bytes, at);
    return at;
  }

  /** The fast path: plain bytes and whole escapes, within the room there is. */
  #readRun(bytes: Uint8Array, from: number): number {
    const end = Math.min(bytes.length, from + Math.max(0, this.#partBytes() - this.#filled));
    let at = from;
    let highEnd = this.#afterHigh ? from : -1;
    while (at < end) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) at++;
      else {
        const length = bytes[at + 1] === LETTER_U ? 6 : 2;
        if (at + length > end) break;
        if (length === 6 && isHighSurrogate(bytes[at + 2], bytes[at + 3])) highEnd = at + 6;
        at += length;
      }
    }
    this.#filled += at - from;
    this.#afterHigh = at === highEnd;
    return at;
  }

  /** An escape that the part or the piece may end in. */
  #readEscape(bytes: Uint8Array, from: number): number {
    // The second half of a surrogate pair stays with the first.
    if (this.#escaped === 0 && this.#filled >= this.#partBytes() && !this.#afterHigh) this.#turn(bytes, from);
    let at = from;
    while (at < bytes.length && this.#escaped < (this.#escape[1] === LETTER_U ? 6 : 2)) {
      this.#escape[this.#escaped++] = bytes[at++] ?? 0;
    }
    this.#filled += at - from;
    if (this.#escaped === (this.#escape[1] === LETTER_U ? 6 : 2)) {
      this.#afterHigh = this.#escaped === 6 && isHighSurrogate(this.#escape[2], this.#escape[3]);
      this.#escape.fill(0);
      this.#escaped = 0;
    }
    return at;
  }

  #closeString(): void {
    if (this.#inTail) this.#moveTail();
    this.#filled = 0;
    this.#extra = 0;
    this.#afterHigh = false;
  }

  #moveTail(): void {
    if (this.#dropped > 0) this.#out.add(Buffer.from(` […cut ${this.#dropped} bytes…] `));
    this.#out.add(this.#previous.bytes);
    this.#out.add(this.#current.bytes);
    this.#previous.clear();
    this.#current.clear();
    this.#dropped = 0;
    this.#inTail = false;
  }

  #partBytes(): number {
    return this.#inTail ? this.#tailBytes : this.#headBytes;
  }

  /** Begins the next part. Of the parts after the head the last two are kept. */
  #turn(bytes: Uint8Array, at: number): void {
    this.#flush(bytes, at);
    if (this.#inTail) {
      this.#dropped += this.#previous.length;
      this.#previous.clear();
      [this.#previous, this.#current] = [this.#current, this.#previous];
    }
    this.#inTail = true;
    this.#filled = 0;
    this.#extra = 0;
  }

  /** Copies what was read up to here. */
  #flush(bytes: Uint8Array, to: number): void {
    (this.#inTail ? this.#current : this.#out).add(bytes, this.#pending, to);
    this.#pending = to;
  }
}

/** Whether an escape with these first digits is `\ud800` to `\udbff`. */
function isHighSurrogate(first: number | undefined, second: number | undefined): boolean {
  return first !== undefined && (first | 0x20) === 0x64 && second !== undefined && HIGH_DIGITS.includes(second);
}

const HIGH_DIGITS: readonly number[] = [..."89abAB"].map((digit) => digit.charCodeAt(0));

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
