import { isHighSurrogate } from "./reply.ts";

/** A piece of a long text. `next` is where the following piece begins, absent on the last. */
export interface TextPage {
  readonly text: string;
  /** Index of the block in which the page begins, and whether it begins at its first character. */
  readonly firstBlock: number;
  readonly isContinued: boolean;
  readonly next?: number;
}

/**
 * Cuts blocks of text into pages of at most `maxChars`, where `offset` counts characters of all blocks together.
 *
 * Pages end between blocks. A block longer than a page is cut at a line, a space, or else between code points.
 * Undefined when `offset` is at or past the end.
 */
export function textPage(blocks: readonly string[], offset: number, maxChars: number): TextPage | undefined {
  const ends = blockEnds(blocks);
  const firstBlock = ends.findIndex((end) => end > offset);
  if (firstBlock === -1) return undefined;
  const whole = blocks.map((block) => `${block}\n`).join("");
  const limit = offset + maxChars;
  const end = ends.findLast((blockEnd) => blockEnd > offset && blockEnd <= limit) ?? cutWithin(whole, offset, limit);
  const isContinued = offset !== (ends[firstBlock - 1] ?? 0);
  return {
    text: whole.slice(offset, end).replace(/\n$/, ""),
    firstBlock,
    isContinued,
    ...(end < whole.length && { next: end }),
  };
}

function blockEnds(blocks: readonly string[]): readonly number[] {
  const ends: number[] = [];
  let end = 0;
  for (const block of blocks) {
    end += block.length + 1;
    ends.push(end);
  }
  return ends;
}

function cutWithin(text: string, offset: number, limit: number): number {
  const leastUseful = offset + Math.floor((limit - offset) / 2);
  for (const separator of ["\n", " "]) {
    const at = text.lastIndexOf(separator, limit - 1);
    if (at >= leastUseful) return at + 1;
  }
  return isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
}
