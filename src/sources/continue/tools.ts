import { type Fields, fieldsOf, isFields, listOf, nameOf, parseJson, textOf } from "../fields.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import { contentText, type HistoryEntry } from "./entry.ts";

/**
 * The calls of an answer, each with what it gave back. Newer versions keep a list of states, older ones a single one,
 * and an answer that is still being written the calls alone.
 */
export function sayCalls(entry: HistoryEntry): void {
  for (const state of callStates(entry)) {
    const { name, arguments: written } = fieldsOf(fieldsOf(state.toolCall).function);
    const tool = textOf(name) ?? UNKNOWN_TOOL;
    const callId = nameOf(state.toolCallId) ?? nameOf(fieldsOf(state.toolCall).id);
    if (callId !== undefined) entry.calls.names.set(callId, tool);
    entry.say({
      role: "tool",
      part: "call",
      ...describeToolCall(tool, callId, commonInput(isFields(state.parsedArgs) ? state.parsedArgs : written)),
      ...(entry.model !== undefined && { model: entry.model }),
      key: `call:${callId ?? ""}`,
    });
    sayOutput(entry, state, tool, callId);
  }
}

/** A `tool` message. It repeats what the state of its call holds, where there is one. */
export function sayToolMessage(entry: HistoryEntry): void {
  const callId = nameOf(entry.message.toolCallId);
  if (callId !== undefined && entry.calls.answered.has(callId)) return;
  const name = (callId === undefined ? undefined : entry.calls.names.get(callId)) ?? UNKNOWN_TOOL;
  entry.say({
    role: "tool",
    part: "result",
    text: contentText(entry.message.content),
    tool: toolUse(name, callId),
    key: "result",
  });
}

const UNKNOWN_TOOL = "tool";
const EXIT_CODE = /\b(?:exit(?:ed with)?|failed with exit) code:? (-?\d+)/i;

function callStates({ fields, message }: HistoryEntry): readonly Fields[] {
  const states = listOf(fields.toolCallStates).filter(isFields);
  if (states.length > 0) return states;
  if (isFields(fields.toolCallState)) return [fields.toolCallState];
  return listOf(message.toolCalls)
    .filter(isFields)
    .map((toolCall) => ({ toolCallId: toolCall.id, toolCall }));
}

function sayOutput(entry: HistoryEntry, state: Fields, name: string, callId: string | undefined): void {
  const output = listOf(state.output).filter(isFields);
  const text = output
    .map(({ content }) => textOf(content) ?? "")
    .join("\n")
    .trimEnd();
  const exitCode = output
    .map(({ status }) => EXIT_CODE.exec(textOf(status) ?? "")?.[1])
    .find((code) => code !== undefined);
  const isCancelled = state.status === "canceled";
  const isError = isCancelled || state.status === "errored" || (exitCode !== undefined && exitCode !== "0");
  if (text === "" && !isCancelled) return;
  if (callId !== undefined) entry.calls.answered.add(callId);
  entry.say({
    role: "tool",
    part: "result",
    text: text === "" ? "Cancelled" : text,
    tool: {
      ...toolUse(name, callId),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
    },
    key: `result:${callId ?? ""}`,
  });
}

/** Continue's own tools name a file `filepath` and what is written to it `contents` or `changes`. */
function commonInput(given: unknown): unknown {
  const input = typeof given === "string" ? (parseJson(given) ?? given) : given;
  if (!isFields(input)) return given;
  const { filepath, contents, changes, ...rest } = input;
  const content = textOf(contents) ?? textOf(changes);
  return {
    ...(typeof filepath === "string" && { file_path: filepath }),
    ...(content !== undefined && { content }),
    ...rest,
  };
}
