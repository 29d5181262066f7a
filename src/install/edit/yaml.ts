import { isMap, isPair, isScalar, type Pair, parse, parseDocument, stringify, type YAMLMap } from "yaml";
import { cleared, type Edit, isEqual, isTable, merged, type Table, Unfit, valueAt, without } from "./edit.ts";

/**
 * Edits one entry of a table at the top of a YAML text, by its lines: what the library writes keeps comments, but not how the
 * rest was written. What comes out is read again, and must say the same as before but for this entry. `gone` are keys below
 * the entry that go when they are not in `value`.
 */
export function yamlEdit(
  [table, key]: readonly [table: string, key: string],
  value: Table,
  gone: readonly (readonly string[])[] = [],
): Edit {
  const path = [table, key];
  return {
    put(text = "") {
      const before = read(text);
      const there = valueAt(before, path);
      const wanted = isTable(there) ? merged(cleared(there, value, gone), value) : value;
      if (isEqual(there, wanted)) return text;
      const at = placeOf(text, table, key);
      const lines = textLines(text);
      if (at.kind === "none") {
        lines.push(...indented({ [table]: { [key]: wanted } }, 0));
      } else if (at.kind === "empty") {
        lines.splice(at.line, 1, `${(lines[at.line] ?? "").replace(/:\s*(?:\{\s*\}|null|~)?(?=\s|$)/, ":")}`);
        lines.splice(at.line + 1, 0, ...indented({ [key]: wanted }, 2));
      } else if (at.kind === "table") {
        lines.splice(at.line, 0, ...indented({ [key]: wanted }, at.column));
      } else {
        lines.splice(at.line, at.end - at.line, ...indented({ [key]: wanted }, at.column));
      }
      return verified(joined(lines), before, path, wanted);
    },
    take(text, base) {
      const before = read(text);
      if (valueAt(before, path) === undefined) return text;
      const at = placeOf(text, table, key);
      if (at.kind !== "entry")
        throw new Unfit(`${path.join(".")} is not written in lines of its own: remove it by hand`);
      const was = base === undefined ? {} : read(base);
      const earlier = valueAt(was, path);
      const lines = textLines(text);
      lines.splice(at.line, at.end - at.line, ...(isTable(earlier) ? indented({ [key]: earlier }, at.column) : []));
      if (at.isAlone && valueAt(was, [table]) === undefined) lines.splice(at.tableLine, 1);
      const after = joined(lines);
      verified(after, before, path, earlier);
      return base === undefined && after.trim() === "" ? undefined : after;
    },
  };
}

function read(text: string): unknown {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new Unfit(`line ${error.linePos?.[0].line ?? 1} is no YAML`);
  const value: unknown = document.toJS();
  if (value !== null && !isTable(value)) throw new Unfit("it is no table");
  return value ?? {};
}

type Place =
  | { readonly kind: "none" }
  | { readonly kind: "empty"; readonly line: number }
  | { readonly kind: "table"; readonly line: number; readonly column: number }
  | {
      readonly kind: "entry";
      readonly line: number;
      readonly end: number;
      readonly column: number;
      readonly tableLine: number;
      readonly isAlone: boolean;
    };

function placeOf(text: string, table: string, key: string): Place {
  const { contents } = parseDocument(text);
  const outer = isMap(contents) ? pairOf(contents, table) : undefined;
  if (outer === undefined) return { kind: "none" };
  const tableLine = lineAt(text, startOf(outer));
  const inner = outer.value;
  if (inner === null || (isScalar(inner) && inner.value === null)) return { kind: "empty", line: tableLine };
  if (!isMap(inner)) throw new Unfit(`${table} is no table`);
  if (inner.items.length === 0) return { kind: "empty", line: tableLine };
  if (inner.flow === true) throw new Unfit(`${table} is written on one line: write it on several`);
  const [first] = inner.items;
  const start = startOf(first);
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const pair = pairOf(inner, key);
  // Right below the table's own line, so that comments stay with what they are about.
  if (pair === undefined) return { kind: "table", line: tableLine + 1, column };
  const line = lineAt(text, startOf(pair));
  const last = endOf(pair) ?? startOf(pair);
  const end = text[last - 1] === "\n" ? lineAt(text, last) : lineAt(text, last) + 1;
  return { kind: "entry", line, end: Math.max(end, line + 1), column, tableLine, isAlone: inner.items.length === 1 };
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === key);
}

function startOf(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function endOf(pair: Pair): number | undefined {
  const { value } = pair;
  return typeof value === "object" && value !== null && "range" in value && Array.isArray(value.range)
    ? value.range[1]
    : undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/** Lines without the empty one that the last end of line leaves. */
function textLines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function joined(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function indented(value: unknown, columns: number): readonly string[] {
  const text = stringify(value, { lineWidth: 0 });
  return textLines(text).map((line) => (line === "" ? line : `${" ".repeat(columns)}${line}`));
}

function verified(text: string, before: unknown, path: readonly string[], wanted: unknown): string {
  const after: unknown = parse(text) ?? {};
  const [table = ""] = path;
  const rest = (value: unknown) => {
    const left = without(value, path);
    const inner = valueAt(left, [table]);
    return inner === null || (isTable(inner) && Object.keys(inner).length === 0) ? without(left, [table]) : left;
  };
  if (isEqual(rest(before), rest(after)) && isEqual(valueAt(after, path), wanted)) return text;
  throw new Unfit(`${path.join(".")} is written in a way that cannot be edited safely`);
}
