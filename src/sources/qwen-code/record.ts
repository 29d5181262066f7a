import { asFields, type Fields, fieldsOf, textOf } from "../fields.ts";
import { partsOf } from "../gemini-format/parts.ts";
import type { Emit, Scribe } from "../gemini-format/scribe.ts";
import { callSaying, resultSaying } from "../gemini-format/tools.ts";
import { isReadyMade } from "../gemini-format/user-text.ts";
import type { Memory } from "./memory.ts";
import { readSystem } from "./system.ts";
import { usageOf } from "./usage.ts";
import { readUser } from "./user.ts";

/** Tells what one line says. */
export function readRecord(record: Fields, scribe: Scribe, memory: Memory, emit: Emit): void {
  switch (record.type) {
    case "user":
      readUser(record, scribe);
      return;
    case "assistant":
      readAssistant(record, scribe);
      return;
    case "tool_result":
      readResults(record, scribe);
      return;
    case "system":
      readSystem(record, scribe, memory, emit);
      return;
    default:
      scribe.skipUnknown(record.type);
  }
}

function readAssistant(record: Fields, scribe: Scribe): void {
  const model = textOf(record.model);
  const by = model === undefined ? {} : { model };
  const parts = partsOf(fieldsOf(record.message).parts);
  for (const part of parts) {
    if (part.kind === "thought") scribe.say({ role: "assistant", part: "thinking", text: part.text, ...by });
  }
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  if (!isReadyMade(text)) scribe.say({ role: "assistant", part: "text", text, ...by });
  for (const part of parts) if (part.kind === "call") scribe.call(callSaying(part.fields), by);
  const usage = usageOf(asFields(record.usageMetadata));
  if (usage !== undefined) scribe.usage(usage, model);
}

/** A line holds one result but for rare ones; `toolCallResult` tells how the call went. */
function readResults(record: Fields, scribe: Scribe): void {
  const content = fieldsOf(record.message).parts;
  const call = fieldsOf(record.toolCallResult);
  const outcome = { status: call.status, display: call.resultDisplay, durationMs: call.durationMs };
  const responses = partsOf(content).flatMap((part) => (part.kind === "response" ? [part.fields] : []));
  if (responses.length === 0) scribe.result(resultSaying({ id: call.callId, name: call.name }, content, outcome));
  else if (responses.length === 1) {
    for (const { id, name } of responses)
      scribe.result(resultSaying({ id: id ?? call.callId, name }, content, outcome));
  } else for (const fields of responses) scribe.result(resultSaying(fields, { functionResponse: fields }));
}
