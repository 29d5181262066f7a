import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { type Emit, say, sayCall, sayResult, type Thread } from "./scribe.ts";

/** Reads a message of a thread in version 0.3.0: an object with one field that tells what it is, or a word. */
export function readMessage(message: unknown, thread: Thread, emit: Emit): void {
  const { kind, value } = variantOf(message);
  thread.messages += 1;
  switch (kind) {
    case "User":
      readPrompt(fieldsOf(value), thread, emit);
      return;
    case "Agent":
      readAnswer(fieldsOf(value), thread, emit);
      return;
    case "Compaction":
      // What a provider keeps for itself can't be read.
      say(thread, { role: "summary", part: "text", text: (textOf(fieldsOf(value).Summary) ?? "").trim() }, emit);
      return;
    case "Resume":
      return;
    case undefined:
      emit(malformed("message"));
      return;
    default:
      emit(unknownType(isFields(message) && textOf(message.type) !== undefined ? message.type : kind, "message"));
  }
}

/** A value of one of several kinds, as Rust's serde writes it. */
function variantOf(value: unknown): { readonly kind: string | undefined; readonly value: unknown } {
  if (typeof value === "string") return { kind: value, value: undefined };
  if (!isFields(value)) return { kind: undefined, value: undefined };
  const [first] = Object.entries(value);
  return { kind: first?.[0], value: first?.[1] };
}

function readPrompt({ id, content }: Fields, thread: Thread, emit: Emit): void {
  thread.base = nameOf(id) ?? `${thread.session}#${thread.messages}`;
  thread.said = 0;
  const text = listOf(content)
    .map((part) => promptText(part, emit))
    .join("")
    .trim();
  say(thread, { role: thread.isSubagent ? "system" : "human", part: "text", text, key: "" }, emit);
}

/** What a person typed, with the names of what they attached in their places. */
function promptText(part: unknown, emit: Emit): string {
  const { kind, value } = variantOf(part);
  if (kind === "Text") return textOf(value) ?? "";
  if (kind === "Image") return "[image]";
  if (kind === "Mention") return `@${mentionName(fieldsOf(value).uri)}`;
  emit(kind === undefined ? malformed("content") : unknownType(kind, "content"));
  return "";
}

function mentionName(uri: unknown): string {
  const { kind = "mention", value } = variantOf(uri);
  const fields = fieldsOf(value);
  const path = textOf(fields.abs_path) ?? textOf(fields.path) ?? textOf(fields.file_path);
  const name = textOf(fields.name);
  if (kind === "Symbol" && path !== undefined && name !== undefined) return `${path}:${name}`;
  return path ?? textOf(fields.url) ?? name ?? kind;
}

const NOTHING_TO_READ = "RedactedThinking";

function readAnswer({ content, tool_results }: Fields, thread: Thread, emit: Emit): void {
  const results = new Map(Object.entries(fieldsOf(tool_results)));
  for (const block of listOf(content)) {
    const { kind, value } = variantOf(block);
    const fields = fieldsOf(value);
    if (kind === "Text") say(thread, { role: "assistant", part: "text", text: trimmed(value) }, emit);
    else if (kind === "Thinking")
      say(thread, { role: "assistant", part: "thinking", text: trimmed(fields.text) }, emit);
    else if (kind === "ToolUse") {
      sayCall(thread, fields, emit);
      const id = nameOf(fields.id) ?? "";
      if (results.has(id)) sayResult(thread, id, fieldsOf(results.get(id)), emit);
      results.delete(id);
    } else if (kind !== NOTHING_TO_READ) emit(kind === undefined ? malformed("content") : unknownType(kind, "content"));
  }
  for (const [id, result] of results) sayResult(thread, id, fieldsOf(result), emit);
}

function trimmed(text: unknown): string {
  return (textOf(text) ?? "").trim();
}
