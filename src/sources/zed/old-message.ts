import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { type Emit, say, sayCall, sayResult, type Thread } from "./scribe.ts";

/** Reads a message of a thread in version 0.2.0 or before, where the results of tools came as messages of their own. */
export function readOldMessage(message: unknown, thread: Thread, emit: Emit): void {
  thread.messages += 1;
  if (!isFields(message)) {
    emit(malformed("message"));
    return;
  }
  thread.base = `${thread.session}#m${numberOf(message.id) ?? `?${thread.messages}`}`;
  thread.said = 0;
  const { role } = message;
  if (role === "user") readPrompt(message, thread, emit);
  else if (role === "assistant") readAnswer(message, thread, emit);
  // The system prompt.
  else if (role !== "system") emit(unknownType(role, "message"));
}

function readPrompt(message: Fields, thread: Thread, emit: Emit): void {
  const results = listOf(message.tool_results);
  // The text beside results was for the model; Zed itself drops it.
  if (results.length > 0) sayResults(results, thread, emit);
  else {
    const text = segmentsOf(message)
      .map(({ text }) => textOf(text) ?? "")
      .join("")
      .trim();
    const role = thread.isSubagent || message.is_hidden === true ? "system" : "human";
    say(thread, { role, part: "text", text, key: "" }, emit);
  }
}

function readAnswer(message: Fields, thread: Thread, emit: Emit): void {
  for (const { type, text } of segmentsOf(message)) {
    if (type === "text" || type === undefined)
      say(thread, { role: "assistant", part: "text", text: trimmed(text) }, emit);
    else if (type === "thinking") say(thread, { role: "assistant", part: "thinking", text: trimmed(text) }, emit);
    else if (type !== "RedactedThinking") emit(unknownType(type, "segment"));
  }
  for (const use of listOf(message.tool_uses)) sayCall(thread, fieldsOf(use), emit);
  sayResults(listOf(message.tool_results), thread, emit);
}

/** The first version had one text. */
function segmentsOf({ segments, text }: Fields): readonly Fields[] {
  return Array.isArray(segments) ? segments.map(fieldsOf) : [{ text }];
}

function sayResults(results: readonly unknown[], thread: Thread, emit: Emit): void {
  for (const result of results) sayResult(thread, undefined, fieldsOf(result), emit);
}

function trimmed(text: unknown): string {
  return (textOf(text) ?? "").trim();
}
