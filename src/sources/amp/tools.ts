import type { ToolUse } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, jsonOf, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import type { ThreadMessage } from "./message.ts";

export function sayCall(message: ThreadMessage, block: Fields, model: string | undefined): void {
  const name = textOf(block.name) ?? UNKNOWN_TOOL;
  const callId = nameOf(block.id);
  message.say({
    role: "tool",
    part: "call",
    ...describeToolCall(name, callId, block.input),
    ...(model !== undefined && { model }),
    key: `call:${callId ?? ""}`,
  });
}

/** A `tool_result` block. */
export function sayResult(message: ThreadMessage, block: Fields): void {
  const callId = nameOf(block.toolUseID);
  const name = (callId === undefined ? undefined : message.calls.get(callId)) ?? UNKNOWN_TOOL;
  const { text, outcome } = readRun(fieldsOf(block.run));
  message.say({
    role: "tool",
    part: "result",
    text,
    tool: { ...toolUse(name, callId), ...outcome },
    key: `result:${callId ?? ""}`,
  });
}

/** A command that a person ran from the prompt, with what it printed. */
export function sayRun(message: ThreadMessage, block: Fields): void {
  const { cmd, command } = fieldsOf(block.args);
  const typed = textOf(cmd) ?? textOf(command) ?? "";
  const { text, outcome } = readRun(fieldsOf(block.toolRun));
  if (typed !== "")
    message.say({ role: "human", part: "text", text: `${block.hidden === true ? "$$" : "$"} ${typed}`, key: "run" });
  const tool = { ...toolUse("Bash", undefined, [], typed === "" ? [] : [typed]), ...outcome };
  message.say({ role: "tool", part: "result", text, tool, key: "output" });
}

const UNKNOWN_TOOL = "tool";
/** A run that goes on has given nothing yet. */
const FAILED = new Set<unknown>(["error", "cancelled", "rejected-by-user"]);

type Outcome = Pick<ToolUse, "isError" | "exitCode">;

/** What a tool gave back: `{status, result}`, or `error` or `reason` where it has failed. */
function readRun(run: Fields): { readonly text: string; readonly outcome: Outcome } {
  const { status, result, error, reason } = run;
  const exitCode = numberOf(fieldsOf(result).exitCode);
  const isError = FAILED.has(status) || (exitCode !== undefined && exitCode !== 0);
  const failure = textOf(fieldsOf(error).message) ?? textOf(error) ?? textOf(reason);
  const text = [resultText(result), failure].filter((part) => part !== undefined && part !== "").join("\n");
  return {
    text: text === "" && FAILED.has(status) ? String(status) : text.trimEnd(),
    outcome: { ...(isError && { isError }), ...(exitCode !== undefined && { exitCode }) },
  };
}

function resultText(result: unknown): string {
  if (typeof result === "string") return result;
  if (Array.isArray(result)) return listOf(result).map(resultText).join("\n");
  if (!isFields(result)) return result === undefined || result === null ? "" : jsonOf(result);
  if (result.type === "image") return "[image]";
  const { output, content, diff, text } = result;
  const told = [output, content, diff, text].find((part) => typeof part === "string");
  return typeof told === "string" ? told : jsonOf(result);
}
