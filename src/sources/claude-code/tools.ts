import { keepCall, takeCall } from "../bounded.ts";
import { type Fields, fieldsOf, isFields, numberOf, textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import { describeToolCall, describeToolInput } from "../tool-use.ts";
import { contentText } from "./content.ts";
import type { Line } from "./line.ts";
import { readSidecar } from "./sidecar.ts";
import { readOutcome } from "./tool-result.ts";

/** What tool lines need beyond themselves. */
export interface ToolContext {
  /** Tool names of calls without a result yet: a result does not name its tool. */
  readonly calls: Map<string, string>;
  readonly companion: string | undefined;
  readonly sidecars: Sidecars;
}

/** A `tool_use` block. A tool without input is told by its name. */
export function sayCall(line: Line, block: Fields, context: ToolContext, model: string | undefined): void {
  const name = textOf(block.name) ?? UNKNOWN_TOOL;
  const callId = textOf(block.id);
  keepCall(context.calls, callId, name);
  const call = describeToolCall(name, callId, block.input);
  line.say({ role: "tool", part: "call", ...call, ...(model !== undefined && { model }) });
}

/** A `tool_result` block; `detail` is the line's `toolUseResult`. */
export function sayResult(line: Line, block: Fields, detail: unknown, context: ToolContext): void {
  const callId = textOf(block.tool_use_id);
  const name = takeCall(context.calls, callId) ?? UNKNOWN_TOOL;
  const { text, ...outcome } = readOutcome(block, detail);
  line.say({
    role: "tool",
    part: "result",
    text: readSidecar(text, context.companion, context.sidecars)?.trimEnd() || text,
    tool: { name, ...(callId !== undefined && { callId }), ...outcome },
  });
}

/** A line of the `transcripts` folder, where a call and its result each stand bare and bear no ids. */
export function sayBareTool(line: Line): void {
  const { fields } = line;
  const name = textOf(fields.tool_name) ?? UNKNOWN_TOOL;
  if (fields.type === "tool_use") {
    line.say({ role: "tool", part: "call", ...describeToolCall(name, undefined, fields.tool_input) });
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

function bareOutput(output: unknown): string {
  const fields = fieldsOf(output);
  const text = contentText(fields.output ?? fields.content ?? output);
  return (text === "" ? describeToolInput("", output).text : text).trim();
}
