import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FIRST_DICTIONARY } from "./text-dictionary.ts";

/** Shorter texts are stored as they are: compressing them saves little and costs a call each. */
const COMPRESS_FROM = 100;

/**
 * What a packed text begins with; behind it stands raw deflate over the text's UTF-8 bytes, with the first dictionary.
 * Deflate itself never begins with such a byte.
 */
const WITH_FIRST_DICTIONARY = 0x0f;
const MARK = Buffer.from([WITH_FIRST_DICTIONARY]);

/** A text as a column holds it: TEXT, or a BLOB where that is shorter. */
export function pack(text: string): string | Buffer {
  if (text.length < COMPRESS_FROM) return text;
  const packed = deflateRawSync(text, { level: 6, dictionary: FIRST_DICTIONARY });
  return packed.length < text.length ? Buffer.concat([MARK, packed]) : text;
}

export function unpack(column: unknown): string {
  if (typeof column === "string") return column;
  if (!Buffer.isBuffer(column)) return "";
  const isMarked = column[0] === WITH_FIRST_DICTIONARY;
  const text = isMarked ? inflateRawSync(column.subarray(1), { dictionary: FIRST_DICTIONARY }) : inflateRawSync(column);
  return text.toString("utf8");
}
