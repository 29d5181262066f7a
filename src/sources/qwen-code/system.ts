import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { textsOf } from "../gemini-format/parts.ts";
import type { Emit, Scribe } from "../gemini-format/scribe.ts";
import { isReadyMade } from "../gemini-format/user-text.ts";
import type { Memory } from "./memory.ts";

/** Tells a `system` line, which is an event: what it holds depends on its subtype. */
export function readSystem(record: Fields, scribe: Scribe, memory: Memory, emit: Emit): void {
  const payload = fieldsOf(record.systemPayload);
  switch (record.subtype) {
    case "custom_title":
      readTitle(payload, memory, emit);
      return;
    case "parent_session":
      readParent(payload, memory, emit);
      return;
    case "slash_command":
      readCommand(payload, scribe);
      return;
    case "at_command":
      scribe.notice(mentioned(payload));
      return;
    case "chat_compression":
      readCompression(payload, scribe);
      return;
    case "rewind":
      scribe.notice(`Rewound: ${numberOf(payload.truncatedCount) ?? "some"} entries taken back`);
      return;
    case "background_task_completed":
      scribe.notice(textOf(payload.displayText) ?? "");
      return;
    case "turn_result":
      scribe.notice(failureOf(payload));
      return;
    default:
      if (!SILENT.has(record.subtype)) scribe.skipUnknown(record.subtype, "system");
  }
}

/** State that Qwen Code keeps for itself, and copies of what other lines hold. */
const SILENT = new Set<unknown>([
  "agent_bootstrap",
  "agent_launch_prompt",
  "agent_retry",
  "agent_session_ready",
  "attribution_snapshot",
  "branch_checkpoint",
  "file_history_snapshot",
  "goal_state",
  "goal_turn_end",
  "omni_recall",
  "session_approval_mode",
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_execution_engine",
  "session_model",
  "session_notes",
  "session_source",
  "session_sources_snapshot",
  "ui_telemetry",
  "user_text_elements",
]);

function readTitle({ customTitle, titleSource }: Fields, memory: Memory, emit: Emit): void {
  const text = textOf(customTitle)?.trim().slice(0, MAX_TITLE);
  const title = titleSource === "auto" ? "generated" : "custom";
  const told = `${title}:${text}`;
  if (!text || memory.title === told) return;
  memory.title = told;
  emit({ kind: "title", title, text });
}

const MAX_TITLE = 500;

/** A session may start another one. */
function readParent({ parentSessionId }: Fields, memory: Memory, emit: Emit): void {
  const session = nameOf(parentSessionId);
  if (session === undefined || memory.hasParent) return;
  memory.hasParent = true;
  emit({ kind: "session", parent: { session, relation: "subagent" } });
}

/** Of a command that went to the model a `user` line tells. */
function readCommand(
  { phase, rawCommand, sentToModel, hiddenInvocation, outputHistoryItems }: Fields,
  scribe: Scribe,
): void {
  if (phase === "result") scribe.notice(listOf(outputHistoryItems).map(shownText).filter(Boolean).join("\n"));
  else if (sentToModel !== true && hiddenInvocation !== true) scribe.prompt(textOf(rawCommand) ?? "");
}

function shownText(item: unknown): string {
  return isFields(item) ? (textOf(item.text) ?? "") : "";
}

function mentioned({ filesRead }: Fields): string {
  const files = listOf(filesRead).flatMap((file) => textOf(file) ?? []);
  return files.length === 0 ? "" : `Mentioned: ${files.join(", ")}`;
}

/**
 * The history that goes to the model from here on begins with the summary and a ready-made answer to it. It holds no
 * summary where only results were cut.
 */
function readCompression({ compressedHistory }: Fields, scribe: Scribe): void {
  const openings = listOf(compressedHistory)
    .slice(0, 4)
    .map((content) => textsOf(fieldsOf(content).parts)[0] ?? "");
  const text = openings.find((said, at) => said.includes("<state_snapshot>") || isReadyMade(openings[at + 1] ?? ""));
  if (text === undefined) scribe.notice("Context compressed");
  else scribe.say({ role: "summary", part: "text", text });
}

function failureOf({ state, error }: Fields): string {
  if (state === "cancelled") return "Turn cancelled";
  return state === "error" ? `Turn failed: ${textOf(fieldsOf(error).message) ?? "no reason given"}` : "";
}
