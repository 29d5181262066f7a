import { join, posix, win32 } from "node:path";
import { fieldsOf, listOf, parseJson, textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import { pathOfUri } from "./uri.ts";

/**
 * The folder that was open in the window, as `workspace.json` in the window's storage says. Where several were open, the
 * first of them; undefined where none was, or where it isn't said.
 */
export function workspaceFolder(storage: string, sidecars: Sidecars): string | undefined {
  const { folder, workspace, configuration } = fieldsOf(sidecars.json(join(storage, "workspace.json")));
  const own = pathOfUri(folder);
  if (own !== undefined) return own;
  const file = pathOfUri(workspace ?? configuration);
  return file === undefined ? undefined : firstFolder(file, sidecars);
}

function firstFolder(file: string, sidecars: Sidecars): string | undefined {
  const { dirname, resolve, basename } = file.includes("\\") ? win32 : posix;
  const [first] = listOf(fieldsOf(parseJson(sidecars.text(file) ?? "")).folders).map(fieldsOf);
  const path = textOf(first?.path);
  if (path !== undefined) return resolve(dirname(file), path);
  const named = pathOfUri(first?.uri);
  // A workspace that was never saved lies among VS Code's own files.
  return named ?? (basename(file) === "workspace.json" ? undefined : dirname(file));
}
