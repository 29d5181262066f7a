// Type aliases and plain arrays, because the SDK's JSON values take neither interfaces nor read-only arrays.

/**
 * The part of JSON Schema that every client passes on to its model unharmed: flat objects of scalars and lists of
 * scalars, with bounds and string enums.
 */
export type ObjectSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: string[];
  readonly additionalProperties: false;
};

export type PropertySchema = {
  readonly type: "string" | "integer" | "number" | "boolean" | "array";
  readonly description?: string;
  readonly enum?: string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: PropertySchema;
};

/** Drops the dialect line, which costs tokens and says the default. Throws on a schema that is not a flat object. */
export function asObjectSchema(json: object): ObjectSchema {
  const schema: unknown = Object.fromEntries(Object.entries(json).filter(([key]) => key !== "$schema"));
  if (!isObjectSchema(schema)) throw new TypeError("A tool's arguments must be a strict object of typed properties");
  return schema;
}

/** What a value may be, in words: `an integer from 1 to 20`. */
export function describeAllowed(property: PropertySchema): string {
  if (property.enum !== undefined) return `one of ${property.enum.join(", ")}`;
  switch (property.type) {
    case "integer":
    case "number":
      return `${property.type === "integer" ? "an integer" : "a number"} from ${property.minimum} to ${property.maximum}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list of ${property.minItems ?? 0} to ${property.maxItems} values, each ${itemWords(property.items)}`;
    case "string":
      return `text of at most ${property.maxLength} characters`;
  }
}

function itemWords(items: PropertySchema | undefined): string {
  return items === undefined ? "text" : describeAllowed(items);
}

const TYPES: readonly unknown[] = ["string", "integer", "number", "boolean", "array"];

function isObjectSchema(value: unknown): value is ObjectSchema {
  if (!isRecord(value) || value.type !== "object" || value.additionalProperties !== false) return false;
  return (
    isRecord(value.properties) &&
    Object.values(value.properties).every((property) => isRecord(property) && TYPES.includes(property.type))
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
