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

/** A finite number, also one that was written as a string. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Milliseconds since the epoch of an ISO string, of milliseconds or of seconds. */
export function timeOf(value: unknown): number | undefined {
  // Nearly all times are ISO strings, which no number looks like.
  if (typeof value === "string" && value.charAt(4) === "-") return inRange(Date.parse(value));
  const number = numberOf(value);
  if (number !== undefined) return inRange(number < SECONDS_BELOW ? number * 1000 : number);
  return typeof value === "string" ? inRange(Date.parse(value)) : undefined;
}

const NOTHING: Fields = {};
const SECONDS_BELOW = 1e11;
const YEAR_9999 = 253_402_300_799_999;

function inRange(time: number): number | undefined {
  return time > 0 && time <= YEAR_9999 ? Math.floor(time) : undefined;
}
