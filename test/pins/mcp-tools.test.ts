import { describe, expect, it } from "vitest";
import { isOwnTool } from "../../src/core/own-tools.ts";
import { INSTRUCTIONS } from "../../src/surfaces/mcp/server.ts";
import { TOOLS, toolsOf } from "../../src/surfaces/mcp/tools/registry.ts";

// What agents and their users rely on. The expectations are literals: whoever changes a tool changes them knowingly.

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ADDS = { ...READS, readOnlyHint: false };
const CHANGES = { ...ADDS, destructiveHint: true };
const TYPES = "decision, bugfix, feature, refactor, discovery, change, preference, note";
const ROLES = "human, assistant, tool, system, summary";

/** Arguments in short: `name?: type bounds`. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  add_note: ["session: string 1..200", "text: string 1..10000"],
  add_tag: ["session: string 1..200", "tag: string 1..64"],
  add_to_collection: ["session: string 1..200", "collection: string 1..520", "remove?: boolean"],
  apply_tags: ["sessions: array 1..50 of string 1..200", "tags: array 1..20 of string 1..64"],
  context_for_session: ["session: string 1..200", "mode?: condensed, full", "budget?: integer 200..8000"],
  forget: ["id: string 1..200", "reason?: string 0..300"],
  get_observations: [
    "ids: array 1..20 of string 1..64",
    "detail?: condensed, full",
    "max_chars?: integer 1000..11500",
    "cursor?: string 0..64",
  ],
  get_session: [
    "session: string 1..200",
    `roles?: array 1..5 of ${ROLES}`,
    "offset?: integer 0..1000000",
    "limit?: integer 1..50",
    "cursor?: string 0..64",
  ],
  list_projects: [
    "project?: string 0..200",
    "agent?: string 0..200",
    "tag?: string 0..200",
    "since?: string 0..200",
    "until?: string 0..200",
    "limit?: integer 1..50",
    "cursor?: string 0..64",
  ],
  list_sessions: [
    "project?: string 0..200",
    "agent?: string 0..200",
    "tag?: string 0..200",
    "branch?: string 0..200",
    "since?: string 0..200",
    "until?: string 0..200",
    "include_subagents?: boolean",
    "limit?: integer 1..50",
    "cursor?: string 0..64",
  ],
  list_tags: [
    "project?: string 0..200",
    "agent?: string 0..200",
    "since?: string 0..200",
    "until?: string 0..200",
    "limit?: integer 1..100",
    "cursor?: string 0..64",
  ],
  pin_session: ["session: string 1..200", "decision?: string 0..64", "unpin?: boolean"],
  remember: [
    "text: string 1..20000",
    "type?: decision, preference, discovery, bugfix, note",
    "project?: string 0..200",
    "files?: array 0..20 of string 0..400",
    "evidence?: string 0..64",
    "supersedes?: array 0..20 of string 0..64",
  ],
  remove_tag: ["session: string 1..200", "tag: string 1..64"],
  search: [
    "query?: string 0..1000",
    "project?: string 0..200",
    "agent?: string 0..200",
    `type?: ${TYPES}`,
    `role?: ${ROLES}`,
    "file?: string 0..200",
    "branch?: string 0..200",
    "tag?: string 0..200",
    "since?: string 0..200",
    "until?: string 0..200",
    "limit?: integer 1..20",
    "cursor?: string 0..64",
    "include_current?: boolean",
  ],
  set_alias: ["session: string 1..200", "alias: string 1..64"],
  timeline: [
    "observation?: string 0..200",
    "session?: string 0..200",
    "at?: string 0..200",
    "before?: integer 0..20",
    "after?: integer 0..20",
    "project?: string 0..200",
  ],
};

/** What the tools that write are declared as; all others read. */
const WRITES: Readonly<Record<string, object>> = {
  add_note: { ...ADDS, idempotentHint: false },
  add_tag: ADDS,
  add_to_collection: CHANGES,
  apply_tags: ADDS,
  forget: CHANGES,
  pin_session: CHANGES,
  remember: ADDS,
  remove_tag: CHANGES,
  set_alias: CHANGES,
};

