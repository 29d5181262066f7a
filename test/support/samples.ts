import { existsSync, readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Item } from "../../src/sources/source.ts";

const PATH = fileURLToPath(new URL("../../../shared/samples/home", import.meta.url));

/**
 * A home folder of real transcripts, which lies beside the project and is no part of it. With every link resolved, as
 * found files are. It may be missing: whoever needs it says that it did not run.
 */
export const SAMPLES_HOME = existsSync(PATH) ? realpathSync(PATH) : PATH;

/** The whole lines of a file, each as the JSON it is. */
export function rawLines<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function kindOf(item: Item): string {
  return item.kind === "message" ? `${item.role}/${item.part}` : item.kind;
}

/** How often each name occurs. */
export function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
