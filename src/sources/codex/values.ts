import { fieldsOf, numberOf, textOf } from "../fields.ts";

/** A path, also where it was written as a `file://` address. */
export function pathOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || text.length > MAX_PATH) return undefined;
  if (!text.startsWith("file:///")) return text;
  const path = decoded(text.slice("file://".length));
  return WINDOWS_DRIVE.test(path) ? path.slice(1) : path;
}

/** Milliseconds of Rust's `{secs, nanos}`. */
export function durationOf(value: unknown): number | undefined {
  const { secs, nanos } = fieldsOf(value);
  const seconds = numberOf(secs);
  return seconds === undefined ? undefined : Math.round(seconds * 1000 + (numberOf(nanos) ?? 0) / 1e6);
}

const MAX_PATH = 4096;
const WINDOWS_DRIVE = /^\/[A-Za-z]:[\\/]/;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
