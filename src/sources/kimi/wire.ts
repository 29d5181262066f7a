import { type Fields, fieldsOf, textOf } from "../fields.ts";
import { contentText, sayPart, toolInput } from "./content.ts";
import { readOutcome } from "./outcome.ts";
import type { Place } from "./place.ts";
import type { Scribe } from "./scribe.ts";

/** Reads a record of Kimi CLI's wire log: what its interface was shown, `{timestamp, message: {type, payload}}`. */
export function readWire(record: Fields, place: Place, scribe: Scribe): void {
  if (HEADERS.has(record.type)) return;
  const { type, payload } = fieldsOf(record.message);
  if (type === undefined) scribe.skipMalformed("wire record without message");
  else if (!readMessage(type, fieldsOf(payload), place, scribe) && !SILENT.has(type)) scribe.skipUnknown(type, "wire");
}

const HEADERS = new Set<unknown>(["metadata", "hello"]);
/** The interface's own: progress, and requests whose outcome is told by what follows. */
const SILENT = new Set<unknown>([
  "ApprovalRequest",
  "CompactionBegin",
  "HookRequest",
  "HookTriggered",
  "MCPLoadingBegin",
  "MCPLoadingEnd",
  "MCPStatusSnapshot",
  "QuestionRequest",
  "QuestionResponse",
  "StepBegin",
  "StepRetry",
  "ToolCallPart",
  "ToolCallRequest",
  "TurnEnd",
]);

/** Gives false for a type that tells nothing. */
function readMessage(type: unknown, payload: Fields, place: Place, scribe: Scribe): boolean {
  switch (type) {
    case "TurnBegin":
    case "SteerInput":
      readPrompt(payload, place, scribe);
      return true;
    case "ContentPart":
      if (!sayPart(payload, scribe)) scribe.skipUnknown(payload.type, "part");
      return true;
    case "ToolCall": {
      const called = fieldsOf(payload.function);
      scribe.call(payload.id, called.name, toolInput(called.arguments));
      return true;
    }
    case "ToolResult":
      scribe.result(payload.tool_call_id, readOutcome(fieldsOf(payload.return_value)));
      return true;
    case "StatusUpdate":
      readStatus(payload, scribe);
      return true;
    case "SubagentEvent":
      readSubagentEvent(payload, scribe);
      return true;
    default:
      return readAside(type, payload, scribe);
  }
}

function readAside(type: unknown, payload: Fields, scribe: Scribe): boolean {
  switch (type) {
    case "ApprovalResponse":
    case "ApprovalRequestResolved":
      scribe.human(textOf(payload.feedback) ?? "");
      return true;
    case "BtwBegin":
      scribe.human(textOf(payload.question) ?? "");
      return true;
    case "BtwEnd":
      if (textOf(payload.error) === undefined) scribe.assistant(textOf(payload.response) ?? "", "text");
      else scribe.notice(`Side question failed: ${payload.error}`);
      return true;
    case "PlanDisplay":
      scribe.assistant(textOf(payload.content) ?? "", "text");
      return true;
    case "Notification":
      scribe.notice(lines(payload.title, payload.body));
      return true;
    case "HookResolved":
      if (payload.action === "block") scribe.notice(`Hook blocked: ${lines(payload.event, payload.reason)}`);
      return true;
    case "StepInterrupted":
      scribe.notice("Interrupted");
      return true;
    case "CompactionEnd":
      scribe.notice("Context compacted");
      return true;
    default:
      return false;
  }
}

function readPrompt(payload: Fields, place: Place, scribe: Scribe): void {
  const text = contentText(payload.user_input);
  if (place.agent === undefined) scribe.human(text);
  else scribe.task(text);
}

function readStatus(payload: Fields, scribe: Scribe): void {
  const usage = fieldsOf(payload.token_usage);
  if (Object.keys(usage).length > 0) scribe.usage(usage, textOf(payload.message_id), scribe.memory.model);
}

/** A subagent's events stand in its own wire too, except those of the subagents before there were ids. */
function readSubagentEvent(payload: Fields, scribe: Scribe): void {
  if (textOf(payload.agent_id) !== undefined) return;
  const event = fieldsOf(payload.event);
  if (event.type === "StatusUpdate") readStatus(fieldsOf(event.payload), scribe);
}

function lines(...texts: readonly unknown[]): string {
  return texts.filter((text) => textOf(text) !== undefined).join("\n");
}
