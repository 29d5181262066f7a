import { keepCall, takeCall } from "../bounded.ts";
import { type Fields, fieldsOf, hashOf, listOf, textOf } from "../fields.ts";
import { describeToolCall } from "../tool-use.ts";
import { contentText } from "./content.ts";
import type { Line } from "./line.ts";
import type { Memory } from "./memory.ts";

/** A `tool_use` block. A call without input is told by the tool's name. */
export function sayCall(line: Line, block: Fields, memory: Memory, model: string | undefined): void {
  const name = toolName(block.name);
  const callId = textOf(block.id);
  keepCall(memory.calls, callId, name);
  const input = name === TODOS ? todoText(fieldsOf(block.input).todos) : undefined;
  if (input !== undefined) memory.todos = hashOf(input);
  const call = describeToolCall(name, callId, input ?? block.input);
  line.say({ role: "tool", part: "call", ...call, ...(model !== undefined && { model }) });
}

/** A `tool_result` block. It does not name its tool. */
export function sayResult(line: Line, block: Fields, memory: Memory): void {
  const callId = textOf(block.tool_use_id);
  const isError = block.is_error === true || block.isError === true;
  const name = takeCall(memory.calls, callId) ?? UNKNOWN_TOOL;
  const text = contentText(block.content).trimEnd();
  const exitCode = name === SHELL ? EXIT.exec(text)?.[1] : undefined;
  line.say({
    role: "tool",
    part: "result",
    text,
    tool: {
      name,
      ...(callId !== undefined && { callId }),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    },
  });
}

/** A list of to-dos as lines: a text already, or entries, or either of them once more below `todos`. */
export function todoText(todos: unknown): string | undefined {
  const list = Array.isArray(todos) || typeof todos === "string" ? todos : fieldsOf(todos).todos;
  if (typeof list === "string") return list.trim() || undefined;
  const lines = listOf(list).map((entry) => {
    const { content, text, status } = fieldsOf(entry);
    return typeof entry === "string" ? entry : `[${textOf(status) ?? "?"}] ${textOf(content) ?? textOf(text) ?? ""}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n").trim();
}

const TODOS = "TodoWrite";
const UNKNOWN_TOOL = "tool";
const SHELL = "Execute";
/** The last line of what a command printed. */
const EXIT = /\[Process exited with code (-?\d{1,9})\]$/;

/** MCP tools are `server___tool` here and told as other agents name them. */
function toolName(value: unknown): string {
  const name = textOf(value) ?? UNKNOWN_TOOL;
  const at = name.indexOf("___");
  return at <= 0 ? name : `mcp__${name.slice(0, at)}__${name.slice(at + 3)}`;
}
