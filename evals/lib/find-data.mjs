import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** There is nothing of the set where it was said to be. */
export class NoData extends Error {}

/**
 * The JSON files at a path or below it that have a word in them, whatever they are called. Of what others are there
 * nothing is kept in memory.
 *
 * @param {string} path
 * @param {RegExp} word
 * @returns {{ path: string, folder: string, json: any }[]}
 */
export function readJsonWith(path, word) {
  return filesAt(path).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (!/^\s*[[{]/.test(text) || !word.test(text)) return [];
    try {
      return [{ path: file, folder: dirname(file), json: JSON.parse(text) }];
    } catch {
      // A file of lines, or of another kind.
      return [];
    }
  });
}

function filesAt(path) {
  let stat;
  try {
    stat = statSync(path);
  } catch {
    throw new NoData(`There is nothing at ${path}.`);
  }
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .toSorted(new Intl.Collator("en", { numeric: true }).compare)
    .flatMap((name) => {
      const below = join(path, name);
      return statSync(below).isDirectory() || /\.(?:json|txt)$/.test(name) ? filesAt(below) : [];
    });
}
