import { fieldsOf, isFields, textOf } from "../fields.ts";
import { contentText } from "./content.ts";
import { contentOf, type Line } from "./line.ts";
import { isCallBlock, isResultBlock, sayCall, sayResult, type ToolContext } from "./tools.ts";
import { modelOf } from "./usage.ts";

/** Says the blocks of an assistant line as they come: one, but for rare lines. */
export function sayAssistant(line: Line, context: ToolContext): void {
  const content = contentOf(line.fields);
  const model = modelOf(fieldsOf(line.fields.message));
  for (const block of Array.isArray(content) ? content : [content]) {
    if (isCallBlock(block)) sayCall(line, block, context, model);
    else if (isResultBlock(block)) sayResult(line, block, undefined, context);
    else sayProse(line, block, model);
  }
}

/** What the harness writes for a turn without an answer. */
const NO_RESPONSE = "No response requested.";
const NO_CONTENT = "(no content)";

function sayProse(line: Line, block: unknown, model: string | undefined): void {
  const by = model === undefined ? {} : { model };
  if (isFields(block) && block.type === "thinking") {
    // Newer models leave only a signature.
    line.say({ role: "assistant", part: "thinking", text: (textOf(block.thinking) ?? "").trim(), ...by });
    return;
  }
  const text = contentText(block).trim();
  if (text === NO_CONTENT) return;
  const isHarness = line.fields.isApiErrorMessage === true || (model === undefined && text === NO_RESPONSE);
  if (isHarness) line.say({ role: "system", part: "notice", text });
  else line.say({ role: "assistant", part: "text", text, ...by });
}