describe("tools", () => {
  it("have these names, in this order", () => {
    expect(TOOLS.map(({ name }) => name)).toEqual(Object.keys(ARGUMENTS));
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s takes these arguments", (name, tool) => {
    const { properties, required = [] } = tool.schema();
    const shown = Object.entries(properties).map(
      ([argument, schema]) => `${argument}${required.includes(argument) ? "" : "?"}: ${inShort(schema)}`,
    );
    expect(shown).toEqual(ARGUMENTS[name]);
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s says truly what it does", (name, tool) => {
    expect(tool.annotations).toEqual(WRITES[name] ?? READS);
  });

  it.each(TOOLS.map(({ name }) => [name]))("%s is known as our own wherever it is called from", (name) => {
    for (const called of [`mcp__yore__${name}`, `mcp__plugin_yore_yore__${name}`, `mcp_yore_${name}`, `yore-${name}`]) {
      expect(isOwnTool(called)).toBe(true);
    }
  });

  it("keep these two loaded", () => {
    expect(TOOLS.filter(({ alwaysLoad }) => alwaysLoad === true).map(({ name }) => name)).toEqual([
      "get_observations",
      "search",
    ]);
  });
});

describe("what tools cost the model that is offered them", () => {
  const tokensOf = (tools: typeof TOOLS) =>
    Math.ceil(
      JSON.stringify(
        tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: tool.schema() })),
      ).length / 4,
    );

  it("is at most 2,400 tokens for all and 1,000 for the core", () => {
    expect(tokensOf(toolsOf("all"))).toBeLessThanOrEqual(2_400);
    expect(tokensOf(toolsOf("core"))).toBeLessThanOrEqual(1_000);
  });

  it("is at most 500 characters for the instructions, which give no orders", () => {
    expect(INSTRUCTIONS.length).toBeLessThanOrEqual(500);
    expect(INSTRUCTIONS).not.toMatch(/\b(?:must|always|never)\b/i);
  });
});

describe("schemas are of the kind that every client passes on", () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
    expect(name).toMatch(/^[a-z][a-z_]{0,30}$/);
    // The longest prefix a client puts before it, and the limit that clients set on the whole.
    expect(`mcp__plugin_yore_yore__${name}`.length).toBeLessThanOrEqual(64);
    expect(tool.description.length).toBeLessThan(1_000);
    const { type, properties, required = [], additionalProperties, ...rest } = tool.schema();
    expect(rest).toEqual({});
    expect(type).toBe("object");
    expect(additionalProperties).toBe(false);
    expect(Object.keys(properties).length).toBeGreaterThan(0);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
    expect(Object.entries(properties).flatMap(([argument, schema]) => flaws(argument, schema))).toEqual([]);
  });
});

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  string: ["type", "description", "enum", "minLength", "maxLength"],
  integer: ["type", "description", "minimum", "maximum"],
  number: ["type", "description", "minimum", "maximum"],
  boolean: ["type", "description"],
  array: ["type", "description", "items", "minItems", "maxItems"],
};

function flaws(place: string, schema: Readonly<Record<string, unknown>>): readonly string[] {
  const type = String(schema.type);
  const allowed = ALLOWED[type] ?? [];
  const strange = Object.keys(schema).filter((keyword) => !allowed.includes(keyword));
  const isBounded =
    type === "boolean" ||
    (type === "array" && typeof schema.maxItems === "number") ||
    (type === "string" && (typeof schema.maxLength === "number" || isTextEnum(schema.enum))) ||
    (typeof schema.minimum === "number" && typeof schema.maximum === "number");
  return [
    ...(/^[A-Za-z0-9_.-]{1,64}$/.test(place) ? [] : [`${place}: name`]),
    ...strange.map((keyword) => `${place}: ${keyword}`),
    ...(isBounded ? [] : [`${place}: no bounds`]),
    ...(type === "array" ? flaws(`${place}.items`, isSchema(schema.items) ? schema.items : {}) : []),
  ];
}

function isTextEnum(values: unknown): boolean {
  return (
    Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "string" && value !== "")
  );
}

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function inShort(schema: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(", ");
  if (schema.type === "array")
    return `array ${schema.minItems ?? 0}..${schema.maxItems} of ${isSchema(schema.items) ? inShort(schema.items) : ""}`;
  if (schema.type === "string") return `string ${schema.minLength ?? 0}..${schema.maxLength}`;
  return schema.type === "boolean" ? "boolean" : `${schema.type} ${schema.minimum}..${schema.maximum}`;
}
