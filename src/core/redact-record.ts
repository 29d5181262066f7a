import { mapStrings } from "./map-strings.ts";
import { blocksWithoutPrivate, linesWithoutPrivate, mayHavePrivate, withoutPrivate } from "./private-spans.ts";
import type { RedactionOptions } from "./redact.ts";
import { redactField } from "./redact-field.ts";
import { isSpreadable, redactParts } from "./redact-parts.ts";

/** How the strings and the keys of a record are changed, each by itself. */
export interface RecordRedaction {
  readonly text: (text: string, key: string, fields: object | undefined, options: RedactionOptions) => string;
  readonly name: (name: string) => string;
  readonly options?: RedactionOptions;
}

/**
 * A record without what is private and without the secrets in its strings and keys; the very same one where there are none.
 * The strings of a list are also looked at as the one text that they are lines or words of, and where a private key is seen, so are those that
 * stand in the same field of the objects of a list.
 */
export function redactRecord(record: unknown, redaction: RecordRedaction): unknown {
  let result = record;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { after, isDelicate } = redactOnce(result, redaction);
    if (after === result || !isDelicate) return after;
    result = after;
  }
  return result;
}

/** `isDelicate`: what was taken out may have made a key or a private span of what is left. */
function redactOnce(
  record: unknown,
  { text, name, options = {} }: RecordRedaction,
): { readonly after: unknown; readonly isDelicate: boolean } {
  let [hasKey, hasTag] = [false, false];
  const watching: RedactionOptions = {
    ...options,
    keySeen: () => {
      hasKey = true;
    },
  };
  const change = (value: string, key: string, fields: object | undefined): string => {
    const isTagged = mayHavePrivate(value);
    hasTag ||= isTagged;
    return text(redactNested(isTagged ? withoutPrivate(value) : value, watching), key, fields, watching);
  };
  const list = (strings: readonly string[], key: string): readonly string[] =>
    redactStrings(linesWithoutPrivate(strings), key, watching);
  const changes = { list, blocks: blocksWithoutPrivate, name };
  const result = mapStrings(record, change, changes);
  const joined = hasKey ? redactSpread(record, options) : record;
  return {
    after: joined === record ? result : mapStrings(joined, change, changes),
    isDelicate: hasKey || hasTag,
  };
}

const MAX_ROUNDS = 6;

/** Names of fields that hold the words of a command. */
const WORDS = /^(?:command|cmd|(?:proc)?argv?|args|arguments|exec)$/i;
const LONGEST_COMMAND = 20_000;

function redactStrings(strings: readonly string[], key: string, options: RedactionOptions): readonly string[] {
  const lines = redactParts(strings, "\n", options);
  if (!WORDS.test(key)) return lines;
  return lines.reduce((sum, { length }) => sum + length, 0) > LONGEST_COMMAND
    ? lines
    : redactParts(lines, " ", options);
}

/** Longer JSON in a string is seldom anything but data. */
const LONGEST_NESTED = 1_000_000;
const DEEPEST_NESTED = 4;
const LIST_OF_STRINGS = /\[(?:\s|\\{1,7}[nrt]){0,40}\\{0,7}"/;
/** An option as a word of its own. */
const OPTION = /"--?[A-Za-z][\w-]{0,40}\\{0,7}"/;

/** The lists in JSON that stands in a string, such as the arguments of a call. Otherwise the string stays as it is. */
function redactNested(text: string, options: RedactionOptions, depth = 1): string {
  if (!isJson(text)) return text;
  const hasKey = text.includes("PRIVATE KEY");
  if (!hasKey && !(LIST_OF_STRINGS.test(text) && (OPTION.test(text) || isSpreadable(text)))) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const inner = (nested: string, key: string): string => {
    const after = depth < DEEPEST_NESTED ? redactNested(nested, options, depth + 1) : nested;
    return key.startsWith("--") ? redactField(after, key, undefined, options) : after;
  };
  const list = (strings: readonly string[], key: string): readonly string[] => redactStrings(strings, key, options);
  const spread = hasKey ? redactSpread(value, options) : value;
  const result = mapStrings(spread, inner, { list });
  return result === value ? text : JSON.stringify(result, undefined, /^[{[]\r?\n( {1,8}|\t)/.exec(text)?.[1]);
}

function isJson(text: string): boolean {
  const { length } = text;
  if (length < 8 || length > LONGEST_NESTED) return false;
  const first = text.charCodeAt(0);
  return (first === BRACE || first === BRACKET) && /[\]}]\s{0,4}$/.test(text.slice(-5));
}

const [BRACE, BRACKET] = [0x7b, 0x5b];

/** Private keys are taken out whose parts stand in the same field of several objects. */
function redactSpread(record: unknown, options: RedactionOptions): unknown {
  const fields = new Map<string, string[]>();
  walk(record, "", 0, (text, path) => {
    const texts = fields.get(path) ?? [];
    fields.set(path, texts);
    texts.push(text);
    return text;
  });
  const after = new Map<string, Iterator<string>>();
  for (const [path, texts] of fields) {
    const parts = redactParts(texts, "\n", options, ({ name }, isSpread) => isSpread && name === "private-key");
    if (parts !== texts) after.set(path, parts.values());
  }
  if (after.size === 0) return record;
  return walk(record, "", 0, (text, path) => {
    const next = after.get(path)?.next();
    return next === undefined || next.done === true ? text : next.value;
  });
}

/** Calls back for each string with the names of the fields it stands in; positions in lists are left out. */
function walk(at: unknown, path: string, depth: number, change: (text: string, path: string) => string): unknown {
  if (typeof at === "string") return change(at, path);
  if (typeof at !== "object" || at === null || depth > DEEPEST) return at;
  if (Array.isArray(at)) return at.map((one) => walk(one, path, depth + 1, change));
  return Object.fromEntries(
    Object.entries(at).map(([name, value]) => [name, walk(value, `${path}\n${name}`, depth + 1, change)]),
  );
}

const DEEPEST = 1_000;
