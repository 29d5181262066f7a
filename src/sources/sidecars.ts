import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { asFields, parseJson } from "./fields.ts";
import type { Sidecars } from "./source.ts";

/** Sidecars as they stand on disk. A link is not followed: what a transcript names is foreign text. */
export const diskSidecars: Sidecars = {
  text: readText,
  json: (path) => asFields(readJson(path)),
  entry: (path, _, choose) => choose(readJson(path)),
  exists: existsSync,
  names(folder) {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
    } catch {
      return [];
    }
  },
};

const WHOLE = { head: 8_000_000, tail: 0 };

function readText(path: string, { head, tail } = WHOLE): string | undefined {
  try {
    if (!lstatSync(path).isFile() || realpathSync(path) !== path) return undefined;
    return readEnds(path, head, tail);
  } catch {
    // Half written, gone, or not to be read: the transcript says enough without it.
    return undefined;
  }
}

/** The file that was read last: one that lists all sessions is asked for by each of them in turn. */
let latest: { readonly path: string; readonly version: string; readonly value: unknown } | undefined;

function readJson(path: string): unknown {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.size > WHOLE.head) return undefined;
  const version = `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
  if (latest?.path !== path || latest.version !== version) {
    const text = readText(path);
    latest = { path, version, value: text === undefined ? undefined : parseJson(text) };
  }
  return latest.value;
}

function readEnds(path: string, head: number, tail: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= head + tail) return readPart(file, 0, size);
    const marker = `\n[… ${size - head - tail} bytes left out …]\n`;
    return `${readPart(file, 0, head)}${marker}${readPart(file, size - tail, tail)}`;
  } finally {
    closeSync(file);
  }
}

function readPart(file: number, from: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  const read = readSync(file, buffer, 0, length, from);
  // A cut inside a character leaves a replacement character at the edge.
  return buffer.toString("utf8", 0, read).replace(/^\uFFFD+|\uFFFD+$/g, "");
}
