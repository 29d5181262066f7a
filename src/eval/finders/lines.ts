import { createReadStream } from "node:fs";

export interface Line {
  /** Where it begins. */
  readonly byte: number;
  readonly text: string;
}

const NEWLINE = 10;
/** What follows in a longer line is passed over. */
const MOST_BYTES = 64_000_000;
const HEAD = 8_192;

/** Lines of a file with text in it. None of one that is no text, or cannot be opened. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  const stream = createReadStream(path, { highWaterMark: 1 << 20 });
  let waiting: Buffer[] = [];
  let length = 0;
  let byte = 0;
  let isFirst = true;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) return;
      if (isFirst && chunk.subarray(0, HEAD).includes(0)) return;
      isFirst = false;
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        yield { byte, text: textOf([...waiting, chunk.subarray(from, end)]) };
        byte += length + end - from + 1;
        waiting = [];
        length = 0;
        from = end + 1;
      }
      if (length < MOST_BYTES) waiting.push(chunk.subarray(from));
      length += chunk.length - from;
    }
  } catch {
    return;
  } finally {
    stream.destroy();
  }
  if (length > 0) yield { byte, text: textOf(waiting) };
}

function textOf(parts: readonly Buffer[]): string {
  const [only] = parts;
  return (parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)).toString("utf8");
}
