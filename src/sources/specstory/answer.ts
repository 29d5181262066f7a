import { fenceAfter } from "./split.ts";

/** A piece of an agent's turn, in order. */
export type Piece = { readonly type: "text" | "thinking"; readonly text: string } | ToolPiece;

/** A use of a tool: its name and kind, a line that sums it up, and its details, as SpecStory tells them. */
export interface ToolPiece {
  readonly type: "tool";
  readonly name: string;
  readonly kind: string;
  readonly told: string;
  readonly body: string;
}

/** Takes an agent's turn apart. Tags and rules within a fence are text. */
export function* splitAnswer(answer: string): Generator<Piece> {
  const lines = answer.split("\n");
  let held: string[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const block = fence === undefined ? blockAt(lines, at) : undefined;
    if (block === undefined) {
      fence = fenceAfter(line, fence);
      if (fence !== undefined || !RULE.test(line)) held.push(line);
      continue;
    }
    if (held.some((text) => text.trim() !== "")) yield { type: "text", text: held.join("\n") };
    held = [];
    yield block.piece;
    at = block.end;
  }
  if (held.some((text) => text.trim() !== "")) yield { type: "text", text: held.join("\n") };
}

/** What is open for longer is not looked to the end of, each time anew. */
const MAX_LINES = 20_000;
const RULE = /^---\s*$/;
const SUMMARY = /<summary>([\s\S]*?)<\/summary>/;
const THINK = /^<think>(?:<details>)?\s*(?:<summary>.*?<\/summary>)?(.*)$/;
const THINK_END = /(?:<\/details>)?<\/think>\s*$/;
const TOOL = /^<tool-use\b(?=[^>]*\bdata-tool-type="([^"]*)")[^>]*\bdata-tool-name="([^"]*)"[^>]*>(?:<details>)?(.*)$/;
const TOOL_END = /<\/tool-use>\s*$/;
/** Before the second version of the Markdown, a tool was told up to the next rule. */
const OLD_TOOL = /^Tool use: \*\*([^*]+)\*\*(.*)$/;

/** The first versions did not name the tool. */
const OLDEST_TOOL = /^_\*{4}_\s*$/;

interface Block {
  readonly piece: Piece;
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  const think = THINK.exec(line);
  if (think !== null) {
    const end = endOf(lines, at, THINK_END);
    const text = [think[1] ?? "", ...lines.slice(at + 1, end + 1)].join("\n").replace(THINK_END, "");
    return { piece: { type: "thinking", text: text.trim() }, end };
  }
  const tool = TOOL.exec(line);
  if (tool !== null) {
    const end = endOf(lines, at, TOOL_END);
    const text = [tool[3] ?? "", ...lines.slice(at + 1, end + 1)].join("\n").replace(TOOL_END, "");
    return { piece: toolPiece(tool[2] ?? "", tool[1] ?? "", "", text), end };
  }
  const old = OLD_TOOL.exec(line);
  if (old === null && !OLDEST_TOOL.test(line)) return undefined;
  const end = endOfOld(lines, at);
  const text = lines.slice(at + 1, end + 1).join("\n");
  return { piece: toolPiece(old?.[1] ?? "tool", "", old?.[2] ?? "", text), end };
}

/** Details are folded away below a summary. */
function toolPiece(name: string, kind: string, told: string, text: string): ToolPiece {
  const summary = SUMMARY.exec(text)?.[1]?.replace(/^Tool use: \*\*[^*]*\*\*(\s*•)?/, "") ?? "";
  const body = text
    .replace(SUMMARY, "")
    .replace(/^\s*<details>|<\/details>\s*$/g, "")
    .trim();
  return {
    type: "tool",
    name,
    kind,
    told: [told, summary]
      .map((line) => line.trim())
      .filter(Boolean)
      .join(" "),
    body,
  };
}

/** The line that ends a block, outside of fences if there is one; a block without an end takes the line alone. */
function endOf(lines: readonly string[], from: number, end: RegExp): number {
  let fence: string | undefined;
  let within: number | undefined;
  for (let at = from; at < Math.min(lines.length, from + MAX_LINES); at += 1) {
    const line = lines[at] ?? "";
    if (end.test(line)) {
      if (fence === undefined) return at;
      within ??= at;
    }
    fence = fenceAfter(line, fence);
  }
  return within ?? from;
}

function endOfOld(lines: readonly string[], from: number): number {
  let fence: string | undefined;
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (fence === undefined && (RULE.test(line) || OLD_TOOL.test(line) || OLDEST_TOOL.test(line))) return at - 1;
    fence = fenceAfter(line, fence);
  }
  return lines.length - 1;
}
