import { createHmac, timingSafeEqual } from "node:crypto";
import { YoreError } from "../../core/errors.ts";

/** Opaque marks of a place in a list, good for the process that issued them and for nothing but their own query. */
export interface Cursors {
  issue(scope: string, offset: number): string;
  /** Throws `bad-input` on a cursor of another scope or process, or one that was changed. */
  read(scope: string, cursor: string): number;
}

/** The cursors of one tool. Every argument belongs to the query but the page size. */
export interface Paging {
  /** Where the page that `input` asks for begins. */
  start(input: PagedInput): number;
  next(input: PagedInput, offset: number): string;
}

export interface PagedInput {
  readonly cursor?: string;
  readonly limit?: number;
}

/** `key`: at least 16 random bytes, new for every process. */
export function createCursors(key: Uint8Array): Cursors {
  const sign = (scope: string, offset: Uint8Array): Buffer =>
    createHmac("sha256", key).update(offset).update(scope).digest().subarray(0, MAC_BYTES);
  return {
    issue(scope, offset) {
      const place = Buffer.alloc(OFFSET_BYTES);
      place.writeUInt32BE(offset);
      return Buffer.concat([place, sign(scope, place)]).toString("base64url");
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      // Decoding is lenient; only the one spelling that was issued is taken.
      if (bytes.length !== OFFSET_BYTES + MAC_BYTES || bytes.toString("base64url") !== cursor) throw unfit();
      const place = bytes.subarray(0, OFFSET_BYTES);
      if (!timingSafeEqual(bytes.subarray(OFFSET_BYTES), sign(scope, place))) throw unfit();
      return place.readUInt32BE();
    },
  };
}

export function pagingOf(tool: string, cursors: Cursors): Paging {
  return {
    start: (input) => (input.cursor === undefined ? 0 : cursors.read(scopeOf(tool, input), input.cursor)),
    next: (input, offset) => cursors.issue(scopeOf(tool, input), offset),
  };
}

/** For a place behind the last item, which an honest cursor reaches only when the list has shrunk. */
export function pastTheEnd(): YoreError {
  return new YoreError("bad-input", "There is nothing at this place: the list ends before it.", { hint: START_OVER });
}

function unfit(): YoreError {
  return new YoreError(
    "bad-input",
    "The cursor does not fit: it belongs to other arguments or to an earlier start of the server, or it was changed.",
    { hint: START_OVER },
  );
}

function scopeOf(tool: string, input: PagedInput): string {
  const { cursor: _cursor, limit: _limit, ...query } = input;
  const canonical = Object.entries(query).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([tool, canonical]);
}

const START_OVER = "Call again without cursor (and offset) to start over.";
const OFFSET_BYTES = 4;
// With the offset 15 bytes: 20 characters of base64 and no spare bits.
const MAC_BYTES = 11;
