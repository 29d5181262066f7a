/** An object of unknown shape, as it came out of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** A string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A string that can be part of an id: an agent's ids are short, so that anything long is none. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined || text.length > MAX_NAME ? undefined : text;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Milliseconds since the epoch of an ISO string or of a number of milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : numberOf(value);
  return at !== undefined && at >= EARLIEST && at <= LATEST ? Math.round(at) : undefined;
}

/** JSON that is nested too deep to write gives the empty string. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** The name of a record type for a skip: odd names may hold content, so they are not repeated. */
export function plainName(type: unknown): string {
  return typeof type === "string" && PLAIN_NAME.test(type) ? type : "(no plain name)";
}

const MAX_NAME = 200;
const EARLIEST = Date.UTC(2020, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const PLAIN_NAME = /^[A-Za-z][\w./-]{0,60}$/;
