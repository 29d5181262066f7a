import { readFileSync, statSync } from "node:fs";

/** An object of unknown shape, as it came out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or one without fields, so that a missing record reads like an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

/** A string with something in it. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Milliseconds since the epoch of seconds, of milliseconds or of an ISO string. */
export function timeOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : numberOf(value);
  if (number === undefined) return undefined;
  const time = number < SECONDS_BELOW ? number * 1000 : number;
  return time > 0 && time <= YEAR_9999 ? Math.floor(time) : undefined;
}

/** Tokens are whole and not negative, whatever was written. */
export function tokensOf(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value) ?? 0));
}

/**
 * Short name of a text. White space doesn't count, since copies of a message may differ in it. Two 32-bit hashes in one
 * pass: this runs over all that was said.
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

/** The object in a small JSON file that stands beside a transcript; one without fields where there is none. */
export function readJsonFile(path: string): Fields {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return NOTHING;
    return fieldsOf(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return NOTHING;
  }
}

const NOTHING: Fields = {};
const SECONDS_BELOW = 1e11;
const YEAR_9999 = 253_402_300_799_999;
const MAX_BYTES = 8_000_000;
