import { type Fields, fieldsOf, listOf } from "../fields.ts";
import { contentText, sayContent, toolInput } from "./content.ts";
import { readToolContent } from "./outcome.ts";
import type { Place } from "./place.ts";
import { readText } from "./said.ts";
import type { Scribe } from "./scribe.ts";

/**
 * Reads a record of Kimi CLI's context file: what the model is sent, `{role, content, …}` without times. `after` is the
 * role of the record before.
 */
export function readContext(record: Fields, after: unknown, place: Place, scribe: Scribe): void {
  switch (record.role) {
    case "user":
      readUser(record.content, after, place, scribe);
      return;
    case "assistant":
      sayContent(record.content, scribe);
      for (const call of listOf(record.tool_calls).map(fieldsOf)) {
        const called = fieldsOf(call.function);
        scribe.call(call.id, called.name, toolInput(called.arguments));
      }
      return;
    case "tool":
      scribe.result(record.tool_call_id, readToolContent(record.content));
      return;
    case "system":
    case "developer":
      scribe.notice(contentText(record.content));
      return;
    default:
      if (!SILENT.has(record.role)) scribe.skipUnknown(record.role, "context");
  }
}

const SILENT = new Set<unknown>(["_system_prompt", "_checkpoint", "_usage"]);

function readUser(content: unknown, after: unknown, place: Place, scribe: Scribe): void {
  // Pictures that a tool returned are put behind it in the user's name.
  if (after === "tool" && Array.isArray(content) && content.every((part) => fieldsOf(part).type !== "text")) return;
  const { kind, text } = readText(contentText(content));
  if (kind === "summary") scribe.summary(text);
  else if (kind === "notice") scribe.notice(text);
  else if (place.agent === undefined) scribe.human(text);
  else scribe.task(text);
}
