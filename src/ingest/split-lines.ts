import { GrowingBytes } from "./growing-bytes.ts";
import { createShrinker, type Shrinker, type ShrinkLimits } from "./shrink.ts";

/**
 * A line, or what stood in its place. `start` is the byte where the text begins, `end` the one after the newline, or
 * the start of what comes next where a line has several parts: reading on from any `end` yields what is left.
 */
export type Line =
  | { readonly kind: "line"; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: "bad"; readonly reason: BadReason; readonly start: number; readonly end: number };

/**
 * `too-long`: longer than the limit, though its strings were cut. `nul-bytes`: a part of NUL bytes, as a crash leaves
 * them. `corrupt`: compressed data that ends here or makes no sense. `empty`: a document of nothing.
 */
export type BadReason = "too-long" | "nul-bytes" | "corrupt" | "empty";

export interface LineLimits extends ShrinkLimits {
  /** A longer line is shrunk while it is read. */
  readonly maxLineBytes?: number;
}

export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Splits bytes that come in pieces into lines, and holds no more of a line than its limits say. */
export class LineSplitter {
  readonly #limits: LineLimits;
  readonly #maxLineBytes: number;
  readonly #begun = new GrowingBytes();
  #shrinker: Shrinker | undefined;
  #lineStart: number;
  #offset: number;

  /** `offset` is where the first bytes stand in the file. */
  constructor(offset: number, limits: LineLimits) {
    this.#limits = limits;
    this.#maxLineBytes = limits.maxLineBytes ?? MAX_LINE_BYTES;
    this.#lineStart = offset;
    this.#offset = offset;
  }

  /** Where the line starts that has not ended yet. */
  get lineStart(): number {
    return this.#lineStart;
  }

  /** Yields the lines that end in these bytes, which must stay as they are until then. */
  *push(bytes: Buffer): Generator<Line> {
    let from = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, from)) {
      const end = this.#offset + newline + 1;
      yield* this.#endLine(bytes.subarray(from, newline), end, end - 1);
      from = newline + 1;
    }
    this.#addToLine(bytes.subarray(from));
    this.#offset += bytes.length;
  }

  /** Yields what no newline ended. */
  *finish(): Generator<Line> {
    yield* this.#endLine(Buffer.alloc(0), this.#offset, this.#offset);
  }

  *#endLine(rest: Buffer, end: number, textEnd: number): Generator<Line> {
    const start = this.#lineStart;
    this.#lineStart = end;
    const isWhole = this.#begun.length === 0 && this.#shrinker === undefined && rest.length <= this.#maxLineBytes;
    if (!isWhole) this.#addToLine(rest);
    yield* linesOf(isWhole ? rest : this.#takeLine(), start, textEnd, end);
  }

  #addToLine(bytes: Buffer): void {
    if (this.#shrinker === undefined && this.#begun.length + bytes.length > this.#maxLineBytes) {
      this.#shrinker = createShrinker(this.#limits);
      this.#shrinker.push(this.#begun.bytes);
      this.#begun.clear();
    }
    if (this.#shrinker === undefined) this.#begun.add(bytes);
    else this.#shrinker.push(bytes);
  }

  #takeLine(): Buffer | undefined {
    const bytes = this.#shrinker === undefined ? this.#begun.bytes : this.#shrinker.finish();
    this.#shrinker = undefined;
    this.#begun.clear();
    return bytes;
  }
}

const NEWLINE = 0x0a;

/**
 * What a line of `bytes` holds: nothing, its text, and NUL bytes before and behind it. `textEnd` is where the bytes
 * end in the file; they may be fewer than stood there. Undefined bytes were too many.
 */
export function* linesOf(bytes: Buffer | undefined, start: number, textEnd: number, end: number): Generator<Line> {
  if (bytes === undefined) {
    yield { kind: "bad", reason: "too-long", start, end };
    return;
  }
  let from = start === 0 && bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
  let to = bytes.length;
  while (to > from && isBlank(bytes[to - 1])) to--;
  while (to > from && isBlank(bytes[from])) from++;

  const firstNul = from;
  while (from < to && isBlankOrNul(bytes[from])) from++;
  if (from > firstNul) {
    yield { kind: "bad", reason: "nul-bytes", start: start + firstNul, end: from === to ? end : start + from };
  }
  if (from === to) return;

  let last = to;
  while (isBlankOrNul(bytes[last - 1])) last--;
  // Places behind the text are counted from the end, as strings may have been cut.
  const place = (at: number): number => textEnd - (bytes.length - at);
  const text = bytes.toString("utf8", from, last);
  yield { kind: "line", text, start: start + from, end: last === to ? end : place(last) };
  if (last < to) yield { kind: "bad", reason: "nul-bytes", start: place(bytes.indexOf(0, last)), end };
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function isBlankOrNul(byte: number | undefined): boolean {
  return byte === 0 || isBlank(byte);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09 || byte === 0x0a;
}
