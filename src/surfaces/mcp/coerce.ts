import { isRecord, type ObjectSchema, type PropertySchema } from "./schema.ts";

/**
 * Undoes what clients do to well-meant arguments on the way: numbers, booleans and lists sent as text, numbers where
 * text is due, `null` or empty text for an argument that was left out, an enum value in capitals. Whatever else does
 * not fit is left as it came, for validation to name.
 */
export function coerceArguments(raw: unknown, schema: ObjectSchema): Record<string, unknown> {
  if (!isRecord(raw)) return {};
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) entries.push([name, value]);
    else if (!isLeftOut(value)) entries.push([name, coerce(value, property)]);
  }
  return Object.fromEntries(entries);
}

function isLeftOut(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

function coerce(value: unknown, property: PropertySchema): unknown {
  switch (property.type) {
    case "integer":
    case "number":
      return typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
    case "boolean":
      return typeof value === "string" ? (BOOLEANS.get(value.trim().toLowerCase()) ?? value) : value;
    case "array":
      return coerceList(value, property.items);
    case "string":
      return coerceText(value, property.enum);
  }
}

function coerceText(value: unknown, allowed: readonly string[] | undefined): unknown {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || allowed === undefined) return value;
  const folded = value.trim().toLowerCase();
  return allowed.includes(folded) ? folded : value;
}

function coerceList(value: unknown, items: PropertySchema | undefined): unknown {
  const list = typeof value === "string" ? splitList(value) : value;
  return Array.isArray(list) && items !== undefined ? list.map((item) => coerce(item, items)) : list;
}

function splitList(text: string): unknown {
  if (text.trimStart().startsWith("[")) {
    try {
      const parsed: unknown = JSON.parse(text);
      return parsed;
    } catch {
      return text;
    }
  }
  return text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;
const BOOLEANS = new Map([
  ["true", true],
  ["false", false],
]);
