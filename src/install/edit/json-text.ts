import { createScanner, findNodeAtLocation, type Node } from "jsonc-parser";
import { isTable, type Value } from "./edit.ts";

export type Place = readonly (string | number)[];

/*
 * Changes of a text of JSON that leave every other byte as it is. The library's own way formats the lines around a change
 * anew.
 */

/** Puts a value at a place: in the stead of what stands there, or behind the last of what stands beside it. */
export function setValue(text: string, root: Node, at: Place, value: Value): string {
  const style = styleOf(text);
  const there = findNodeAtLocation(root, [...at]);
  if (there !== undefined) {
    return splice(text, there, print(value, !spans(text, there), indentAt(text, there.offset), style));
  }
  let depth = at.length - 1;
  while (findNodeAtLocation(root, at.slice(0, depth)) === undefined) depth -= 1;
  const parent = findNodeAtLocation(root, at.slice(0, depth)) ?? root;
  const inner = at.slice(depth + 1).reduceRight<Value>((rest, key) => ({ [key]: rest }), value);
  const key = parent.type === "array" ? "" : `${JSON.stringify(at[depth])}: `;
  return insert(text, parent, (isInline, indent) => key + print(inner, isInline, indent, style), style);
}

/** Removes a property or an item, with its comma and with the lines that it alone stands on. */
export function removeValue(text: string, root: Node, at: Place): string {
  const found = findNodeAtLocation(root, [...at]);
  const node = found?.parent?.type === "property" ? found.parent : found;
  const parent = node?.parent;
  if (node === undefined || parent === undefined) return text;
  const siblings = parent.children ?? [];
  const index = siblings.indexOf(node);
  const before = siblings[index - 1];
  const end = node.offset + node.length;
  const closing = parent.offset + parent.length - 1;
  if (siblings.length === 1) {
    const stop = commaEnd(text, end, closing) ?? end;
    const inside = text.slice(parent.offset + 1, node.offset) + text.slice(stop, closing);
    if (inside.trim() !== "") return cut(text, node.offset, stop);
    return text.slice(0, parent.offset + 1) + text.slice(closing);
  }
  const after = commaEnd(text, end, siblings[index + 1]?.offset ?? closing);
  if (after !== undefined) return cut(text, node.offset, after);
  // It is the last, and no comma stands behind it: the one before it goes.
  const rest = cut(text, node.offset, end);
  const from = before === undefined ? parent.offset + 1 : before.offset + before.length;
  const comma = commaEnd(text, from, node.offset);
  return comma === undefined ? rest : rest.slice(0, comma - 1) + rest.slice(comma);
}

type Printer = (isInline: boolean, indent: string) => string;

function insert(text: string, parent: Node, printer: Printer, style: Style): string {
  const children = parent.children ?? [];
  const [first, last] = [children[0], children.at(-1)];
  const closing = parent.offset + parent.length - 1;
  const outer = indentAt(text, parent.offset);
  if (first === undefined || last === undefined) {
    const inside = text.slice(parent.offset + 1, closing).trimEnd();
    const body = `\n${outer}${style.unit}${printer(false, outer + style.unit)}\n${outer}`;
    return text.slice(0, parent.offset + 1) + inside + body + text.slice(closing);
  }
  const end = last.offset + last.length;
  const comma = commaEnd(text, end, closing);
  const start = comma ?? end;
  // What is said behind the last stays there.
  const stop = start + text.slice(start, closing).trimEnd().length;
  const isInline = isInlineIn(text, parent);
  const indent = indentAt(text, first.offset);
  const space = isInline ? (children.length > 1 || comma !== undefined ? gapOf(text, parent) : " ") : `\n${indent}`;
  const own = `${space}${printer(isInline, indent)}${comma === undefined ? "" : ","}`;
  return `${text.slice(0, end)}${comma === undefined ? "," : ""}${text.slice(end, stop)}${own}${text.slice(stop)}`;
}

/** White space between what stands on one line. */
function gapOf(text: string, { children = [] }: Node): string {
  const [first, second] = children;
  if (first === undefined || second === undefined) return " ";
  return /\s/.test(text.slice(first.offset + first.length, second.offset)) ? " " : "";
}

function isInlineIn(text: string, parent: Node): boolean {
  const [first] = parent.children ?? [];
  return first !== undefined && !text.slice(parent.offset, first.offset).includes("\n");
}

function spans(text: string, node: Node): boolean {
  return text.slice(node.offset, node.offset + node.length).includes("\n");
}

function print(value: Value, isInline: boolean, indent: string, { unit }: Style): string {
  if (isInline) return compact(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${indent}`);
}

function compact(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${compact(inner)}`);
  return `{${entries.join(", ")}}`;
}

/** Behind the comma that stands between two places, comments aside. */
function commaEnd(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  const at = () => from + scanner.getTokenOffset();
  do scanner.scan();
  while (scanner.getTokenLength() > 0 && text[at()] !== ",");
  return scanner.getTokenLength() > 0 ? at() + 1 : undefined;
}

/** Takes a piece out, and the lines with it where nothing else stands on them. */
function cut(text: string, from: number, to: number): string {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = text.indexOf("\n", to);
  const isAlone = text.slice(lineStart, from).trim() === "" && text.slice(to, lineEnd < 0 ? to : lineEnd).trim() === "";
  if (isAlone && lineEnd >= 0) return text.slice(0, lineStart) + text.slice(lineEnd + 1);
  // On a line with others, one space goes too.
  const before = text.slice(0, from);
  const after = text.slice(to);
  return /^[ \t]/.test(after) ? before + after.replace(/^[ \t]+/, "") : before.replace(/[ \t]+$/, "") + after;
}

function splice(text: string, node: Node, replacement: string): string {
  return text.slice(0, node.offset) + replacement + text.slice(node.offset + node.length);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

interface Style {
  readonly unit: string;
}

/** As the first line that is indented is. */
function styleOf(text: string): Style {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  " };
}
