/** An object of unknown shape, as it came out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or one without fields, so that a missing record reads like an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

/** The object, where it matters whether there is one. */
export function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** A string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings of a list. */
export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((entry) => typeof entry === "string");
}

/** What a `Map` of strings was written as. */
export function pairsOf(value: unknown): [string, string][] {
  return listOf(value).flatMap((pair): [string, string][] => {
    const [key, text] = listOf(pair);
    return typeof key === "string" && typeof text === "string" ? [[key, text]] : [];
  });
}

/** A finite number, also one that was written as a string. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A number of tokens: whole and not negative, whatever was written. */
export function tokensOf(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value) ?? 0));
}

/** Milliseconds since the epoch, of an ISO string, of milliseconds or of seconds. */
export function timeOf(value: unknown): number | undefined {
  // Nearly all times are ISO strings, which no number looks like.
  if (typeof value === "string" && value.charAt(4) === "-") return inRange(Date.parse(value));
  const number = numberOf(value);
  if (number !== undefined) return inRange(number < SECONDS_BELOW ? number * 1000 : number);
  return typeof value === "string" ? inRange(Date.parse(value)) : undefined;
}

/** A name that goes into ids and state: a long one is replaced by its hash, so that both stay small. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || text.length <= MAX_NAME ? text : hashOf(text);
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

/** JSON that is nested too deep to write gives the empty string. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NOTHING: Fields = {};
const MAX_NAME = 100;
const SECONDS_BELOW = 1e11;
const YEAR_9999 = 253_402_300_799_999;

function inRange(time: number): number | undefined {
  return time > 0 && time <= YEAR_9999 ? Math.round(time) : undefined;
}
