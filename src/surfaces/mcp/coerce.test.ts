import { describe, expect, it } from "vitest";
import { coerceArguments } from "./coerce.ts";
import type { ObjectSchema } from "./schema.ts";

const SCHEMA: ObjectSchema = {
  type: "object",
  properties: {
    query: { type: "string", maxLength: 10 },
    detail: { type: "string", enum: ["condensed", "full"] },
    limit: { type: "integer", minimum: 1, maximum: 20 },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    all: { type: "boolean" },
    ids: { type: "array", maxItems: 3, items: { type: "string", maxLength: 9 } },
    roles: { type: "array", maxItems: 3, items: { type: "string", enum: ["human", "tool"] } },
  },
  additionalProperties: false,
};

describe("coerceArguments", () => {
  it.each([
    ["a number as text", { limit: "10" }, { limit: 10 }],
    ["a padded number", { limit: " 7 " }, { limit: 7 }],
    ["a fraction as text", { ratio: "0.5" }, { ratio: 0.5 }],
    ["a boolean as text", { all: "True" }, { all: true }],
    ["false as text", { all: "false" }, { all: false }],
    ["a list as JSON", { ids: '["a","b"]' }, { ids: ["a", "b"] }],
    ["a list with commas", { ids: "a, b,,c" }, { ids: ["a", "b", "c"] }],
    ["one item without a list", { ids: "a" }, { ids: ["a"] }],
    ["numbers in a list of text", { ids: [1, 2] }, { ids: ["1", "2"] }],
    ["a number where text is due", { query: 502 }, { query: "502" }],
    ["an enum value in capitals", { detail: " Full " }, { detail: "full" }],
    ["enum values in a list", { roles: "HUMAN,tool" }, { roles: ["human", "tool"] }],
    ["null for left out", { query: null, limit: null }, {}],
    ["empty text for left out", { query: "", ids: "" }, {}],
    ["what fits already", { query: "a", limit: 3, all: false, ids: [] }, { query: "a", limit: 3, all: false, ids: [] }],
  ])("takes %s", (_, raw, expected) => {
    expect(coerceArguments(raw, SCHEMA)).toEqual(expected);
  });

  it.each([
    ["words where a number is due", { limit: "ten" }],
    ["a hexadecimal number", { limit: "0x10" }],
    ["an unknown boolean word", { all: "maybe" }],
    ["broken JSON for a list", { ids: '["a"' }],
    ["an object for a list", { ids: { a: 1 } }],
    ["an unknown enum value", { detail: "everything" }],
    ["an unknown argument, even when null", { other: null }],
    ["a property of every object", { constructor: "x" }],
  ])("leaves %s for validation to name", (_, raw) => {
    expect(coerceArguments(raw, SCHEMA)).toEqual(raw);
  });

  it.each([[undefined], [null], ["text"], [["a"]]])("takes %j for no arguments at all", (raw) => {
    expect(coerceArguments(raw, SCHEMA)).toEqual({});
  });
});
