import { clipMiddle } from "../../core/text.ts";
import { keepCall } from "../bounded.ts";
import { type Fields, fieldsOf, hashOf, nameOf, numberOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { MessageItem } from "../source.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import { blocksOf, resultText } from "./content.ts";
import { type Emit, lastingId, ownerOf, rememberPrompt, type Session } from "./session.ts";
import { commonInput } from "./tools.ts";

/** Reads a message of the person, which also holds what tools answered, or of the assistant. */
export function readMessage(record: Fields, session: Session, emit: Emit): void {
  const message = openMessage(record, session, emit);
  if (!Array.isArray(record.content) && typeof record.content !== "string") emit(malformed("content of a message"));
  const blocks = blocksOf(record.content);
  let images = blocks.flatMap(({ type }) => (type === "image" ? ["[image]"] : []));
  for (const block of blocks) {
    if (block.type !== "text") readBlock(message, block);
    else {
      readText(message, [trimmed(block.text), ...images]);
      images = [];
    }
  }
  readText(message, images);
}

type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & { readonly key?: string };

interface Message {
  readonly isAssistant: boolean;
  /** It is for the model alone: a summary, or what Goose adds. */
  readonly isHidden: boolean;
  readonly session: Session;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string): void;
}

const NOTICE_CHARS = 2_000;
/** Shorter ids come from model servers that count, or draw, from few. */
const UNIQUE_ID_CHARS = 20;

function openMessage(record: Fields, session: Session, emit: Emit): Message {
  const at = timeOf(record.created);
  const id = lastingId(record, session);
  const base = id === undefined ? baseName(record, session) : id.length < UNIQUE_ID_CHARS ? `${session.id}:${id}` : id;
  const first = textOf(record.first);
  const say = ({ key, ...saying }: Saying): void => {
    if (saying.text === "") return;
    const name = `${base}/${saying.part}:${key ?? hashOf(first ?? saying.text)}`;
    const nth = (session.given.get(name) ?? 0) + 1;
    if (id === undefined) session.given.set(name, nth);
    const nativeId = nth === 1 ? name : `${name}:${nth}`;
    emit({ kind: "message", nativeId, ...saying, ...(at !== undefined && { at }) });
  };
  return {
    isAssistant: record.role === "assistant",
    isHidden: fieldsOf(record.metadata).userVisible === false,
    session,
    emit,
    say,
    notice: (text) => say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
  };
}

/** Of a message without an id: its second and who speaks. What is said twice in a second is counted. */
function baseName(record: Fields, session: Session): string {
  const second = numberOf(record.created);
  if (second === undefined || second !== session.second) session.given.clear();
  session.second = second;
  return `${ownerOf(record, session)}@${second ?? `#${session.records}`}:${record.role === "assistant" ? "assistant" : "user"}`;
}

const UNKNOWN_TOOL = "tool";
/** What Goose tells the model of its surroundings. */
const SURROUNDINGS = /^<(turn-context|info-msg)\b/;
/** Questions to the person whose outcome follows, thoughts that can't be read, and marks that say nothing. */
const SILENT = new Set<unknown>([
  ...["toolConfirmationRequest", "actionRequired", "redactedThinking", "conversationCompacted", "image"],
]);

function readText({ isAssistant, isHidden, session, say, notice }: Message, lines: readonly string[]): void {
  const text = lines.filter((line) => line !== "").join("\n");
  if (text === "") return;
  if (isAssistant) {
    if (isHidden) notice(text);
    else say({ role: "assistant", part: "text", text });
  } else if (!isHidden) {
    rememberPrompt(session, text);
    say({ role: session.promptedBy === "human" ? "human" : "system", part: "text", text });
    // Whoever goes on with what a schedule began is a person.
    if (session.promptedBy === "schedule") session.promptedBy = "human";
  } else if (SURROUNDINGS.test(text)) notice(text);
  else if (rememberPrompt(session, text)) say({ role: "summary", part: "text", text });
}

function readBlock(message: Message, block: Fields): void {
  switch (block.type) {
    case "thinking":
    case "reasoning":
      message.say({ role: "assistant", part: "thinking", text: trimmed(block.thinking ?? block.text) });
      return;
    case "toolRequest":
    case "frontendToolRequest":
      readCall(message, block);
      return;
    case "toolResponse":
      readResult(message, block);
      return;
    case "systemNotification":
      if (block.notificationType !== "thinkingMessage") message.notice(textOf(block.msg) ?? "");
      return;
    case "contextLengthExceeded":
    case "summarizationRequested":
      message.notice(textOf(block.msg) ?? "");
      return;
    default:
      if (!SILENT.has(block.type)) message.emit(unknownType(block.type, "content"));
  }
}

function readCall({ session, say }: Message, block: Fields): void {
  const { value, error } = fieldsOf(block.toolCall);
  const call = fieldsOf(value);
  const name = textOf(call.name) ?? UNKNOWN_TOOL;
  const callId = nameOf(block.id);
  keepCall(session.tools, callId, name);
  const key = callId === undefined ? {} : { key: callId };
  // A call that could not be understood was never made.
  if (textOf(error) !== undefined) {
    say({ role: "tool", part: "call", text: String(error), tool: { ...toolUse(name, callId), isError: true }, ...key });
    return;
  }
  say({ role: "tool", part: "call", ...describeToolCall(name, callId, commonInput(call.arguments)), ...key });
}

function readResult({ session, say }: Message, block: Fields): void {
  const { status, value, error } = fieldsOf(block.toolResult);
  const callId = nameOf(block.id);
  const result = fieldsOf(value);
  const structured = fieldsOf(result.structuredContent);
  const exitCode = numberOf(structured.exit_code ?? structured.exitCode);
  const isError = status === "error" || result.isError === true;
  say({
    role: "tool",
    part: "result",
    text: (textOf(error) ?? resultText(value)).trimEnd(),
    tool: {
      ...toolUse(session.tools.get(callId ?? "") ?? UNKNOWN_TOOL, callId),
      ...(isError && { isError: true }),
      ...(exitCode !== undefined && { exitCode }),
    },
    ...(callId !== undefined && { key: callId }),
  });
}

function trimmed(text: unknown): string {
  return (textOf(text) ?? "").trim();
}
