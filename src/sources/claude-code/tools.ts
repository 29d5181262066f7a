import type { ToolUse } from "../../core/session.ts";
import { describeToolInput } from "../tool-use.ts";
import { contentText } from "./content.ts";
import { type Fields, fieldsOf, isFields, numberOf, stringOf } from "./fields.ts";
import type { Line } from "./line.ts";
import { readSidecar } from "./sidecar.ts";
import { readOutcome } from "./tool-result.ts";

/** What tool lines need beyond themselves. */
export interface ToolContext {
  /** Tool names of calls without a result yet: a result does not name its tool. */
  readonly calls: Map<string, string>;
  readonly companion: string | undefined;
}

/** A `tool_use` block. A tool without input is told by its name. */
export function sayCall(line: Line, block: Fields, context: ToolContext, model: string | undefined): void {
  const name = stringOf(block.name) ?? UNKNOWN_TOOL;
  const callId = stringOf(block.id);
  if (callId !== undefined) keepCall(context.calls, callId, name);
  const { text, files, commands } = describeToolInput(name, block.input);
  const tool: ToolUse = {
    name,
    ...(callId !== undefined && { callId }),
    ...(files.length > 0 && { files }),
    ...(commands.length > 0 && { commands }),
  };
  line.say({
    role: "tool",
    part: "call",
    text: text === "" ? name : text,
    tool,
    ...(model !== undefined && { model }),
  });
}

/** A `tool_result` block; `detail` is the line's `toolUseResult`. */
export function sayResult(line: Line, block: Fields, detail: unknown, context: ToolContext): void {
  const callId = stringOf(block.tool_use_id);
  const name = (callId === undefined ? undefined : context.calls.get(callId)) ?? UNKNOWN_TOOL;
  if (callId !== undefined) context.calls.delete(callId);
  const { text, ...outcome } = readOutcome(block, detail);
  line.say({
    role: "tool",
    part: "result",
    text: readSidecar(text, context.companion)?.trimEnd() || text,
    tool: { name, ...(callId !== undefined && { callId }), ...outcome },
  });
}

/** A line of the `transcripts` folder, where a call and its result each stand bare and bear no ids. */
export function sayBareTool(line: Line): void {
  const { fields } = line;
  const name = stringOf(fields.tool_name) ?? UNKNOWN_TOOL;
  const { text, files, commands } = describeToolInput(name, fields.tool_input);
  const touched = { ...(files.length > 0 && { files }), ...(commands.length > 0 && { commands }) };
  if (fields.type === "tool_use") {
    line.say({ role: "tool", part: "call", text: text === "" ? name : text, tool: { name, ...touched } });
    return;
  }
  const output = fieldsOf(fields.tool_output);
  const exitCode = numberOf(output.exit);
  line.say({
    role: "tool",
    part: "result",
    text: bareOutput(fields.tool_output),
    tool: { name, ...(exitCode !== undefined && { exitCode }) },
  });
}

export function isResultBlock(block: unknown): block is Fields {
  return isFields(block) && typeof block.type === "string" && block.type.endsWith("tool_result");
}

export function isCallBlock(block: unknown): block is Fields {
  return isFields(block) && typeof block.type === "string" && block.type.endsWith("tool_use");
}

const UNKNOWN_TOOL = "tool";
const MAX_OPEN_CALLS = 200;

function keepCall(calls: Map<string, string>, callId: string, name: string): void {
  calls.set(callId, name);
  if (calls.size <= MAX_OPEN_CALLS) return;
  for (const oldest of calls.keys()) {
    calls.delete(oldest);
    return;
  }
}

function bareOutput(output: unknown): string {
  const fields = fieldsOf(output);
  const text = contentText(fields.output ?? fields.content ?? output);
  return (text === "" ? describeToolInput("", output).text : text).trim();
}
