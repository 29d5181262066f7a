import { fstatSync, readSync } from "node:fs";

/** One run of Aider, as a range of bytes. `start` is as Aider wrote it: local time, to the second. */
export interface Section {
  readonly start: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** The runs in a history, in order, found in one pass over its bytes. What stands before the first has no start. */
export function findSections(file: number): readonly Section[] {
  const { size } = fstatSync(file);
  const headings = [...findHeadings(file, size)];
  const first = headings[0]?.from ?? size;
  const before = first > 0 ? [{ start: undefined, from: 0, to: first }] : [];
  return [...before, ...headings.map((heading, n) => ({ ...heading, to: headings[n + 1]?.from ?? size }))];
}

export function hasHeading(bytes: Buffer): boolean {
  return [...headingsIn(bytes, 0)].length > 0;
}

const MARK = Buffer.from("# aider chat started at ");
const HEADING_BYTES = MARK.length + "2026-03-02 09:00:00".length;
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const CHUNK_BYTES = 4_000_000;
const NEWLINE = 10;

interface Heading {
  readonly start: string;
  readonly from: number;
}

function* findHeadings(file: number, size: number): Generator<Heading> {
  const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  let from = 0;
  while (from < size) {
    const read = readSync(file, chunk, 0, chunk.length, from);
    if (read === 0) return;
    const bytes = chunk.subarray(0, read);
    const isLast = from + read >= size;
    // A heading that is cut by the end of the chunk is seen whole in the next one.
    const next = isLast ? size : from + Math.max(1, read - HEADING_BYTES);
    for (const heading of headingsIn(bytes, from)) if (heading.from > from || from === 0) yield heading;
    from = next;
  }
}

function* headingsIn(bytes: Buffer, offset: number): Generator<Heading> {
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
    const isLine = at === 0 ? offset === 0 : bytes[at - 1] === NEWLINE;
    const start = bytes.toString("latin1", at + MARK.length, at + HEADING_BYTES);
    if (isLine && TIME.test(start)) yield { start, from: offset + at };
  }
}
