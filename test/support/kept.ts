import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeEntries } from "../../src/ingest/archive/segment.ts";
import type { TestHome } from "./home.ts";
import { storedIn } from "./stored-texts.ts";

/** Everything that Yore wrote down, unpacked. */
export function keptIn(
  home: TestHome,
): Readonly<Record<"archived" | "headers" | "stored" | "files" | "folders", string>> {
  const archived: string[] = [];
  const headers: string[] = [];
  const files: string[] = [];
  const folders = new Set<string>();
  for (const entry of readdirSync(home.yoreHome, { recursive: true, withFileTypes: true })) {
    // The compiled program, whose rules hold what many secrets begin with.
    if (!entry.isFile() || entry.parentPath === join(home.yoreHome, "cache")) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    folders.add(dirname(path));
    files.push(entry.name);
    if (!entry.name.endsWith(".segment")) files.push(bytes.toString("latin1"));
    else {
      archived.push(...(decodeEntries(bytes) ?? []));
      headers.push(bytes.toString("utf8", 0, bytes.indexOf("\n")));
    }
  }
  return {
    archived: archived.join("\n"),
    headers: headers.join("\n"),
    stored: storedIn(home.storePath),
    files: files.join("\n"),
    folders: [...folders].join("\n"),
  };
}
