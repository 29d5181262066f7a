import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import type { FoundFile } from "../../sources/source.ts";
import type { FileRow, ProjectIdentity } from "../../store/store.ts";

/**
 * A stretch of a transcript as it is archived: one line of JSON that says what it is, and behind it the entries, a line
 * each, compressed with Brotli.
 *
 * An entry is `<offset> <record>`, `<offset> ! <why a line could not be read>`, or `+ <what stood in a file beside it>`.
 */
export interface SegmentHeader {
  readonly format: typeof FORMAT;
  readonly agent: string;
  /** The file as its source found it. */
  readonly file: FoundFile;
  /** Offset of the first entry. */
  readonly from: number;
  /** The file's row as it was stored with these entries; its `offset` is where they end. */
  readonly row: ArchivedRow;
  readonly bornMs: number;
  readonly project?: ProjectIdentity;
  /** Bytes of the entries, of what they are compressed to, and the start of the SHA-256 of that in hexadecimal digits. */
  readonly rawBytes: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a segment is of, whatever it holds. */
export type SegmentFacts = Omit<SegmentHeader, "format" | "rawBytes" | "bytes" | "sha256">;

export type ArchivedRow = Omit<FileRow, "readerState" | "skipped" | "agent" | "path">;

export const FORMAT = "yore-archive-1";

/** Text of the whole segment, as it stands in its file. */
export async function encodeSegment(header: SegmentFacts, entries: readonly string[]): Promise<Buffer> {
  const text = Buffer.from(entries.length === 0 ? "" : `${entries.join("\n")}\n`);
  const body = await compress(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
  const sizes = { rawBytes: text.length, bytes: body.length, sha256: hashOf(body) };
  const whole: SegmentHeader = { format: FORMAT, ...header, ...sizes };
  return Buffer.concat([Buffer.from(`${JSON.stringify(whole)}\n`), body]);
}

/** Undefined where there is no header, or one of another format. */
export function decodeHeader(
  segment: Buffer,
): { readonly header: SegmentHeader; readonly bodyStart: number } | undefined {
  const end = segment.indexOf(0x0a);
  if (end < 0) return undefined;
  try {
    const header: SegmentHeader = JSON.parse(segment.toString("utf8", 0, end));
    return header.format === FORMAT && typeof header.file?.path === "string" && typeof header.row?.offset === "number"
      ? { header, bodyStart: end + 1 }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a segment is as it was written. */
export function isSound(segment: Buffer): boolean {
  return bodyOf(segment) !== undefined;
}

/** The entries of a segment; undefined where it is damaged. */
export function decodeEntries(segment: Buffer): readonly string[] | undefined {
  const body = bodyOf(segment);
  if (body === undefined) return undefined;
  try {
    return brotliDecompressSync(body).toString("utf8").split("\n").slice(0, -1);
  } catch {
    return undefined;
  }
}

function bodyOf(segment: Buffer): Buffer | undefined {
  const decoded = decodeHeader(segment);
  if (decoded === undefined) return undefined;
  const body = segment.subarray(decoded.bodyStart);
  return body.length === decoded.header.bytes && hashOf(body) === decoded.header.sha256 ? body : undefined;
}

const compress = promisify(brotliCompress);

/** The knee of the curve on real transcripts: a level more costs half again as much time for a twentieth of the size. */
const QUALITY = 4;
const WINDOW_BITS = 22;

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
