import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** There is nothing of the set where it was said to be. */
export class NoData extends Error {}

/**
 * What JSON files there are at a path or below it, by name, whatever they are called.
 *
 * @param {string} path
 * @returns {{ path: string, folder: string, json: any }[]}
 */
export function readAllJson(path) {
  return filesAt(path).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (!/^\s*[[{]/.test(text)) return [];
    try {
      return [{ path: file, folder: dirname(file), json: JSON.parse(text) }];
    } catch {
      // Not for us: a file of lines, or of another kind.
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
