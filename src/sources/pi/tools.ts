import type { FileTouch } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { describeToolCall, describeToolInput, toolUse } from "../tool-use.ts";
import { contentText } from "./content.ts";
import type { Entry } from "./entry.ts";

/** A `toolCall` block. A tool without input is told by its name. */
export function sayCall(entry: Entry, block: Fields, model: string | undefined): void {
  const name = textOf(block.name) ?? UNKNOWN_TOOL;
  const callId = nameOf(block.id);
  entry.say({
    role: "tool",
    part: "call",
    ...describeToolCall(name, callId, commonInput(block.arguments)),
    ...(model !== undefined && { model }),
    ...(callId !== undefined && { key: callId }),
  });
}

/** A `toolResult` message. */
export function sayResult(entry: Entry): void {
  const { message } = entry;
  const name = textOf(message.toolName) ?? UNKNOWN_TOOL;
  const callId = nameOf(message.toolCallId);
  const text = contentText(message.content).trimEnd();
  const nested = nestedCalls(message.nestedCalls);
  const exitCode = exitCodeIn(text);
  entry.say({
    role: "tool",
    part: "result",
    text,
    tool: {
      ...toolUse(name, callId, nested.files, nested.commands),
      ...(message.isError === true && { isError: true }),
      ...(exitCode !== undefined && { exitCode }),
    },
    ...(callId !== undefined && { key: callId }),
  });
  entry.count(message.usage, undefined);
}

/** A command or a piece of code that the person ran from the prompt, with what it printed. */
export function sayRun(entry: Entry, typed: string, name: string, command?: string): void {
  const { message, place } = entry;
  const exitCode = numberOf(message.exitCode);
  const failed = message.cancelled === true || (exitCode !== undefined && exitCode !== 0);
  entry.say({ role: place.parent === undefined ? "human" : "system", part: "text", text: typed });
  entry.say({
    role: "tool",
    part: "result",
    text: (textOf(message.output) ?? "").trimEnd(),
    tool: {
      ...toolUse(name, undefined, [], command === undefined ? [] : [command]),
      ...(exitCode !== undefined && { exitCode }),
      ...(failed && { isError: true }),
    },
    key: "output",
  });
}

const UNKNOWN_TOOL = "tool";
const EXIT_CODE = /Command exited with code (-?\d+)\s*$/;

/** Pi names the texts of an edit `oldText` and `newText`. */
function commonInput(input: unknown): unknown {
  if (!isFields(input)) return input;
  const edits = listOf(input.edits);
  if (edits.length > 0) return { ...input, edits: edits.map((edit) => commonEdit(fieldsOf(edit))) };
  return commonEdit(input);
}

function commonEdit({ oldText, newText, ...rest }: Fields): Fields {
  return {
    ...rest,
    ...(typeof oldText === "string" && { oldString: oldText }),
    ...(typeof newText === "string" && { newString: newText }),
  };
}

/** What a tool did by calling others, such as a script that runs commands. */
function nestedCalls(nested: unknown): { readonly files: readonly FileTouch[]; readonly commands: readonly string[] } {
  const calls = listOf(fieldsOf(nested).calls)
    .map(fieldsOf)
    .map((call) => describeToolInput(textOf(call.name) ?? "", commonInput(call.arguments)));
  return { files: calls.flatMap(({ files }) => files), commands: calls.flatMap(({ commands }) => commands) };
}

function exitCodeIn(text: string): number | undefined {
  const code = EXIT_CODE.exec(text.slice(-80))?.[1];
  return code === undefined ? undefined : Number(code);
}
