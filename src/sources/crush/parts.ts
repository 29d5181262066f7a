import type { ToolUse } from "../../core/session.ts";
import { keepCall } from "../bounded.ts";
import { type Fields, fieldsOf, nameOf, numberOf, textOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import type { Message } from "./message.ts";

/** Tells the parts of a message in their order. What a person attached is named beside what they wrote. */
export function readParts(message: Message, parts: readonly Fields[]): void {
  const attached = parts.flatMap(({ type, data }) => attachmentName(type, fieldsOf(data)));
  let hasText = false;
  for (const { type, data } of parts) {
    const fields = fieldsOf(data);
    if (type === "text") {
      readText(message, fields, hasText ? [] : attached);
      hasText = true;
    } else readPart(message, type, fields);
  }
  if (!hasText) readText(message, {}, attached);
}

const UNKNOWN_TOOL = "tool";
/** Crush adds where the shell stands to what a command printed, and before that how it ended if it failed. */
const SHELL_FOLDER = /\n*<cwd>[^<\n]*<\/cwd>\s*$/;
const EXIT_CODE = /(?:^|\n)Exit code (-?\d+)\s*$/;

function readPart(message: Message, type: unknown, data: Fields): void {
  switch (type) {
    case "reasoning":
      message.say({ role: "assistant", part: "thinking", text: trimmed(data.thinking), key: "thinking" });
      return;
    case "tool_call":
      readCall(message, data);
      return;
    case "tool_result":
      readResult(message, data);
      return;
    case "shell_command":
      readShell(message, data);
      return;
    case "finish":
      readFinish(message, data);
      return;
    case "binary":
    case "image_url":
      return;
    default:
      message.emit(unknownType(type, "part"));
  }
}

function readText({ role, session, isSummary, say, notice }: Message, data: Fields, attached: readonly string[]): void {
  const text = [trimmed(data.text), ...attached].filter((line) => line !== "").join("\n");
  if (isSummary) say({ role: "summary", part: "text", text });
  else if (role === "assistant") say({ role: "assistant", part: "text", text });
  else if (role !== "user" || data.hidden === true) notice(text);
  else say({ role: session.isSubagent ? "system" : "human", part: "text", text });
}

function attachmentName(type: unknown, { Path, MIMEType }: Fields): readonly string[] {
  if (type === "image_url") return ["[image]"];
  if (type !== "binary") return [];
  const kind = textOf(MIMEType)?.startsWith("image/") === true ? "image" : "file";
  const path = textOf(Path);
  return [path === undefined ? `[${kind}]` : `[${kind}: ${path}]`];
}

function readCall({ session, say }: Message, data: Fields): void {
  const name = textOf(data.name) ?? UNKNOWN_TOOL;
  const callId = nameOf(data.id);
  keepCall(session.tools, callId, name);
  say({ role: "tool", part: "call", ...describeToolCall(name, callId, data.input), key: `call:${callId ?? ""}` });
}

function readResult({ session, say }: Message, data: Fields): void {
  const callId = nameOf(data.tool_call_id);
  const name = textOf(data.name) ?? session.tools.get(callId ?? "") ?? UNKNOWN_TOOL;
  const text = (textOf(data.content) ?? "").replace(SHELL_FOLDER, "").trimEnd();
  const exitCode = EXIT_CODE.exec(text.slice(-80))?.[1];
  const { start_time, end_time } = fieldsOf(data.metadata);
  const [start, end] = [numberOf(start_time), numberOf(end_time)];
  const tool: ToolUse = {
    ...toolUse(name, callId),
    ...(data.is_error === true && { isError: true }),
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    ...(start !== undefined && end !== undefined && end >= start && start > 0 && { durationMs: end - start }),
  };
  say({ role: "tool", part: "result", text, tool, key: `result:${callId ?? ""}` });
}

/** A command that the person ran from the prompt, with what it printed. */
function readShell({ say }: Message, data: Fields): void {
  const command = textOf(data.command) ?? "";
  const exitCode = numberOf(data.exit_code);
  say({ role: "human", part: "text", text: `!${command}`, key: "shell" });
  const tool: ToolUse = {
    ...toolUse("bash", undefined, [], [command]),
    ...(exitCode !== undefined && { exitCode }),
    ...(exitCode !== undefined && exitCode !== 0 && { isError: true }),
  };
  say({ role: "tool", part: "result", text: trimmed(data.output), tool, key: "output" });
}

const FAILURES: Readonly<Record<string, string>> = {
  canceled: "Canceled",
  content_filter: "Refused",
  error: "Error",
  max_tokens: "Stopped at the limit of tokens",
};

function readFinish({ role, notice }: Message, data: Fields): void {
  const failure = FAILURES[textOf(data.reason) ?? ""];
  if (role !== "assistant" || failure === undefined) return;
  const told = [textOf(data.message), textOf(data.details)].filter((text) => text !== undefined).join("\n");
  notice(told === "" ? failure : `${failure}: ${told}`);
}

function trimmed(text: unknown): string {
  return (textOf(text) ?? "").trim();
}
