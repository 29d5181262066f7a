import { type Fields, fieldsOf, listOf, textOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import { contentText, thinkingText } from "./content.ts";
import type { Emit, Say } from "./parse.ts";

/** Reads a message by who wrote it. What ChatGPT hides is its own: instructions, and copies of what it was told before. */
export function readMessage(message: Fields, say: Say, emit: Emit): void {
  const { role, name } = fieldsOf(message.author);
  const content = fieldsOf(message.content);
  const { is_visually_hidden_from_conversation: isHidden, model_slug: slug } = fieldsOf(message.metadata);
  if (isHidden === true || SILENT.has(content.content_type)) return;
  if (!KNOWN.has(content.content_type)) {
    emit(unknownType(content.content_type, "content"));
    return;
  }
  switch (role) {
    case "user":
      say({ role: "human", part: "text", text: contentText(content) });
      sayAttachments(message, say);
      return;
    case "assistant":
      sayAnswer(message, content, textOf(slug), say);
      return;
    case "tool":
      sayResult(content, textOf(name) ?? "tool", say);
      return;
    case "system":
      return;
    default:
      emit(unknownType(role, "author"));
  }
}

const KNOWN = new Set<unknown>([
  "text",
  "multimodal_text",
  "code",
  "thoughts",
  "execution_output",
  "tether_quote",
  "tether_browsing_display",
  "tether_browsing_code",
  "sonic_webpage",
  "system_error",
  "super_widget",
]);
/** How long the model thought, and what the person has set for all conversations. */
const SILENT = new Set<unknown>([
  "reasoning_recap",
  "user_editable_context",
  "model_editable_context",
  "app_pairing_content",
]);

function sayAnswer(message: Fields, content: Fields, model: string | undefined, say: Say): void {
  const by = model === undefined ? {} : { model };
  if (content.content_type === "thoughts") {
    say({ role: "assistant", part: "thinking", text: thinkingText(content), ...by });
    return;
  }
  const recipient = textOf(message.recipient) ?? "all";
  if (recipient === "all") {
    say({ role: "assistant", part: "text", text: contentText(content), ...by });
    return;
  }
  const { text, tool } = describeToolCall(recipient, undefined, contentText(content));
  say({ role: "tool", part: "call", text, tool });
}

function sayResult(content: Fields, name: string, say: Say): void {
  const isError = content.content_type === "system_error";
  const tool = { ...toolUse(name, undefined), ...(isError && { isError }) };
  say({ role: "tool", part: "result", text: contentText(content), tool });
}

function sayAttachments(message: Fields, say: Say): void {
  const names = listOf(fieldsOf(message.metadata).attachments).flatMap((file) => textOf(fieldsOf(file).name) ?? []);
  if (names.length > 0) {
    say({ key: "attached", role: "system", part: "notice", text: `Attached: ${names.join(", ")}` });
  }
}
