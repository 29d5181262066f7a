import { dirname } from "node:path";
import { expectTables, type ForeignDatabase, openDatabase } from "../database.ts";
import { type Fields, hashOf, jsonOf, numberOf, textOf, timeOf } from "../fields.ts";
import type { Container, FoundPart } from "../source.ts";
import { composerRecords, hasConversation } from "./composer.ts";
import { composerHeads, foldersBeside, workspaceComposers, workspaceFolder } from "./links.ts";
import { tabParts } from "./tabs.ts";

/**
 * Opens a database of the editor. The global one holds the composers, one part each; those of workspaces hold the tabs
 * of the first chat panel and composers of the first versions.
 */
export function openState(path: string): Container {
  const database = openDatabase(path);
  const folders = foldersBeside(path);
  const heads = lazily(() => composerHeads(database));
  const held = lazily(() => heldParts(database, workspaceFolder(dirname(path))));
  const hasComposers = database.columns("cursorDiskKV").has("key");
  return {
    *parts() {
      expectTables(database, ["ItemTable", "cursorDiskKV", "composerHeaders"]);
      for (const { part } of held().values()) yield part;
      if (hasComposers) yield* composerParts(database, heads());
    },
    *records({ name }) {
      const inline = held().get(name);
      if (inline !== undefined) yield* inline.records();
      else if (hasComposers) yield* composerRecords(database, name, heads().get(name), folders);
    },
    close: () => database.close(),
  };
}

/** What stands in one value with others. */
interface HeldPart {
  readonly part: FoundPart;
  records(): Iterable<unknown>;
}

function heldParts(database: ForeignDatabase, folder: string | undefined): ReadonlyMap<string, HeldPart> {
  const composers = inlineParts(workspaceComposers(database).filter(hasConversation), folder);
  return new Map([...tabParts(database, folder), ...composers].map((held) => [held.part.name, held]));
}

const FIRST = "composerData:";

/**
 * Every write of a value gives its row a new number, since the table replaces rows. So the numbers tell what has
 * changed, and they stand in the index: no value is read.
 */
function* composerParts(database: ForeignDatabase, heads: ReadonlyMap<string, Fields>): Generator<FoundPart> {
  const composers = database.rows(
    `SELECT key, rowid AS version, octet_length(value) AS bytes FROM cursorDiskKV
     WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL ORDER BY key`,
  );
  for (const { key, version, bytes } of composers) {
    const name = (textOf(key) ?? "").slice(FIRST.length);
    if (name === "") continue;
    const bubbles = database.row(
      "SELECT count(*) AS number, max(rowid) AS version FROM cursorDiskKV WHERE key >= ? AND key < ?",
      `bubbleId:${name}:`,
      `bubbleId:${name};`,
    );
    const head = heads.get(name);
    const createdAt = timeOf(head?.createdAt);
    const number = numberOf(bubbles?.number) ?? 0;
    yield {
      name,
      revision: [version, bytes, number, bubbles?.version ?? 0, head === undefined ? "" : hashOf(jsonOf(head))].join(
        ":",
      ),
      ...(createdAt !== undefined && { createdAt }),
      bytes: (numberOf(bytes) ?? 0) + number * BUBBLE_BYTES,
    };
  }
}

/** About how much a bubble takes. */
const BUBBLE_BYTES = 5_000;

function inlineParts(composers: readonly Fields[], folder: string | undefined): readonly HeldPart[] {
  return composers.flatMap((composer): HeldPart[] => {
    const name = textOf(composer.composerId);
    if (name === undefined) return [];
    const text = jsonOf(composer);
    const records = () => composerRecords(undefined, name, undefined, { ofComposer: () => folder }, composer);
    return [{ part: { name, revision: hashOf(text), bytes: text.length }, records }];
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
