import { type Fields, fieldsOf, isFields, jsonOf, listOf, nameOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import type { Emit, Say } from "./parse.ts";

/** Says one block of a message, and returns how many texts there were in it. The first has the message's own name. */
export function sayBlock(
  block: Fields | undefined,
  n: number,
  role: "human" | "assistant",
  isFirst: boolean,
  say: Say,
  emit: Emit,
): number {
  if (block === undefined) {
    emit(malformed("content"));
    return 0;
  }
  switch (block.type) {
    case "text":
    case "voice_note": {
      const text = textOf(block.text) ?? "";
      say({ key: isFirst ? "" : `${n}`, role, part: "text", text });
      return text.trim() === "" ? 0 : 1;
    }
    case "thinking":
      say({ key: `${n}`, role: "assistant", part: "thinking", text: thinkingOf(block) });
      return 0;
    case "tool_use":
      sayCall(block, n, say);
      return 0;
    case "tool_result":
      sayResult(block, n, say);
      return 0;
    default:
      if (!SILENT.has(block.type)) emit(unknownType(block.type, "content"));
      return 0;
  }
}

const SILENT = new Set<unknown>(["token_budget", "flag"]);

/** Of some thinking only the summaries are told. */
function thinkingOf({ thinking, summaries }: Fields): string {
  const summed = listOf(summaries).flatMap((summary) => textOf(fieldsOf(summary).summary) ?? []);
  return textOf(thinking) ?? summed.join("\n");
}

function sayCall(block: Fields, n: number, say: Say): void {
  const name = textOf(block.name) ?? "tool";
  const { text, tool } = describeToolCall(name, nameOf(block.id), inputOf(block.input));
  say({ key: `${n}`, role: "tool", part: "call", text, tool });
}

/** An artifact is written with a `command` that is no shell command. */
function inputOf(input: unknown): unknown {
  if (!isFields(input) || textOf(input.path) !== undefined) return input;
  const { command, ...rest } = input;
  return command === "create" || command === "update" || command === "rewrite" ? { action: command, ...rest } : input;
}

function sayResult(block: Fields, n: number, say: Say): void {
  const tool = toolUse(textOf(block.name) ?? "tool", nameOf(block.tool_use_id));
  say({
    key: `${n}`,
    role: "tool",
    part: "result",
    text: resultText(block.content),
    tool: { ...tool, ...(block.is_error === true && { isError: true }) },
  });
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = listOf(content).map((entry) => {
    const { type, text, title, url } = fieldsOf(entry);
    if (type === "image") return "[image]";
    return (
      textOf(text) ?? ([textOf(title), textOf(url)].filter((part) => part !== undefined).join(" ") || jsonOf(entry))
    );
  });
  return texts.join("\n");
}
