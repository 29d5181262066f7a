import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders looked into before it is given up; each step down chooses among few that fit. */
const MAX_LOOKS = 200;

/**
 * The folder that an agent wrote as a name with `-` for every other character than letters and digits, if it is still
 * there. The name alone does not tell: `-a-b-c` is `/a/b/c`, `/a/b-c` or `/a-b/c`, so the folders that are there decide.
 */
export function folderOfName(name: string): string | undefined {
  const drive = /^([A-Za-z])--/.exec(name)?.[1];
  const root = drive === undefined ? "/" : `${drive}:\\`;
  let looks = 0;
  const find = (folder: string, rest: string): string | undefined => {
    if (looks++ >= MAX_LOOKS) return undefined;
    // The longest first: `my-app` before `my`, where both are there.
    const fitting = subfolders(folder)
      .map((entry) => ({ entry, encoded: encode(entry) }))
      .filter(({ encoded }) => rest === encoded || rest.startsWith(`${encoded}-`))
      .sort((a, b) => b.encoded.length - a.encoded.length || (a.entry < b.entry ? -1 : 1));
    for (const { entry, encoded } of fitting) {
      const path = join(folder, entry);
      const found = rest === encoded ? path : find(path, rest.slice(encoded.length + 1));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(root, drive === undefined ? name.replace(/^-/, "") : name.slice(3));
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function encode(name: string): string {
  return name.normalize("NFC").replace(/[^A-Za-z0-9]/g, "-");
}
