import { clipMiddle } from "../../core/text.ts";
import { asFields, type Fields, parseJson } from "../fields.ts";

/** Text of a database's value, which stands there as text or as bytes; undefined of none. */
export function cellText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : undefined;
}

/** The object in a database's value. */
export function cellFields(value: unknown): Fields | undefined {
  const text = cellText(value);
  return text === undefined ? undefined : asFields(parseJson(text));
}

/** The named fields of an object that are there, long texts in them cut. */
export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const value = fields[name];
      return value === undefined || value === null || value === "" ? [] : [[name, cut(value)]];
    }),
  );
}

/** The value with all that is longer than the ingest keeps cut in the middle, and without what is nested absurdly. */
export function cut(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return clipMiddle(value, MAX_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((entry) => cut(entry, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cut(field, depth + 1)]));
}

/** A larger value is not read. */
export const MAX_VALUE_BYTES = 64_000_000;
const MAX_CHARS = 1_000_000;
const MAX_DEPTH = 60;
