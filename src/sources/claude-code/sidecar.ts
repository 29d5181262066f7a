import { closeSync, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { contentText } from "./content.ts";

/**
 * The full output of a tool whose result was too large for the transcript, from `<companion>/tool-results`.
 *
 * A transcript is foreign text, so of the path it names only the file name is used, and the file must be a plain one
 * in that very folder. Of a file above 256 KB the beginning and the end are read. Undefined when the result names no
 * such file, or it is gone.
 */
export function readSidecar(resultText: string, companion: string | undefined): string | undefined {
  const opening = resultText.slice(0, LOOK_AHEAD);
  const name = opening.includes(FOLDER) ? SAVED_TO.exec(opening)?.[1] : undefined;
  if (name === undefined || companion === undefined) return undefined;
  const path = join(companion, FOLDER, name);
  try {
    if (!lstatSync(path).isFile() || realpathSync(path) !== path) return undefined;
    return decoded(readEnds(path), name);
  } catch {
    return undefined;
  }
}

const FOLDER = "tool-results";
const SAVED_TO = /saved to:?[^\n]{0,500}?tool-results[/\\]([\w.-]+\.(?:txt|json))/;
/** The note stands first, before a preview of the output. */
const LOOK_AHEAD = 1000;
const MAX_BYTES = 256 * 1024;
const HEAD_BYTES = 192 * 1024;
const TAIL_BYTES = 64 * 1024;

function readEnds(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= MAX_BYTES) return readPart(file, 0, size);
    const left = size - HEAD_BYTES - TAIL_BYTES;
    const head = readPart(file, 0, HEAD_BYTES);
    return `${head}\n[… ${left} bytes left out …]\n${readPart(file, size - TAIL_BYTES, TAIL_BYTES)}`;
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

/** Outputs of MCP tools are kept as JSON: an array of content blocks. */
function decoded(text: string, name: string): string {
  if (!name.endsWith(".json")) return text;
  try {
    const content = contentText(JSON.parse(text));
    return content === "" ? text : content;
  } catch {
    return text;
  }
}
