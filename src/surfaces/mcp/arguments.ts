import type * as z from "zod";
import { YoreError } from "../../core/errors.ts";
import { coerceArguments } from "./coerce.ts";
import { oneLine } from "./reply.ts";
import { describeAllowed, type ObjectSchema } from "./schema.ts";

/** Throws `bad-input` that names every argument that is wrong and what is allowed there. */
export function parseArguments<Shape extends z.ZodRawShape>(
  tool: string,
  validator: z.ZodObject<Shape, z.core.$strict>,
  schema: ObjectSchema,
  raw: unknown,
): z.output<z.ZodObject<Shape, z.core.$strict>> {
  const coerced = coerceArguments(raw, schema);
  const parsed = validator.safeParse(coerced);
  if (parsed.success) return parsed.data;
  const complaints = new Set(parsed.error.issues.flatMap((issue) => explain(issue, coerced, schema)));
  throw new YoreError("bad-input", [`Invalid arguments for ${tool}:`, ...complaints].join("\n"));
}

function explain(issue: z.core.$ZodIssue, given: Record<string, unknown>, schema: ObjectSchema): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((name) => explainUnknown(name, schema));
  const name = String(issue.path[0] ?? "");
  const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  if (property === undefined) return [`- ${issue.message}`];
  const allowed = describeAllowed(property);
  if (!Object.hasOwn(given, name)) return [`- ${name} is required: ${allowed}.`];
  return [`- ${name}: expected ${allowed}${gotWords(given[name])}.`];
}

function gotWords(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return `, got ${value}`;
  if (typeof value === "string") return `, got text of ${value.length} characters`;
  return Array.isArray(value) ? `, got ${value.length} values` : `, got ${typeof value}`;
}

function explainUnknown(name: string, schema: ObjectSchema): string {
  const names = Object.keys(schema.properties);
  const near = nearestName(name, names);
  const shown = oneLine(name, 40);
  return near === undefined
    ? `- unknown argument "${shown}": remove it and retry. Allowed: ${names.join(", ")}.`
    : `- unknown argument "${shown}": did you mean "${near}"?`;
}

function nearestName(name: string, names: readonly string[]): string | undefined {
  const wanted = fold(name);
  if (wanted === "" || wanted.length > 40) return undefined;
  const related = names.find((known) => fold(known).startsWith(wanted) || wanted.startsWith(fold(known)));
  if (related !== undefined) return related;
  const ranked = names
    .map((known) => ({ known, edits: editDistance(wanted, fold(known)) }))
    .sort((left, right) => left.edits - right.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.known : undefined;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substituted = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(at(previous, column) + 1, at(current, column - 1) + 1, substituted));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
