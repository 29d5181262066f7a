import type { FileTouch, ToolUse } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOf, parseJson, textOf, timeOf } from "../fields.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import { callName, type RoundCall } from "./rounds.ts";
import type { Answer } from "./scribe.ts";
import { modelToolName } from "./tool-names.ts";
import { linkedFile, markdownText } from "./uri.ts";

/**
 * Tells a call and its result, of the part of the response that shows it and of the model's own call, where that is
 * known. Gives the files that the call is about.
 */
export function tellTool(part: Fields, call: RoundCall | undefined, answer: Answer): readonly FileTouch[] {
  const name = call?.name ?? modelToolName(textOf(part.toolId) ?? "tool");
  const callId = call?.id || callName(part.toolCallId) || undefined;
  const input = inputOf(part, call) ?? shownInput(name, part);
  const files = tellCall(name, callId, input, call?.at, answer);
  const data = fieldsOf(part.toolSpecificData);
  const { exitCode: code, duration, timestamp } = fieldsOf(data.terminalCommandState);
  const exitCode = numberOf(code);
  const durationMs = numberOf(duration) ?? numberOf(data.duration);
  const refusal = refusalOf(part);
  const error = textOf(part.resultError);
  const hasFailed = fieldsOf(part.resultDetails).isError === true || (exitCode !== undefined && exitCode !== 0);
  const isError = refusal !== undefined || error !== undefined || hasFailed;
  const began = timeOf(timestamp);
  answer.scribe.say({
    kind: `result:${callId ?? name.slice(0, NAME_CHARS)}`,
    role: "tool",
    part: "result",
    text: (call?.output || error || refusal || (shownOutput(part) ?? outcome(part))).trim(),
    at: began === undefined ? call?.at : began + Math.max(0, durationMs ?? 0),
    tool: {
      ...toolUse(name, callId),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode }),
      ...(durationMs !== undefined && durationMs >= 0 && { durationMs }),
    },
  });
  return files;
}

/** Tells a call that no part of the response shows. */
export function tellHiddenTool({ id, name, input, output = "", at }: RoundCall, answer: Answer): readonly FileTouch[] {
  const callId = id || undefined;
  const files = tellCall(name, callId, input, at, answer);
  const kind = `result:${callId ?? name.slice(0, NAME_CHARS)}`;
  answer.scribe.say({ kind, role: "tool", part: "result", text: output.trim(), at, tool: toolUse(name, callId) });
  return files;
}

/** As any agent's call, and with all files of one that changes several. */
export function describeCall(
  name: string,
  callId: string | undefined,
  input: unknown,
): { readonly text: string; readonly tool: ToolUse } {
  const fields = typeof input === "string" ? parseJson(input) : input;
  const replacements = listOf(fieldsOf(fields).replacements).filter(isFields);
  if (replacements.length === 0) return describeToolCall(name, callId, input);
  const each = replacements.map((replacement) => describeToolCall(name, callId, replacement));
  const files = new Map(each.flatMap(({ tool }) => tool.files ?? []).map((file) => [file.path, file]));
  return { text: each.map(({ text }) => text).join("\n"), tool: toolUse(name, callId, [...files.values()]) };
}

/** `ToolConfirmKind` of VS Code. Versions before 1.104 told a refusal by `false`. */
const DENIED = 0;
const SKIPPED = 5;
const NAME_CHARS = 100;
const READS_OR_EDITS = /^(read_file|create_file|replace_string_in_file|insert_edit_into_file|edit_notebook_file)$/;

function inputOf(part: Fields, call: RoundCall | undefined): unknown {
  const { kind, commandLine, command, rawInput, prompt, description, input } = fieldsOf(part.toolSpecificData);
  const line = fieldsOf(commandLine);
  const edited = textOf(line.userEdited);
  if (edited !== undefined) return { command: edited };
  if (call !== undefined) return call.input;
  if (kind === "terminal" || kind === undefined) {
    const typed = textOf(line.toolEdited) ?? textOf(line.original) ?? textOf(command);
    if (typed !== undefined) return { command: typed };
  }
  if (rawInput !== undefined) return rawInput;
  if (textOf(prompt) !== undefined) return { description, prompt };
  return textOf(input) ?? textOf(fieldsOf(part.resultDetails).input);
}

/** What VS Code shows of a call whose input it didn't keep. */
function shownInput(name: string, { invocationMessage, pastTenseMessage }: Fields): unknown {
  const said = textOf(invocationMessage) ?? textOf(fieldsOf(invocationMessage).value);
  const shown = said === undefined ? pastTenseMessage : invocationMessage;
  const file = READS_OR_EDITS.test(name) ? linkedFile(shown) : undefined;
  return file === undefined ? markdownText(shown) : { filePath: file };
}

function tellCall(
  name: string,
  callId: string | undefined,
  input: unknown,
  at: number | undefined,
  { scribe, model }: Answer,
): readonly FileTouch[] {
  const { text, tool } = describeCall(name, callId, input);
  const kind = `call:${callId ?? name.slice(0, NAME_CHARS)}`;
  scribe.say({ kind, role: "tool", part: "call", text, tool, at, ...(model !== undefined && { model }) });
  return tool.files ?? [];
}

function refusalOf({ isConfirmed }: Fields): string | undefined {
  const type = numberOf(fieldsOf(isConfirmed).type);
  if (type === SKIPPED) return "Skipped by the user";
  return isConfirmed === false || type === DENIED ? "Denied by the user" : undefined;
}

/** What the tool gave, as far as VS Code keeps it for showing: output of a terminal, a subagent or an MCP server. */
function shownOutput({ toolSpecificData, resultDetails }: Fields): string | undefined {
  const { kind, terminalCommandOutput, result, output } = fieldsOf(toolSpecificData);
  const printed = fieldsOf(terminalCommandOutput).text;
  if (typeof printed === "string") return printed;
  if (textOf(result) !== undefined) return textOf(result);
  if (kind === "simpleToolInvocation") return textOf(output);
  const given = fieldsOf(resultDetails).output;
  if (typeof given === "string") return textOf(given);
  const texts = listOf(given).map((block) => {
    const { value, isText, mimeType } = fieldsOf(block);
    return isText === false || textOf(mimeType)?.startsWith("image/") ? "[image]" : (textOf(value) ?? "");
  });
  return textOf(texts.filter((text) => text !== "").join("\n"));
}

/** A call that is still running has a message of what it does, and none of what it did. */
function outcome({ isComplete, pastTenseMessage }: Fields): string {
  return isComplete === false ? "" : markdownText(pastTenseMessage);
}
