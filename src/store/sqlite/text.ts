import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Shorter texts are stored as they are: compressing them saves little and costs a call each. */
const COMPRESS_FROM = 1_000;

/** A text as a column holds it: TEXT, or a BLOB of raw deflate over its UTF-8 bytes. */
export function pack(text: string): string | Buffer {
  if (text.length < COMPRESS_FROM) return text;
  return deflateRawSync(text, { level: 1 });
}

export function unpack(column: unknown): string {
  if (typeof column === "string") return column;
  return Buffer.isBuffer(column) ? inflateRawSync(column).toString("utf8") : "";
}
