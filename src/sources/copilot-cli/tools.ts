import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { describeToolCall } from "../tool-use.ts";
import type { LogEvent } from "./event.ts";
import { rememberCall } from "./memory.ts";

/**
 * A call, as the message that asks for it, the event of its start or the person tells it: the first one counts. `fields`
 * are of either.
 */
export function sayCall(event: LogEvent, fields: Fields, model: string | undefined): void {
  const callId = nameOf(fields.toolCallId);
  if (callId !== undefined && event.memory.calls.has(callId)) return;
  const name = toolName(fields);
  if (callId !== undefined) rememberCall(event.memory, callId, { name });
  event.say({
    role: "tool",
    part: "call",
    ...describeToolCall(name, callId, fields.arguments),
    ...(model !== undefined && { model }),
    key: callId ?? "call",
  });
}

/** `tool.execution_start`: from here on a call runs. */
export function readToolStart(event: LogEvent): void {
  const { data, at, memory } = event;
  sayCall(event, data, textOf(data.model) ?? memory.model);
  const callId = nameOf(data.toolCallId);
  const call = callId === undefined ? undefined : memory.calls.get(callId);
  if (callId !== undefined && call !== undefined && at !== undefined) rememberCall(memory, callId, { ...call, at });
}

/** `tool.execution_complete` */
export function readToolEnd(event: LogEvent): void {
  const { data, at, memory } = event;
  const callId = nameOf(data.toolCallId);
  const call = callId === undefined ? undefined : memory.calls.get(callId);
  if (callId !== undefined) memory.calls.delete(callId);
  const text = outputText(data).trim();
  const exitCode = exitCodeOf(data, text);
  const isError = data.success === false || (exitCode !== undefined && exitCode !== 0);
  event.say({
    role: "tool",
    part: "result",
    text,
    tool: {
      name: call?.name ?? toolName(data),
      ...(callId !== undefined && { callId }),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode }),
      ...(at !== undefined && call?.at !== undefined && at >= call.at && { durationMs: at - call.at }),
    },
  });
}

/** What is said of the end of a shell command, in the last line of its output. */
const EXIT_CODE = /<(?:shellId: [^<>]* completed|exited) with exit code (-?\d+)>\s*$/;

/** MCP tools are told with their server, as other agents name them. */
function toolName(fields: Fields): string {
  const server = textOf(fields.mcpServerName);
  const tool = textOf(fields.mcpToolName);
  if (server !== undefined && tool !== undefined) return `mcp__${server}__${tool}`;
  return textOf(fields.name) ?? textOf(fields.toolName) ?? textOf(fieldsOf(fields.toolDescription).name) ?? "tool";
}

/** What the model was given; what was shown to the person only where that is missing. */
function outputText({ result, error }: Fields): string {
  if (typeof result === "string") return result;
  const { content, detailedContent, contents, binaryResultsForLlm } = fieldsOf(result);
  const text = textOf(content) ?? textOf(detailedContent) ?? blocksText(contents);
  const pictures = listOf(binaryResultsForLlm).filter((binary) => fieldsOf(binary).type === "image");
  const failure = textOf(fieldsOf(error).message) ?? textOf(error);
  return [text, failure, ...pictures.map(() => "[image]")]
    .filter((part) => part !== undefined && part !== "")
    .join("\n");
}

function blocksText(blocks: unknown): string {
  return listOf(blocks)
    .map(fieldsOf)
    .map(
      ({ text, outputPreview, resource }) => textOf(text) ?? textOf(outputPreview) ?? textOf(fieldsOf(resource).text),
    )
    .filter((text) => text !== undefined)
    .join("\n");
}

function exitCodeOf({ shellExecution, result }: Fields, text: string): number | undefined {
  const told = numberOf(fieldsOf(shellExecution).exitCode);
  if (told !== undefined) return told;
  const block = listOf(fieldsOf(result).contents)
    .map((content) => numberOf(fieldsOf(content).exitCode))
    .find((code) => code !== undefined);
  const printed = EXIT_CODE.exec(text.slice(-200))?.[1];
  return block ?? (printed === undefined ? undefined : Number(printed));
}
