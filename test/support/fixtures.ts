import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { FoundFile, Source } from "../../src/sources/source.ts";
import { ROOT } from "./pages.ts";
import { findFiles, messagesIn, readHandingOver, readItems, readItemsInHalves, readRecords } from "./read-items.ts";

/** Names of the cases below `test/fixtures/<agent>`. */
function fixtureCases({ agent }: Source): string[] {
  return readdirSync(join(ROOT, "test/fixtures", agent)).sort();
}

/** The files a source finds in the home folder of a case. */
export function fixtureFiles(source: Source, name: string): FoundFile[] {
  return findFiles(source, join(folderOf(source, name), "home"));
}

/** What must hold for every case of an agent. A missing `expected.json` is written, and fails the test once. */
export function describeFixtures(source: Source): void {
  const cases = fixtureCases(source);
  const files = cases.flatMap((name) => fixtureFiles(source, name));
  const named = files.map((file) => [relative(folderOf(source, ""), file.path), file] as const);

  describe(`each case below test/fixtures/${source.agent}`, () => {
    it.each(cases)("%s reads as its expected.json says", (name) => {
      const folder = folderOf(source, name);
      const read = fixtureFiles(source, name).map((file) => [
        relative(join(folder, "home"), file.path),
        readItems(source, file),
      ]);
      const actual: unknown = JSON.parse(JSON.stringify(Object.fromEntries(read)));
      const expected = join(folder, "expected.json");
      if (!existsSync(expected)) {
        writeFileSync(expected, `${JSON.stringify(actual, null, 2)}\n`);
        expect.fail(`${name}/expected.json was missing and is now written: check it by eye, then run again`);
      }
      expect(actual).toEqual(JSON.parse(readFileSync(expected, "utf8")));
    });

    it.each(named)("%s names every message once", (_, file) => {
      const names = messagesIn(readItems(source, file).items).map(({ nativeId }) => nativeId);
      expect(new Set(names).size).toBe(names.length);
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
