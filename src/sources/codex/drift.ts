import { type Fields, fieldsOf, listOf, nameOf, textOf } from "../fields.ts";
import { describeCall } from "./calls.ts";
import { decodeOutput, outputFields } from "./output.ts";
import { CHANNEL } from "./progress.ts";
import { readUserMessage } from "./prompt.ts";
import type { Scribe } from "./scribe.ts";

/**
 * Shapes met in fixtures of other readers and in files of forks, with no known version behind them. What is clear is
 * read; false for the rest.
 */
export function readOddRecord(record: Fields, scribe: Scribe): boolean {
  const { type, role } = record;
  if (type === "function_result") readOddResult(record, scribe);
  else if (type === undefined && role === "user") readOddMessage(record, scribe);
  else if (type === undefined && role === "assistant") readOddMessage(record, scribe);
  else return false;
  return true;
}

/** `{function: {name}, arguments}` */
export function readOddCall(record: Fields, scribe: Scribe): void {
  const callId = nameOf(record.call_id);
  const { text, tool } = describeCall(oddName(record), record.arguments, callId);
  scribe.call(text, tool, CHANNEL.response);
}

/** `{name, result}` */
export function readOddResult(record: Fields, scribe: Scribe): void {
  const callId = nameOf(record.call_id);
  const output = decodeOutput(record.result ?? record.output);
  const tool = { name: oddName(record), ...(callId !== undefined && { callId }), ...outputFields(output) };
  scribe.result(output.text, tool, CHANNEL.response);
}

function oddName(record: Fields): string {
  return textOf(record.name) ?? textOf(fieldsOf(record.function).name) ?? "tool";
}

function readOddMessage(record: Fields, scribe: Scribe): void {
  const said = record.message ?? record.content;
  const content = typeof said === "string" ? [said] : listOf(said);
  const { prompt } = readUserMessage(content);
  if (record.role === "user") scribe.prompt(prompt, CHANNEL.response);
  else scribe.assistant(prompt.text, "text", CHANNEL.response);
}
