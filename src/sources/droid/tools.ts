import type { ToolUse } from "../../core/session.ts";
import { describeToolInput } from "../tool-use.ts";
import { contentText } from "./content.ts";
import { type Fields, fieldsOf, hashOf, listOf, stringOf } from "./fields.ts";
import type { Line } from "./line.ts";
import { type Memory, rememberCall, takeCall } from "./memory.ts";

/** A `tool_use` block. A call without input is told by the tool's name. */
export function sayCall(line: Line, block: Fields, memory: Memory, model: string | undefined): void {
  const name = toolName(block.name);
  const callId = stringOf(block.id);
  if (callId !== undefined) rememberCall(memory, callId, name);
  const input = name === TODOS ? todoText(fieldsOf(block.input).todos) : undefined;
  if (input !== undefined) memory.todos = hashOf(input);
  const { text, files, commands } = describeToolInput(name, input ?? block.input);
  const tool: ToolUse = {
    name,
    ...(callId !== undefined && { callId }),
    ...(files.length > 0 && { files }),
    ...(commands.length > 0 && { commands }),
  };
  line.say({
    role: "tool",
    part: "call",
    text: text.trim() === "" ? name : text,
    tool,
    ...(model !== undefined && { model }),
  });
}

/** A `tool_result` block. It does not name its tool. */
export function sayResult(line: Line, block: Fields, memory: Memory): void {
  const callId = stringOf(block.tool_use_id);
  const isError = block.is_error === true || block.isError === true;
  line.say({
    role: "tool",
    part: "result",
    text: contentText(block.content).trimEnd(),
    tool: {
      name: takeCall(memory, callId) ?? UNKNOWN_TOOL,
      ...(callId !== undefined && { callId }),
      ...(isError && { isError }),
    },
  });
}

/** A list of to-dos as lines: a text already, or entries, or either of them once more below `todos`. */
export function todoText(todos: unknown): string | undefined {
  const list = Array.isArray(todos) || typeof todos === "string" ? todos : fieldsOf(todos).todos;
  if (typeof list === "string") return list.trim() || undefined;
  const lines = listOf(list).map((entry) => {
    const { content, text, status } = fieldsOf(entry);
    return typeof entry === "string"
      ? entry
      : `[${stringOf(status) ?? "?"}] ${stringOf(content) ?? stringOf(text) ?? ""}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n").trim();
}

const TODOS = "TodoWrite";
const UNKNOWN_TOOL = "tool";

/** MCP tools are `server___tool` here and told as other agents name them. */
function toolName(value: unknown): string {
  const name = stringOf(value) ?? UNKNOWN_TOOL;
  const at = name.indexOf("___");
  return at <= 0 ? name : `mcp__${name.slice(0, at)}__${name.slice(at + 3)}`;
}
