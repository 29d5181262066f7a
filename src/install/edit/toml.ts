import { parse, stringify } from "smol-toml";
import { cleared, type Edit, isEqual, isTable, merged, type Table, Unfit, valueAt, without } from "./edit.ts";

/**
 * Edits one table of a TOML text by its lines. No editor of TOML keeps every text as it was, so nothing else is touched, and
 * what comes out is read again: it must say the same as before but for this table. `gone` are keys below the table that go
 * when they are not in `value`.
 */
export function tomlEdit(path: readonly string[], value: Table, gone: readonly (readonly string[])[] = []): Edit {
  return {
    put(text = "") {
      const before = read(text);
      const there = valueAt(before, path);
      if (there !== undefined && !isTable(there)) throw new Unfit(`${path.join(".")} is no table`);
      const wanted = merged(cleared(there ?? {}, value, gone), value);
      if (isEqual(there, wanted)) return text;
      const after = there === undefined ? append(text, path, wanted) : rewrite(text, path, there, wanted);
      return verified(after, before, path, wanted);
    },
    take(text, base) {
      const before = read(text);
      if (valueAt(before, path) === undefined) return text;
      const earlier = base === undefined ? undefined : valueAt(read(base), path);
      const lines = text.split("\n");
      const spans = spansOf(lines, path);
      if (spans.length === 0) throw notOfItsOwn(path);
      const [first = { from: 0, to: 0 }] = spans;
      for (const { from, to } of spans.toReversed()) {
        // The empty line before the table came with it.
        const start = from > 0 && lines[from - 1]?.trim() === "" ? from - 1 : from;
        lines.splice(
          start,
          to - start,
          ...(from === first.from && isTable(earlier) ? ["", ...write(path, earlier)] : []),
        );
      }
      const after = verified(lines.join("\n"), before, path, earlier);
      return base === undefined && after.trim() === "" ? undefined : after;
    },
  };
}

function read(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const line = error instanceof Error && "line" in error ? `line ${error.line}` : "it";
    throw new Unfit(`${line} is no TOML`);
  }
}

function append(text: string, path: readonly string[], value: Table): string {
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const space = start === "" || start.endsWith("\n\n") ? "" : "\n";
  return `${start}${space}${write(path, value).join("\n")}\n`;
}

function notOfItsOwn(path: readonly string[]): Unfit {
  const name = path.join(".");
  return new Unfit(`${name} is not written as a table of its own: remove it, or write it below a line [${name}]`);
}

/** Line by line where each key stands on one, so that comments stay; else the table is written anew. */
function rewrite(text: string, path: readonly string[], there: Table, wanted: Table): string {
  const lines = text.split("\n");
  const spans = spansOf(lines, path);
  const [span] = spans;
  if (span === undefined) throw notOfItsOwn(path);
  const body = lines.slice(span.from + 1, span.to);
  const lineOf = (key: string) => body.findIndex((line) => isEntry(line, key));
  for (const key of Object.keys(there)) if (!(key in wanted) && lineOf(key) >= 0) body.splice(lineOf(key), 1);
  for (const [key, one] of Object.entries(wanted)) {
    if (isEqual(there[key], one)) continue;
    const line = `${key} = ${inline(one)}`;
    const at = lineOf(key);
    if (at >= 0) body.splice(at, 1, line);
    else body.push(line);
  }
  const kept = [...lines.slice(0, span.from + 1), ...body, ...lines.slice(span.to)].join("\n");
  try {
    if (isEqual(valueAt(parse(kept), path), wanted)) return kept;
  } catch {
    // A value that goes on over several lines.
  }
  for (const { from, to } of spans.slice(1).toReversed()) lines.splice(from, to - from);
  lines.splice(span.from, span.to - span.from, ...write(path, wanted));
  return lines.join("\n");
}

function isEntry(line: string, key: string): boolean {
  const [name, rest] = line.split("=", 2);
  if (rest === undefined || name?.trim() !== key) return false;
  try {
    return key in parse(line);
  } catch {
    return false;
  }
}

interface Span {
  /** The line of the header. */
  readonly from: number;
  /** The line behind the last that says something. */
  readonly to: number;
}

/** Lines of the table and of those within it. */
function spansOf(lines: readonly string[], path: readonly string[]): readonly Span[] {
  const headers = lines.flatMap((line, at) => {
    const name = headerOf(line);
    return name === undefined ? [] : [{ at, name }];
  });
  return headers.flatMap(({ at, name }, index) => {
    if (!path.every((key, depth) => name[depth] === key)) return [];
    const next = headers[index + 1]?.at ?? lines.length;
    let to = next;
    // What stands right above the next table is about that one.
    while (to > at + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1] ?? "")) to -= 1;
    return [{ from: at, to }];
  });
}

/** Keys of `[a."b"]`; undefined for any other line. */
function headerOf(line: string): readonly string[] | undefined {
  if (!/^\s*\[[^[]/.test(line)) return undefined;
  try {
    let inner: unknown = parse(line);
    const keys: string[] = [];
    while (isTable(inner)) {
      const [key] = Object.keys(inner);
      if (key === undefined) break;
      keys.push(key);
      inner = inner[key];
    }
    return keys;
  } catch {
    return undefined;
  }
}

function write(path: readonly string[], value: Table): readonly string[] {
  return [
    `[${path.map(quoted).join(".")}]`,
    ...Object.entries(value).map(([key, one]) => `${quoted(key)} = ${inline(one)}`),
  ];
}

function quoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isTable(value)) {
    const entries = Object.entries(value).map(([key, one]) => `${quoted(key)} = ${inline(one)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return stringify({ value }).trim().slice("value = ".length);
}

function verified(text: string, before: unknown, path: readonly string[], wanted: unknown): string {
  const after = read(text);
  const isSound = isEqual(without(before, path), dropEmpty(without(after, path), before, path));
  if (isSound && isEqual(valueAt(after, path), wanted)) return text;
  throw new Unfit(`${path.join(".")} is written in a way that cannot be edited safely`);
}

/** Without tables above ours that came or went with it. */
function dropEmpty(value: unknown, before: unknown, path: readonly string[]): unknown {
  let result = value;
  for (let length = path.length - 1; length > 0; length -= 1) {
    const above = path.slice(0, length);
    const there = valueAt(result, above);
    const was = valueAt(without(before, path), above);
    if (was === undefined && isTable(there) && Object.keys(there).length === 0) result = without(result, above);
    if (there === undefined && isTable(was) && Object.keys(was).length === 0) result = withEmpty(result, above);
  }
  return result;
}

function withEmpty(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return {};
  return { ...(isTable(value) ? value : {}), [key]: withEmpty(isTable(value) ? value[key] : {}, rest) };
}
