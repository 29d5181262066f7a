/** Where a text holds what may stay, as pairs of start and end. */
export type Allowed = (text: string) => readonly (readonly [start: number, end: number])[];

export interface AllowList {
  /** Nothing where no line allows anything. */
  readonly allowed: Allowed | undefined;
  /** Numbers of lines, from 1, that are no pattern. */
  readonly wrongLines: readonly number[];
}

/**
 * Reads an allow list: one entry a line, either a text as it stands or a pattern between slashes with flags `i`, `m` or
 * `s` behind it. Empty lines and lines that begin with `#` say nothing. A secret stays if all of it lies within a match.
 */
export function parseAllowList(content: string): AllowList {
  const patterns: RegExp[] = [];
  const wrongLines: number[] = [];
  content.split(/\r?\n/).forEach((line, index) => {
    const entry = line.trim();
    if (entry === "" || entry.startsWith("#")) return;
    const pattern = patternOf(entry);
    if (pattern === undefined) wrongLines.push(index + 1);
    else patterns.push(pattern);
  });
  return { allowed: patterns.length === 0 ? undefined : (text) => matchesIn(text, patterns), wrongLines };
}

function patternOf(entry: string): RegExp | undefined {
  const [, source, flags = ""] = /^\/(.+)\/([ims]{0,3})$/.exec(entry) ?? [];
  try {
    return source === undefined ? new RegExp(escaped(entry), "g") : new RegExp(source, `g${flags}`);
  } catch {
    return undefined;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function matchesIn(text: string, patterns: readonly RegExp[]): readonly (readonly [number, number])[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length] as const),
  );
}
