export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** A string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A name that goes into ids and state: long ones are replaced by their hash, so that state stays small. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || text.length <= MAX_NAME ? text : hashOf(text);
}

/** A path, also where it was written as a `file://` address. */
export function pathOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || text.length > MAX_PATH) return undefined;
  if (!text.startsWith("file:///")) return text;
  const path = decoded(text.slice("file://".length));
  return WINDOWS_DRIVE.test(path) ? path.slice(1) : path;
}

/** Milliseconds since the epoch, of an ISO string or of a number of seconds or milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : asMilliseconds(numberOf(value));
  return at !== undefined && at >= EARLIEST && at <= LATEST ? Math.round(at) : undefined;
}

/** Milliseconds of Rust's `{secs, nanos}`. */
export function durationOf(value: unknown): number | undefined {
  const secs = numberOf(fieldsOf(value)?.secs);
  const nanos = numberOf(fieldsOf(value)?.nanos) ?? 0;
  return secs === undefined ? undefined : Math.round(secs * 1000 + nanos / 1e6);
}

/**
 * Short name of a text, to tell it from others of the same turn. White space doesn't count, since the two copies of a
 * message may differ in it. Two 32-bit hashes in one pass: this runs over all that was said.
 */
export function hashOf(text: string): string {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32) continue;
    high = Math.imul(high ^ code, 0x27d4eb2f);
    low = Math.imul(low ^ code, 0x165667b1);
    high = (high << 13) | (high >>> 19);
    low ^= low >>> 15;
  }
  high = Math.imul(high ^ (high >>> 16), 0x7feb352d) ^ (low >>> 13);
  low = Math.imul(low ^ (low >>> 15), 0x846ca68b) ^ (high >>> 16);
  return (high >>> 0).toString(36) + (low >>> 0).toString(36).padStart(7, "0");
}

/** JSON that can be nested too deep to write gives the empty string. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_NAME = 100;
const MAX_PATH = 4096;
const EARLIEST = Date.UTC(2020, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const WINDOWS_DRIVE = /^\/[A-Za-z]:[\\/]/;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asMilliseconds(value: number | undefined): number | undefined {
  return value === undefined || value >= 1e11 ? value : value * 1000;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
