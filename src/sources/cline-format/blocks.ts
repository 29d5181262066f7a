import { asFields, type Fields, fieldsOf, isFields, jsonOf, listOf, nameOf, textOf } from "../fields.ts";
import { isRun } from "./tools.ts";

/**
 * A part of a message's content, whichever of three shapes it is written in: the Anthropic API's (`tool_use`), the AI
 * SDK's (`tool-call`, in Roo's second version), or that of Cline's own SDK.
 */
export type Block =
  | { readonly kind: "text" | "thinking" | "media"; readonly text: string }
  | Call
  | Outcome
  | { readonly kind: "unknown"; readonly type: unknown };

export interface Call {
  readonly kind: "call";
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

export interface Outcome {
  readonly kind: "result";
  /** Of the call. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly isError: boolean;
}

/** The parts of a content: a string or a list. Encrypted thoughts are left out. */
export function blocksOf(content: unknown): readonly Block[] {
  const text = textOf(content);
  if (text !== undefined) return [{ kind: "text", text }];
  return listOf(content).flatMap(blockOf);
}

/** Thoughts that stand beside a message's content; a message has them there or in its content, or the same in both. */
export function thoughtsBeside(message: Fields): readonly string[] {
  const whole = textOf(message.reasoning_content);
  if (whole !== undefined) return [whole];
  const details = [
    ...listOf(message.reasoning_details),
    ...listOf(message.content).flatMap((block) => listOf(fieldsOf(block).reasoning_details)),
  ];
  return textsIn(details);
}

/** A message that is a thought and nothing else, as Roo keeps those of OpenAI: its summary. */
export function thoughtsOf(message: Fields): readonly string[] {
  const text = textOf(message.text);
  return text === undefined ? textsIn(listOf(message.summary)) : [text];
}

function blockOf(value: unknown): Block[] {
  if (typeof value === "string") return value === "" ? [] : [{ kind: "text", text: value }];
  if (!isFields(value)) return [];
  switch (value.type) {
    case "text":
      return textBlock("text", value.text);
    case "thinking":
      return textBlock("thinking", value.thinking);
    case "reasoning":
      return textBlock("thinking", value.text);
    case "redacted_thinking":
    case "thoughtSignature":
      return [];
    case "image":
    case "image_url":
      return [{ kind: "media", text: "[image]" }];
    case "document":
    case "file":
    case "media":
      return [{ kind: "media", text: fileMark(value) }];
    case "tool_use":
    case "tool-call":
      return [callOf(value)];
    case "tool_result":
    case "tool-result":
      return [outcomeOf(value)];
    default:
      return [{ kind: "unknown", type: value.type }];
  }
}

function textBlock(kind: "text" | "thinking", value: unknown): Block[] {
  const text = textOf(value);
  return text === undefined ? [] : [{ kind, text }];
}

function fileMark({ path, filename, title }: Fields): string {
  const name = textOf(path) ?? textOf(filename) ?? textOf(title);
  return name === undefined ? "[file]" : `[file: ${name}]`;
}

function callOf({ id, toolCallId, name, toolName, input, args }: Fields): Call {
  return {
    kind: "call",
    id: nameOf(id) ?? nameOf(toolCallId),
    name: textOf(name) ?? textOf(toolName) ?? UNKNOWN_TOOL,
    input: input ?? args,
  };
}

function outcomeOf(fields: Fields): Outcome {
  const { tool_use_id, toolCallId, name, toolName, content, output, is_error } = fields;
  const text = outcomeText(content ?? output);
  return {
    kind: "result",
    id: nameOf(tool_use_id) ?? nameOf(toolCallId),
    name: textOf(name) ?? textOf(toolName),
    text,
    isError: is_error === true || String(fieldsOf(output).type).startsWith("error"),
  };
}

/** The AI SDK wraps an output as `{type, value}`. */
function outcomeText(content: unknown): string {
  if (typeof content === "string") return content;
  const wrapped = asFields(content);
  if (wrapped !== undefined)
    return "value" in wrapped && !isRun(wrapped) ? outcomeText(wrapped.value) : jsonOf(wrapped);
  const parts = listOf(content);
  if (parts.length > 0 && parts.every(isRun)) return jsonOf(parts);
  return parts
    .map(
      (part) => textOf(part) ?? textOf(fieldsOf(part).text) ?? (isImage(part) ? "[image]" : fileText(fieldsOf(part))),
    )
    .filter((text) => text !== "")
    .join("\n");
}

function isImage(part: unknown): boolean {
  return /^image/.test(String(fieldsOf(part).type));
}

function fileText({ type, path, content }: Fields): string {
  return type === "file" ? [textOf(path), textOf(content)].filter(Boolean).join("\n") : "";
}

function textsIn(values: readonly unknown[]): string[] {
  return values.map((value) => textOf(fieldsOf(value).text) ?? "").filter((text) => text.trim() !== "");
}

const UNKNOWN_TOOL = "tool";
