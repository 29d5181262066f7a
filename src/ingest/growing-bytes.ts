/** Bytes that are added piece by piece, up to a limit. */
export class GrowingBytes {
  readonly #limit: number;
  #buffer: Buffer = EMPTY;
  #length = 0;
  #isOver = false;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether more was added than the limit allows. Nothing is kept then. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A view: valid until something is added. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (this.#isOver || from >= to) return;
    const length = this.#length + to - from;
    if (length > this.#limit) {
      this.clear();
      this.#buffer = EMPTY;
      this.#isOver = true;
      return;
    }
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(bytes.subarray(from, to), this.#length);
    this.#length = length;
  }

  /** Forgets what was added, and keeps the room for more. */
  clear(): void {
    this.#length = 0;
    this.#isOver = false;
  }

  #grow(length: number): void {
    const room = Math.min(Math.max(length, 2 * this.#buffer.length, SMALLEST), Math.max(length, this.#limit));
    const buffer = Buffer.allocUnsafeSlow(room);
    buffer.set(this.bytes);
    this.#buffer = buffer;
  }
}

const SMALLEST = 4 * 1024;
const EMPTY = Buffer.alloc(0);
