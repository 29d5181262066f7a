import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fetchPackage } from "./packages.mjs";
import { randomFrom, shuffled } from "./random.mjs";
import { READERS } from "./readers.mjs";
import { textsOf } from "./texts.mjs";

const MAX_FILE_BYTES = 12_000_000;
const TESTS = /\/tests?\/|test_/;

/**
 * The texts that are learned from, in an order that mixes the sources: same packages, same texts.
 *
 * @param {{ texts: number, sources: object[] }} corpus
 * @param {string} work
 * @param {(message: string) => void} say
 * @returns {string[]}
 */
export function readCorpus(corpus, work, say) {
  const seen = new Set();
  const texts = [];
  for (const source of corpus.sources) {
    const folder = fetchPackage(source, work);
    for (const { as, files, most } of source.take) {
      const random = randomFrom(7);
      const found = [];
      for (const path of filesIn(folder, new RegExp(files))) {
        for (const passage of READERS[as](readFileSync(path, "utf8"))) {
          for (const text of textsOf(passage, random)) {
            // Packages of one project say much of the same.
            const words = text.toLowerCase().replace(/\W+/g, " ");
            if (seen.has(words)) continue;
            seen.add(words);
            found.push(text);
          }
        }
      }
      texts.push(...shuffled(found, random).slice(0, most));
      say(`${source.name} (${as}): ${Math.min(found.length, most)} of ${found.length} texts`);
    }
  }
  return shuffled(texts, randomFrom(11)).slice(0, corpus.texts);
}

function filesIn(folder, wanted) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .filter((path) => {
      const name = relative(folder, path);
      return wanted.test(name) && !TESTS.test(name) && statSync(path).size <= MAX_FILE_BYTES;
    });
}
