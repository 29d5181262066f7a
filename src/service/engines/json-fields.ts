/** A field of what may be anything. */
export function fieldIn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

export function itemsIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A whole number, not below 0. */
export function countIn(value: unknown, name: string): number | undefined {
  const count = fieldIn(value, name);
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
