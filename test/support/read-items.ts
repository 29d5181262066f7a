import { readFileSync } from "node:fs";
import type { FindProblem, FoundFile, Item, Source } from "../../src/sources/source.ts";

export interface ReadFile {
  readonly session: string;
  readonly items: readonly Item[];
  /** Lines that are no JSON. */
  readonly badLines: number;
}

/** Reads a whole file of JSON Lines with one reader, the way the ingest does. */
export function readItems(source: Source, file: FoundFile): ReadFile {
  const { records, badLines } = readRecords(file.path);
  const reader = source.reader(file);
  const items: Item[] = [];
  for (const record of records) reader.read(record, (item) => items.push(item));
  return { session: reader.session, items, badLines };
}

/** Reads a file in two halves, the second by a reader that knows only the first one's state, through JSON. */
export function readItemsInHalves(
  source: Source,
  file: FoundFile,
  records: readonly unknown[],
  at: number,
): Omit<ReadFile, "badLines"> {
  const items: Item[] = [];
  const first = source.reader(file);
  for (const record of records.slice(0, at)) first.read(record, (item) => items.push(item));
  const state: unknown = at === 0 ? undefined : JSON.parse(JSON.stringify(first.state()));
  const second = source.reader(file, state);
  for (const record of records.slice(at)) second.read(record, (item) => items.push(item));
  return { session: second.session, items };
}

/** The JSON values of a file's complete lines. */
export function readRecords(path: string): { readonly records: unknown[]; readonly badLines: number } {
  const records: unknown[] = [];
  let badLines = 0;
  for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) {
    if (line.trim() === "") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      badLines += 1;
    }
  }
  return { records, badLines };
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
