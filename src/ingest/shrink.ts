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
  /** Bytes read of an escape sequence, and how many it has. */
  #escaped = 0;
  #escapeBytes = 2;
  /** Whether an escape is, so far, the first half of a surrogate pair; and whether the one before was. */
  #mayBeHigh = false;
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
      else if (this.#escaped > 0 || bytes[at] === BACKSLASH) at = this.#readEscape(bytes, at);
      else if (bytes[at] === QUOTE) at = this.#endString(at);
      else at = this.#readPlain(bytes, at);
    }
    if (!this.#inTail) this.#out.add(bytes, this.#pending);
  }

  finish(): Buffer | undefined {
    this.#endString(0);
    return this.#out.isOver ? undefined : this.#out.bytes;
  }

  #readBetween(bytes: Uint8Array, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    this.#inString = quote >= 0;
    return quote < 0 ? bytes.length : quote + 1;
  }

  #readPlain(bytes: Uint8Array, from: number): number {
    let end = from;
    while (end < bytes.length && bytes[end] !== QUOTE && bytes[end] !== BACKSLASH) end++;
    for (let at = from; at < end; ) {
      const room = (this.#inTail ? this.#tailBytes : this.#headBytes) - this.#filled;
      let to = Math.min(end, at + Math.max(room, 0));
      if (room <= 0) {
        // A part ends between characters. More than three bytes like this in a row are no part of one.
        while (to < end && this.#extra < 3 && isContinuation(bytes[to])) {
          to++;
          this.#extra++;
        }
        if (to === at) this.#turn(bytes, at);
      }
      this.#take(bytes, at, to);
      at = to;
    }
    this.#afterHigh = false;
    return end;
  }

  #readEscape(bytes: Uint8Array, from: number): number {
    if (this.#escaped === 0) {
      this.#escapeBytes = 2;
      // The second half of a surrogate pair stays with the first.
      if (this.#isFull() && !this.#afterHigh) this.#turn(bytes, from);
    }
    let at = from;
    while (at < bytes.length && this.#escaped < this.#escapeBytes) {
      const byte = bytes[at++] ?? 0;
      this.#escaped++;
      if (this.#escaped === 2) this.#escapeBytes = byte === LETTER_U ? 6 : 2;
      if (this.#escaped === 3) this.#mayBeHigh = (byte | 0x20) === 0x64;
      if (this.#escaped === 4) this.#mayBeHigh &&= HIGH_SURROGATE_DIGITS.includes(byte);
    }
    this.#take(bytes, from, at);
    if (this.#escaped === this.#escapeBytes) {
      this.#afterHigh = this.#escapeBytes === 6 && this.#mayBeHigh;
      this.#escaped = 0;
    }
    return at;
  }

  /** Called at a closing quote, which goes straight on. */
  #endString(at: number): number {
    if (this.#inTail) {
      if (this.#dropped > 0) this.#out.add(Buffer.from(` […cut ${this.#dropped} bytes…] `));
      this.#out.add(this.#previous.bytes);
      this.#out.add(this.#current.bytes);
      this.#previous.clear();
      this.#current.clear();
      this.#pending = at;
    }
    this.#inTail = false;
    this.#inString = false;
    this.#filled = 0;
    this.#dropped = 0;
    this.#extra = 0;
    this.#afterHigh = false;
    return at + 1;
  }

  #isFull(): boolean {
    return this.#filled >= (this.#inTail ? this.#tailBytes : this.#headBytes);
  }

  #take(bytes: Uint8Array, from: number, to: number): void {
    this.#filled += to - from;
    if (this.#inTail) this.#current.add(bytes, from, to);
  }

  /** Begins the next part. */
  #turn(bytes: Uint8Array, at: number): void {
    if (this.#inTail) {
      this.#dropped += this.#previous.length;
      this.#previous.clear();
      [this.#previous, this.#current] = [this.#current, this.#previous];
    } else {
      this.#out.add(bytes, this.#pending, at);
      this.#inTail = true;
    }
    this.#filled = 0;
    this.#extra = 0;
  }
}

/** `8`, `9`, `a`, `b` after `\ud`. */
const HIGH_SURROGATE_DIGITS: readonly number[] = [..."89abAB"].map((digit) => digit.charCodeAt(0));

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
