import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { type Readable, Transform } from "node:stream";
import { createGunzip, gunzipSync, constants as zlib } from "node:zlib";
import { EXPORT_VERSION, versionOf } from "../sources/exported/line.ts";
import { asFields, type Fields } from "../sources/fields.ts";
import { type Line, LineSplitter } from "./split-lines.ts";

/** Whether a file begins as an export of ours does, plain or gzipped, and whether this version can read it. */
export function looksExported(path: string): "yes" | "too-new" | "no" {
  const version = versionOf(firstLine(path));
  if (version === undefined) return "no";
  return version > EXPORT_VERSION ? "too-new" : "yes";
}

/**
 * The lines of an export in their order; undefined for one that is no JSON object. `onBytes` is told how much of the file
 * was read. Throws where the file cannot be read, or its compression is damaged.
 */
export async function* readExportLines(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Fields | undefined> {
  const splitter = new LineSplitter(0, {});
  for await (const chunk of unpacked(path, onBytes)) {
    for (const line of splitter.push(chunk)) yield fieldsIn(line);
  }
  for (const line of splitter.finish()) yield fieldsIn(line);
}

function fieldsIn(line: Line): Fields | undefined {
  if (line.kind === "bad") return undefined;
  try {
    return asFields(JSON.parse(line.text));
  } catch {
    return undefined;
  }
}

function unpacked(path: string, onBytes: (bytes: number) => void): Readable {
  const counting = new Transform({
    transform(chunk: Buffer, _, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const file = createReadStream(path);
  file.on("error", (error) => counting.destroy(error));
  const counted = file.pipe(counting);
  if (!isGzip(headOf(path))) return counted;
  const plain = createGunzip();
  counted.on("error", (error) => plain.destroy(error));
  return counted.pipe(plain);
}

/** An export's first line is short. */
const HEAD_BYTES = 4_096;

function firstLine(path: string): string {
  const head = headOf(path);
  const plain = isGzip(head) ? unzipHead(head) : head;
  return plain.toString("utf8").split("\n", 1)[0] ?? "";
}

function unzipHead(head: Buffer): Buffer {
  try {
    // What was cut off is not looked for.
    return gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

function headOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}
