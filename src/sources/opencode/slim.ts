import { clipMiddle } from "../../core/text.ts";
import { asFields, type Fields, isFields, parseJson } from "../fields.ts";

/**
 * What is kept of a message or a part as it was stored: without pictures, without changes as whole files and without
 * the second copy of a tool's output, and with long texts cut. Undefined where it is no JSON object.
 */
export function slim(stored: unknown): Fields | undefined {
  const fields = typeof stored === "string" ? asFields(parseJson(stored)) : asFields(stored);
  if (fields === undefined) return undefined;
  const { summary, state } = fields;
  return slimFields(
    {
      ...fields,
      ...(isFields(summary) && { summary: without(summary, "diffs") }),
      ...(isFields(state) && { state: slimState(state) }),
    },
    0,
  );
}

const MAX_TEXT = 1_000_000;
/** Pictures and other files are written as text in base 64. */
const DATA_URL = /^data:[\w.+-]+\/[\w.+-]+[;,]/;
const MAX_DATA_URL = 200;
/** Deeper nesting is another program's, and goes as it came. */
const MAX_DEPTH = 8;

function slimState(state: Fields): Fields {
  const { metadata } = state;
  if (!isFields(metadata)) return state;
  const copies = ["filediff", "files", ...(metadata.output === state.output ? ["output"] : [])];
  return { ...state, metadata: without(metadata, ...copies) };
}

function without(fields: Fields, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

function slimFields(fields: Fields, depth: number): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, slimValue(value, depth + 1)]));
}

function slimValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return slimText(value);
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((entry) => slimValue(entry, depth + 1));
  return isFields(value) ? slimFields(value, depth) : value;
}

function slimText(text: string): string {
  if (text.length > MAX_DATA_URL && DATA_URL.test(text)) return `${text.slice(0, text.search(/[;,]/))};…`;
  return clipMiddle(text, MAX_TEXT);
}
