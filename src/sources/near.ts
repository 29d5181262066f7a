import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";

/** The parts of a path below the one of those folders that it is in, with links resolved; undefined where it is in none. */
export function within(
  roots: readonly string[],
  path: string | undefined,
): { readonly path: string; readonly parts: readonly string[] } | undefined {
  if (path === undefined) return undefined;
  try {
    const real = realpathSync(resolve(path));
    for (const root of roots) {
      const folder = realFolder(root);
      if (folder !== undefined && real.startsWith(folder + sep)) {
        return { path: real, parts: real.slice(folder.length + 1).split(sep) };
      }
    }
  } catch {
    // It is not there, or not to be looked at.
  }
  return undefined;
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
