import type { ToolUse } from "../../core/session.ts";
import { keepCall } from "../bounded.ts";
import { type Fields, fieldsOf, isFields, nameOf, textOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";

export type Emit = (item: Item) => void;

/** What is known of the thread that is being read. */
export interface Thread {
  session: string;
  isSubagent: boolean;
  model: string | undefined;
  /** Messages that were read. */
  messages: number;
  /** What stands before the names of what follows: the id of the last prompt. */
  base: string;
  /** What was said since then. */
  said: number;
  /** Names of tools by call. */
  readonly tools: Map<string, string>;
}

export function openThread(session: string): Thread {
  return {
    session,
    isSubagent: false,
    model: undefined,
    messages: 0,
    base: session,
    said: 0,
    tools: new Map(),
  };
}

export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & { readonly key?: string };

/**
 * Emits a message, or nothing where there is no text. The place of an answer in its turn names it: threads have ids of
 * prompts only, and a prompt that is changed gets another one.
 */
export function say(thread: Thread, { key, ...saying }: Saying, emit: Emit): void {
  const place = key ?? String(thread.said);
  thread.said += 1;
  if (saying.text === "") return;
  const isAnswer = saying.role === "assistant" || saying.part === "call";
  emit({
    kind: "message",
    nativeId: place === "" ? thread.base : `${thread.base}#${place}`,
    ...saying,
    ...(isAnswer && thread.model !== undefined && { model: thread.model }),
  });
}

const UNKNOWN_TOOL = "tool";
const TERMINAL = "terminal";
/** How Zed's terminal tool begins its answer. */
const EXIT_CODE = /^Command "[\s\S]*?" failed with exit code (-?\d+)\./;

export function sayCall(thread: Thread, use: Fields, emit: Emit): void {
  const name = textOf(use.name) ?? UNKNOWN_TOOL;
  const callId = nameOf(use.id);
  keepCall(thread.tools, callId, name);
  const input = isFields(use.input) ? use.input : (use.input ?? use.raw_input);
  say(
    thread,
    { role: "tool", part: "call", ...describeToolCall(name, callId, input), key: `call:${callId ?? ""}` },
    emit,
  );
}

export function sayResult(thread: Thread, id: unknown, result: Fields, emit: Emit): void {
  const callId = nameOf(result.tool_use_id) ?? nameOf(id);
  const name = textOf(result.tool_name) ?? thread.tools.get(callId ?? "") ?? UNKNOWN_TOOL;
  const text = resultText(result.content).trimEnd();
  const exitCode = name === TERMINAL ? EXIT_CODE.exec(text.slice(0, 4_000))?.[1] : undefined;
  const tool: ToolUse = {
    ...toolUse(name, callId),
    ...(result.is_error === true && { isError: true }),
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  };
  say(thread, { role: "tool", part: "result", text, tool, key: `result:${callId ?? ""}` }, emit);
}

/** A text, or an object with a text or a picture in it by whichever name, or a list of these. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(resultText).join("\n");
  const fields = fieldsOf(content);
  const text = textOf(fields.Text) ?? textOf(fields.text);
  if (text !== undefined) return text;
  return isFields(fields.Image ?? fields.image) || textOf(fields.source) !== undefined ? "[image]" : "";
}
