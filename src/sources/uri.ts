import { textOf } from "./fields.ts";

/** The path that a `file://` address or a plain path names; undefined for any other address. */
export function pathOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || text.length > MAX_PATH) return undefined;
  if (!ADDRESS.test(text)) return text;
  if (!text.startsWith("file:///")) return undefined;
  const path = decoded(text.slice("file://".length));
  return WINDOWS_DRIVE.test(path) ? path.slice(1) : path;
}

const MAX_PATH = 4_096;
const ADDRESS = /^[a-z][\w+.-]+:\/\//i;
const WINDOWS_DRIVE = /^\/[A-Za-z]:(?:[\\/]|$)/;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
