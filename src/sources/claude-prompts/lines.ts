import { readSync } from "node:fs";
import { fieldsOf, hashOf, nameOf, numberOf, parseJson, textOf, timeOf } from "../fields.ts";

/** A line of the history: where it stands, and to which part it belongs. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly part: string;
  /** Id of the session; older versions of Claude Code did not write it. */
  readonly session: string | undefined;
  readonly at: number | undefined;
}

/**
 * The lines of a history, without what was typed, which is not parsed: this runs whenever a prompt was added. What isn't
 * written as Claude Code writes it is parsed after all. The last line counts once it has ended.
 */
export function* linesOf(file: number): Generator<Line> {
  for (const { from, bytes } of rawLines(file)) {
    const text = bytes.toString("utf8");
    const known = endOf(text) ?? wholeOf(text);
    if (known === undefined) continue;
    const { session, project, at } = known;
    yield { from, to: from + bytes.length, part: session ?? dayOf(project, at), session, at };
  }
}

export function readLine(file: number, { from, to }: Line): unknown {
  const buffer = Buffer.allocUnsafe(to - from);
  return parseJson(buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, from)));
}

interface Known {
  readonly session: string | undefined;
  readonly project: string | undefined;
  readonly at: number | undefined;
}

/** The fields behind what was typed and pasted. A quote within a text is escaped, so that no text looks like them. */
const END = /"timestamp":(\d+),"project":("(?:[^"\\]|\\.)*")(?:,"sessionId":"([\w-]+)")?\}\s*$/;
const END_CHARS = 1_000;
const CHUNK_BYTES = 1_000_000;
const NEWLINE = 10;

function endOf(text: string): Known | undefined {
  const found = text.startsWith("{") ? END.exec(text.slice(-END_CHARS)) : null;
  if (found === null || (found[3] === undefined && text.includes('"sessionId":"'))) return undefined;
  return { session: found[3], project: textOf(parseJson(found[2] ?? "")), at: numberOf(found[1]) };
}

function wholeOf(text: string): Known | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  const { sessionId, project, timestamp } = fieldsOf(value);
  return { session: nameOf(sessionId), project: textOf(project), at: timeOf(timestamp) };
}

/** A day in Greenwich, so that it is the same on every machine. */
function dayOf(project: string | undefined, at: number | undefined): string {
  const day = at === undefined ? "undated" : new Date(at).toISOString().slice(0, 10);
  return `${day}-${hashOf(project ?? "")}`;
}

function* rawLines(file: number): Generator<{ readonly from: number; readonly bytes: Buffer }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) return;
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    const base = at - rest.length;
    at += read;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (end > start) yield { from: base + start, bytes: bytes.subarray(start, end) };
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}
