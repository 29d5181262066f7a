import { type Fields, fieldsOf, listOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { readPrompt } from "./prompt.ts";
import type { Origin, Scribe } from "./scribe.ts";
import { type Outcome, outcomeOf, plainCall } from "./tools.ts";

/** A line of a transcript, or a message of the CLI's database. Both hold the blocks of a model's API. */
export function readMessage(record: Fields, scribe: Scribe): void {
  const message = fieldsOf(record.message);
  const role = record.role ?? message.role;
  const content = message.content ?? record.content;
  const origin: Origin = { at: timeOf(record.timestamp) ?? timeOf(record.createdAt) };
  if (role === undefined) readMark(record, origin, scribe);
  else if (role === "system") return;
  else if (role !== "user" && role !== "assistant" && role !== "tool") scribe.emit(unknownType(role, "role"));
  else if (typeof content !== "string" && !Array.isArray(content)) scribe.emit(malformed("message"));
  else if (role === "user") readUser(record, blocksOf(content), origin, scribe);
  else for (const block of blocksOf(content)) readBlock(block, record, origin, scribe);
}

function readMark(record: Fields, origin: Origin, scribe: Scribe): void {
  if (record.type === undefined) scribe.emit(malformed("no role"));
  else if (record.type !== "turn_ended") scribe.emit(unknownType(record.type));
  else if (record.status === "error" || record.status === "aborted") {
    const why = textOf(record.error) ?? textOf(fieldsOf(record.error).message);
    scribe.notice(`Turn ended: ${record.status}${why === undefined ? "" : `: ${why}`}`, origin);
  }
}

function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(fieldsOf);
}

/** One text of several blocks. Results of tools stand in the user's name in some versions. */
function readUser(record: Fields, blocks: readonly Fields[], origin: Origin, scribe: Scribe): void {
  const text = blocks.flatMap((block) => (block.type === "text" ? (textOf(block.text) ?? []) : [])).join("\n");
  const { typed, notices, at, cwd } = readPrompt(text);
  const said = { at: origin.at ?? at };
  if (cwd !== undefined) scribe.enter(cwd);
  for (const notice of notices) scribe.notice(notice, said);
  if (cursorOptions(record).isSummary === true) scribe.summary(typed, said);
  else scribe.prompt(typed, said);
  for (const block of blocks) if (block.type !== "text") readBlock(block, record, origin, scribe);
}

function readBlock(block: Fields, record: Fields, origin: Origin, scribe: Scribe): void {
  switch (block.type) {
    case "text":
      scribe.answer((textOf(block.text) ?? "").replace(REDACTED, ""), origin);
      return;
    case "thinking":
    case "reasoning":
      scribe.thought((textOf(block.thinking) ?? textOf(block.text) ?? "").replace(REDACTED, ""), origin);
      return;
    case "tool_use":
    case "tool-call":
      scribe.call(
        plainCall({ name: nameOf(block), callId: callIdOf(block), input: block.input ?? block.args }),
        origin,
      );
      return;
    case "tool_result":
    case "tool-result":
      scribe.result(callIdOf(block), textOf(block.toolName), outcomeOfBlock(block, record), origin);
      return;
    default:
      if (!SILENT.has(block.type)) scribe.emit(unknownType(block.type, "block"));
  }
}

function nameOf(block: Fields): string {
  return textOf(block.name) ?? textOf(block.toolName) ?? "tool";
}

function callIdOf(block: Fields): string | undefined {
  return textOf(block.id) ?? textOf(block.toolCallId) ?? textOf(block.tool_use_id);
}

/** The text that the model was given, and what else Cursor knows of the outcome. */
function outcomeOfBlock(block: Fields, record: Fields): Outcome {
  const told = fieldsOf(cursorOptions(record).highLevelToolCallResult);
  const said = outcomeOf(block.result ?? block.content ?? block.experimental_content);
  const { text: _, ...known } = outcomeOf({ output: told.output, isError: told.isError });
  const isError = block.is_error === true || block.isError === true;
  return { ...said, ...known, ...(isError && { isError }) };
}

function cursorOptions(record: Fields): Fields {
  return fieldsOf(fieldsOf(record.providerOptions).cursor);
}

/** Stands in transcripts for thoughts. */
const REDACTED = /\s*\[REDACTED\]\s*$/;
const SILENT = new Set<unknown>(["redacted-reasoning", "redacted_thinking", "image", "file", "step-start"]);
