import type { Part, Role } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from "../fields.ts";
import { blocksOf, blockText, contentText } from "./content.ts";
import type { Line } from "./line.ts";
import type { Memory } from "./memory.ts";
import { sayCall, sayResult } from "./tools.ts";

/** A `message` record. `model` is the session's, for messages that don't name theirs. Gives false where it is no message. */
export function readMessage(line: Line, memory: Memory, model: string | undefined): boolean {
  const { message } = line.fields;
  if (!isFields(message)) return false;
  if (textOf(message.hookEventName) !== undefined) sayHook(line, message);
  else if (message.role === "assistant") sayAssistant(line, message, memory, textOf(message.modelId) ?? model);
  else sayUser(line, message, memory);
  return true;
}

function sayAssistant(line: Line, message: Fields, memory: Memory, model: string | undefined): void {
  const by = model === undefined ? undefined : { model };
  const blocks = blocksOf(message.content);
  // Reasoning of other providers stands beside the content.
  if (!blocks.some(isThinking)) sayText(line, "assistant", "thinking", reasoning(message), by);
  for (const block of blocks) {
    if (isThinking(block))
      sayText(line, "assistant", "thinking", textOf(block.thinking) ?? textOf(block.text) ?? "", by);
    else if (block.type === "tool_use") sayCall(line, block, memory, model);
    else if (block.type === "tool_result") sayResult(line, block, memory);
    else if (block.type !== "redacted_thinking") sayText(line, "assistant", "text", blockText(block), by);
  }
}

/** Results come one by one; what is text is one message, whatever its blocks. */
function sayUser(line: Line, message: Fields, memory: Memory): void {
  const blocks = blocksOf(message.content);
  for (const block of blocks) if (block.type === "tool_result") sayResult(line, block, memory);
  const text = contentText(blocks.filter(({ type }) => type !== "tool_result"));
  if (isInjected(line.fields, message)) {
    sayText(line, "system", "notice", text);
    return;
  }
  const typed = text.replace(REMINDER, "").trim();
  if (typed === "") sayText(line, "system", "notice", text);
  else if (memory.isDelegated || PROGRAMS.has(message.userMessageSource)) sayText(line, "system", "text", typed);
  else sayText(line, "human", "text", typed);
}

/** Blocks of the harness before, within or behind what a person typed. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
/** Sources of a user message that are programs of Factory's, not people. */
const PROGRAMS = new Set<unknown>([
  "automation",
  "readiness-evaluation",
  "readiness-remediation",
  "wiki-ci-setup",
  "wiki-generation",
]);
/** Hidden either from the person or from the model. */
const HIDDEN = new Set<unknown>(["llm_only", "user_only"]);

function isInjected(record: Fields, message: Fields): boolean {
  if (message.role !== "user" || HIDDEN.has(message.visibility) || message.hiddenFromUserViews === true) return true;
  return textOf(record.id)?.startsWith("context-") === true;
}

function isThinking(block: Fields): boolean {
  return block.type === "thinking" || block.type === "reasoning";
}

function reasoning(message: Fields): string {
  return contentText(message.chatCompletionReasoningContent) || contentText(message.openaiReasoningSummary);
}

/** Hooks speak only where they failed; what they printed else is for the model. */
function sayHook(line: Line, message: Fields): void {
  const failed = listOf(message.hookResults)
    .map(fieldsOf)
    .filter(({ exitCode }) => (numberOf(exitCode) ?? 0) !== 0);
  if (failed.length === 0 && message.hookStatus !== "failed" && message.hookStatus !== "error") return;
  const said = failed.map(({ stdout, stderr }) => textOf(stderr) ?? textOf(stdout) ?? "");
  const texts = said.filter((text) => text !== "");
  sayText(line, "system", "notice", [`Hook failed: ${message.hookEventName}`, ...texts].join("\n"));
}

function sayText(line: Line, role: Role, part: Part, text: string, by?: { readonly model: string }): void {
  line.say({ role, part, text: text.trim(), ...by });
}
