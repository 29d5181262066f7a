import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import type { FoundFile, Source } from "../../src/sources/source.ts";
import { ROOT } from "./pages.ts";
import {
  environmentOf,
  messagesIn,
  readHandingOver,
  readItems,
  readItemsInHalves,
  readParts,
  readRecords,
} from "./read-items.ts";

/** Names of the cases below `test/fixtures/<agent>`. */
function fixtureCases({ agent }: Source): string[] {
  return readdirSync(join(ROOT, "test/fixtures", agent)).sort();
}

/**
 * The files a source finds in the home folder of a case, and in the folders below its `work`. Where a fixture holds
 * databases, written as `<database>.sql`, that is a copy with the databases made.
 */
export function fixtureFiles(source: Source, name: string): FoundFile[] {
  const folder = builtFolder(folderOf(source, name));
  const work = join(folder, "work");
  const workFolders = existsSync(work) ? readdirSync(work).map((project) => join(work, project)) : [];
  const home = join(folder, "home");
  const found = [...source.find(environmentOf(home, { platform: "linux", workFolders }))];
  return found.filter((entry): entry is FoundFile => "unit" in entry);
}

const built = new Map<string, string>();

function builtFolder(folder: string): string {
  const known = built.get(folder);
  if (known !== undefined) return known;
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sql"));
  if (scripts.length === 0) return folder;
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "yore-fixture-")));
  cpSync(folder, copy, { recursive: true });
  for (const script of scripts.sort()) {
    const path = join(copy, script);
    const database = new Database(path.slice(0, -".sql".length));
    database.exec(readFileSync(path, "utf8"));
    database.close();
    rmSync(path);
  }
  built.set(folder, copy);
  return copy;
}

/** What must hold for every case of an agent. A missing `expected.json` is written, and fails the test once. */
export function describeFixtures(source: Source): void {
  const cases = fixtureCases(source);
  const files = cases.flatMap((name) => fixtureFiles(source, name).map((file) => ({ name, file })));
  const named = files.map(({ name, file }) => [`${name}: ${file.path.split("/").at(-1)}`, file] as const);
  afterAll(() => {
    for (const copy of built.values()) rmSync(copy, { recursive: true, force: true });
    built.clear();
  });

  describe(`each case below test/fixtures/${source.agent}`, () => {
    it.each(cases)("%s reads as its expected.json says", (name) => {
      const folder = folderOf(source, name);
      const read = fixtureFiles(source, name).flatMap((file): [string, unknown][] => {
        const path = relative(builtFolder(folder), file.path).replace(/^home\//, "");
        if (file.unit !== "container") return [[path, readItems(source, file)]];
        return readParts(source, file).map(({ part, session, items }) => [`${path}#${part.name}`, { session, items }]);
      });
      const actual: unknown = JSON.parse(JSON.stringify(Object.fromEntries(read)));
      const expected = join(folder, "expected.json");
      if (!existsSync(expected)) {
        writeFileSync(expected, `${JSON.stringify(actual, null, 2)}\n`);
        expect.fail(`${name}/expected.json was missing and is now written: check it by eye, then run again`);
      }
      expect(actual).toEqual(JSON.parse(readFileSync(expected, "utf8")));
    });

    it.each(named)("%s names every message once", (_, file) => {
      // A fork has the names of its original's messages.
      for (const { items } of file.unit === "container" ? readParts(source, file) : [readItems(source, file)]) {
        const names = messagesIn(items).map(({ nativeId }) => nativeId);
        expect(new Set(names).size).toBe(names.length);
      }
    });

    it.each(named.filter(([, { unit }]) => unit === "lines"))(
      "%s gives the same items when another reader goes on, wherever it is cut",
      (_, file) => {
        const { records } = readRecords(file);
        const { session, items } = readItems(source, file);
        for (let at = 0; at <= records.length; at++) {
          expect(readItemsInHalves(source, file, records, at), `cut before record ${at}`).toEqual({ session, items });
        }
        expect(readHandingOver(source, file, records).items).toEqual(items);
      },
    );
  });
}

function folderOf({ agent }: Source, name: string): string {
  return join(ROOT, "test/fixtures", agent, name);
}
