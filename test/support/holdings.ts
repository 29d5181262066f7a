import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEntries, decodeHeader } from "../../src/ingest/archive/segment.ts";
import { storedTexts } from "./stored-texts.ts";

/** Where any of the needles stands in any file of a folder, also packed or compressed: by file, and of stores by table. */
export function whereStands(folder: string, needles: readonly string[]): readonly string[] {
  const places = new Set<string>();
  const look = (place: string, text: string): void => {
    for (const needle of needles) if (text.includes(needle)) places.add(`${place}: ${needle}`);
  };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    look("name", name);
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    look(name, bytes.toString("utf8"));
    look(name, bytes.toString("latin1"));
    if (name.endsWith(".segment")) {
      look(name, decodeEntries(bytes)?.join("\n") ?? "");
      look(name, JSON.stringify(decodeHeader(bytes)?.header));
    }
    if (name === "yore.db") for (const [table, text] of storedTexts(path)) look(table, text);
  }
  return [...places].sort();
}
