import { readFileSync } from "node:fs";
import { diskSidecars } from "../../src/sources/sidecars.ts";
import type {
  FindProblem,
  FoundFile,
  FoundPart,
  Item,
  MessageItem,
  Reader,
  Source,
  SourceEnvironment,
} from "../../src/sources/source.ts";

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
  const reader = readerOf(source, file);
  for (const record of records) reader.read(record, (item) => items.push(item));
  reader.finish?.((item) => items.push(item));
  return { session: reader.session, items };
}

/** A reader that looks at the files beside a transcript as they are. */
export function readerOf(source: Source, file: FoundFile, state?: unknown): Reader {
  return source.reader(file, state, diskSidecars);
}

/** Opens a container and reads each part of it, the way the ingest does. */
export function readParts(
  source: Source,
  file: FoundFile,
): readonly (ReadFile & { readonly part: FoundPart; readonly records: readonly unknown[] })[] {
  const container = source.open?.(file);
  if (container === undefined) throw new Error(`${source.agent} has no containers`);
  try {
    return [...container.parts()].map((part) => {
      if ("problem" in part) throw new Error(part.problem);
      // What is archived has to be read again as it was.
      const records: unknown[] = JSON.parse(JSON.stringify([...container.records(part)]));
      return { part, records, ...readWith(source, { ...file, part: part.name }, records) };
    });
  } finally {
    container.close();
  }
}

/** Reads records in two halves, the second by a reader that knows only the first one's state, through JSON. */
export function readItemsInHalves(source: Source, file: FoundFile, records: readonly unknown[], at: number): ReadFile {
  const items: Item[] = [];
  const first = readerOf(source, file);
  for (const record of records.slice(0, at)) first.read(record, (item) => items.push(item));
  const state: unknown = at === 0 ? undefined : JSON.parse(JSON.stringify(first.state()));
  const second = readerOf(source, file, state);
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
    const reader = readerOf(source, file, state === undefined ? undefined : JSON.parse(state));
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

/** What a source may know of the machine, where `home` is the home folder. */
export function environmentOf(home: string, more: Partial<SourceEnvironment> = {}): SourceEnvironment {
  return { home, platform: process.platform, variables: {}, workFolders: [], ...more };
}

/** The files a source finds below a home folder. */
export function findFiles(source: Source, home: string, variables: Record<string, string> = {}): FoundFile[] {
  const found = [...source.find(environmentOf(home, { variables }))];
  return found.filter((entry): entry is FoundFile => "unit" in entry);
}

/** What a source could not look at below a home folder. */
export function findProblems(source: Source, home: string, variables: Record<string, string> = {}): FindProblem[] {
  const found = [...source.find(environmentOf(home, { variables }))];
  return found.filter((entry): entry is FindProblem => "problem" in entry);
}
