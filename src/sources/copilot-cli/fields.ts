import { createHash } from "node:crypto";

/** An object of unknown shape, as it came out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object, or one without fields, so that a missing record reads like an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Milliseconds since the epoch, of an ISO string or of milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : numberOf(value);
  return time !== undefined && time > 0 && time <= YEAR_9999 ? Math.floor(time) : undefined;
}

/** A name that goes into ids and state: a long one is replaced by its hash. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || text.length <= MAX_NAME ? text : hashOf(text);
}

/** Short name of a text. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

const NOTHING: Fields = {};
const YEAR_9999 = 253_402_300_799_999;
const MAX_NAME = 100;
