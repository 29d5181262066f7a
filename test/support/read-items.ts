import { readFileSync } from "node:fs";
import type { FindProblem, FoundFile, Item, MessageItem, Source } from "../../src/sources/source.ts";

export interface ReadFile {
  readonly session: string;
  readonly items: readonly Item[];
}

/** Reads a whole file with one reader, the way the ingest does, and counts the lines that are no JSON. */
export function readItems(source: Source, file: FoundFile): ReadFile & { readonly badLines: number } {
  const { records, badLines } = readRecords(file);
  return { ...readWith(source, file, records), badLines };
}

/** Reads records in place of those of a file. */
export function readWith(source: Source, file: FoundFile, records: readonly unknown[]): ReadFile {
  const items: Item[] = [];
  const reader = source.reader(file);
  for (const record of records) reader.read(record, (item) => items.push(item));
  reader.finish?.((item) => items.push(item));
  return { session: reader.session, items };
}

/** Reads records in two halves, the second by a reader that knows only the first one's state, through JSON. */
export function readItemsInHalves(source: Source, file: FoundFile, records: readonly unknown[], at: number): ReadFile {
  const items: Item[] = [];
  const first = source.reader(file);
  for (const record of records.slice(0, at)) first.read(record, (item) => items.push(item));
  const state: unknown = at === 0 ? undefined : JSON.parse(JSON.stringify(first.state()));
  const second = source.reader(file, state);
  for (const record of records.slice(at)) second.read(record, (item) => items.push(item));
  return { session: second.session, items };
}

/** Reads each record by a reader of its own, which knows the ones before from the state alone, through JSON. */
export function readHandingOver(
  source: Source,
  file: FoundFile,
  records: readonly unknown[],
): { readonly items: readonly Item[]; readonly largestState: number } {
  const items: Item[] = [];
  let state: string | undefined;
  let largestState = 0;
  for (const record of records) {
    const reader = source.reader(file, state === undefined ? undefined : JSON.parse(state));
    reader.read(record, (item) => items.push(item));
    state = JSON.stringify(reader.state());
    largestState = Math.max(largestState, state.length);
  }
  return { items, largestState };
}

/** The JSON values of a file's complete lines, or the one of a document. */
export function readRecords({ path, unit }: FoundFile): {
  readonly records: readonly unknown[];
  readonly badLines: number;
} {
  const text = readFileSync(path, "utf8");
  if (unit === "document") return { records: [JSON.parse(text)], badLines: 0 };
  const records: unknown[] = [];
  let badLines = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    if (line.trim() === "") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      badLines += 1;
    }
  }
  return { records, badLines };
}

export function messagesIn(items: readonly Item[]): MessageItem[] {
  return items.filter((item) => item.kind === "message");
}

/** The files a source finds below a home folder. */
export function findFiles(source: Source, home: string, variables: Record<string, string> = {}): FoundFile[] {
  const found = [...source.find({ home, platform: process.platform, variables })];
  return found.filter((entry): entry is FoundFile => "unit" in entry);
}

/** What a source could not look at below a home folder. */
export function findProblems(source: Source, home: string, variables: Record<string, string> = {}): FindProblem[] {
  const found = [...source.find({ home, platform: process.platform, variables })];
  return found.filter((entry): entry is FindProblem => "problem" in entry);
}
