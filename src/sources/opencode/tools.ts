import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf, timeOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import type { Message } from "./said.ts";

/** A tool call with what came of it, of either version of the format. */
export interface Call {
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly state: Fields;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Tells a call, and its result once there is one. */
export function sayTool(message: Message, call: Call): void {
  const { name = "tool", callId, state, startedAt } = call;
  message.say({
    role: "tool",
    part: "call",
    ...describeToolCall(name, callId, commonInput(state.input)),
    ...(callId !== undefined && { key: callId }),
    ...(startedAt !== undefined && { at: startedAt }),
  });
  sayResult(message, call);
}

/** Tells a command that the person ran, in place of a call. */
export function sayRun(message: Message, command: string, call: Call): void {
  const { startedAt } = call;
  const at = startedAt === undefined ? {} : { at: startedAt };
  message.say({ role: "human", part: "text", text: `!${command}`, ...at });
  sayResult(message, { ...call, callId: undefined }, command);
}

/** A call of version 1: a part of its message. */
export function callOfPart(part: Fields): Call {
  const state = fieldsOf(part.state);
  const time = fieldsOf(state.time);
  return {
    name: textOf(part.tool),
    callId: nameOf(part.callID),
    state,
    startedAt: timeOf(time.start),
    endedAt: timeOf(time.end),
  };
}

/** A call of version 2. For a while the id of the call stood beside one of the entry. */
export function callOfContent(content: Fields): Call {
  const time = fieldsOf(content.time);
  return {
    name: textOf(content.name),
    callId: nameOf(content.callID) ?? nameOf(content.id),
    state: fieldsOf(content.state),
    startedAt: timeOf(time.ran) ?? timeOf(time.created),
    endedAt: timeOf(time.completed),
  };
}

const OPEN = new Set<unknown>(["pending", "running", "streaming"]);

function sayResult(
  message: Message,
  { name = "tool", callId, state, startedAt, endedAt }: Call,
  command?: string,
): void {
  const isError = state.status === "error";
  if (!isError && state.status !== "completed") {
    if (!OPEN.has(state.status)) message.emit(unknownType(state.status, "tool"));
    return;
  }
  const exitCode = numberOf(fieldsOf(state.metadata).exit) ?? numberOf(fieldsOf(state.structured).exit);
  const durationMs = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  message.say({
    role: "tool",
    part: "result",
    text: resultText(state).trimEnd(),
    tool: {
      ...toolUse(name, callId, [], command === undefined ? [] : [command]),
      ...((isError || (exitCode !== undefined && exitCode !== 0)) && { isError: true }),
      ...(exitCode !== undefined && { exitCode }),
      ...(durationMs !== undefined && durationMs >= 0 && { durationMs }),
    },
    ...(callId !== undefined && { key: callId }),
    ...(endedAt !== undefined && { at: endedAt }),
  });
}

/** Version 1 has a text and attachments, version 2 a list of contents. */
function resultText(state: Fields): string {
  const error = textOf(state.error) ?? textOf(fieldsOf(state.error).message);
  const output = textOf(state.output);
  const contents = [...listOf(state.content), ...listOf(state.attachments)].map(contentText);
  return [output, ...contents, error].filter((text) => text !== undefined && text !== "").join("\n");
}

function contentText(content: unknown): string {
  const { type, text, mime } = fieldsOf(content);
  if (type !== "file") return textOf(text) ?? "";
  return typeof mime === "string" && mime.startsWith("image/") ? "[image]" : "[file]";
}

/** A patch is `patchText` here. */
function commonInput(input: unknown): unknown {
  if (!isFields(input) || typeof input.patchText !== "string") return input;
  const { patchText, ...rest } = input;
  return { ...rest, patch: patchText };
}
