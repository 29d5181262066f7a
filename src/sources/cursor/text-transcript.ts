import { readFileSync, statSync } from "node:fs";
import type { Container } from "../source.ts";
import { cut, MAX_VALUE_BYTES } from "./cells.ts";
import { placeOf } from "./place.ts";

/** Opens a transcript of the first kind: a text with markers. It is one part, of records like a transcript's lines. */
export function openText(path: string): Container {
  const { size, mtimeMs } = statSync(path);
  return {
    *parts() {
      yield { name: placeOf(path).session, revision: `${size}:${mtimeMs}`, bytes: size };
    },
    *records() {
      if (size > MAX_VALUE_BYTES) yield { kind: "left-out", reason: "too large" };
      else yield* readText(readFileSync(path, "utf8"));
    },
    close() {},
  };
}

/**
 * The messages of a text in which `user:` and `assistant:` (or `A:`) open a message, and `[Thinking]`, `[Tool call]`
 * and `[Tool result]` a block of it. Fields of a call's input stand below it, indented, as `name: value`.
 */
export function* readText(text: string): Generator<unknown> {
  let role: "user" | "assistant" | undefined;
  let block: Block = { kind: "text", lines: [] };
  let blocks: Block[] = [];
  const message = (): readonly unknown[] => {
    const content = [...blocks, block].flatMap(contentOf);
    return role === undefined || content.length === 0 ? [] : [{ role, message: { content } }];
  };
  for (const line of text.split(/\r?\n/)) {
    const [, speaker, said = ""] = SPEAKER.exec(line) ?? [];
    const [, marker, rest = ""] = role === "assistant" ? (MARKER.exec(line) ?? []) : [];
    if (speaker !== undefined) {
      yield* message();
      role = speaker === "user" ? "user" : "assistant";
      blocks = [];
      block = { kind: "text", lines: [said] };
    } else if (marker !== undefined) {
      blocks.push(block);
      block = { kind: KINDS[marker] ?? "text", name: rest.trim(), lines: marker === "Thinking" ? [rest] : [] };
    } else if (isOver(block, line)) {
      blocks.push(block);
      block = { kind: "text", lines: [line] };
    } else block.lines.push(line);
  }
  yield* message();
}

/** After an empty line a thought has ended, and a call's input at a line that is none of its fields. */
function isOver({ kind, lines }: Block, line: string): boolean {
  if (line.trim() === "") return false;
  if (kind === "thinking") return lines.at(-1)?.trim() === "" && lines.length > 1;
  return kind === "call" && !/^\s|^\w+: /.test(line);
}

interface Block {
  readonly kind: "text" | "thinking" | "call" | "result";
  readonly name?: string;
  readonly lines: string[];
}

const SPEAKER = /^(user|assistant|A):(?:\s+(.*))?$/;
const MARKER = /^\[(Thinking|Tool call|Tool result)\](.*)$/;
const KINDS: Readonly<Record<string, Block["kind"]>> = {
  Thinking: "thinking",
  "Tool call": "call",
  "Tool result": "result",
};

function contentOf({ kind, name = "", lines }: Block): readonly unknown[] {
  const text = lines.join("\n").trim();
  if (kind === "call") return name === "" ? [] : [{ type: "tool_use", name, input: cut(inputOf(lines)) }];
  if (text === "") return [];
  if (kind === "result") return [{ type: "tool_result", toolName: name, content: cut(text) }];
  return [kind === "text" ? { type: "text", text: cut(text) } : { type: "thinking", thinking: cut(text) }];
}

/** Lines below a field belong to its value. */
function inputOf(lines: readonly string[]): Record<string, string> {
  const input: Record<string, string> = {};
  let last: string | undefined;
  for (const line of lines) {
    const [, name, value = ""] = /^\s{0,4}(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      last = name;
      input[name] = value;
    } else if (last !== undefined) input[last] += `\n${line}`;
  }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value.trimEnd()]));
}
