import { readFileSync, statSync } from "node:fs";
import { asFields, type Fields } from "./fields.ts";

/** The object in a small JSON file that stands beside a transcript; undefined where there is none. */
export function readJsonFile(path: string): Fields | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > MAX_BYTES) return undefined;
    return asFields(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Half written, no JSON, or not to be read: what it says is not needed.
    return undefined;
  }
}

const MAX_BYTES = 8_000_000;
