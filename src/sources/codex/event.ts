import { asFields, type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { CHANNEL } from "./progress.ts";
import { readUserMessage } from "./prompt.ts";
import { reviewFindings } from "./review.ts";
import type { Scribe } from "./scribe.ts";
import { readCommand, readFileChange, readMcpCall, readSearch, readTurnItem } from "./turn-item.ts";
import { readTokenCount } from "./usage.ts";
import { pathOf } from "./values.ts";

const CHAN = CHANNEL.event;

/** Reads an event: what Codex showed to its user. False where the type isn't known. */
export function readEvent(event: Fields, scribe: Scribe): boolean {
  const { progress } = scribe;
  switch (event.type) {
    case "user_message":
      readUserMessageEvent(event, scribe);
      return true;
    case "agent_message":
      scribe.assistant(textOf(event.message) ?? "", "text", CHAN);
      return true;
    case "agent_reasoning":
    case "agent_reasoning_raw_content":
      scribe.assistant(textOf(event.text) ?? "", "thinking", CHAN);
      return true;
    case "token_count":
      readTokenCount(event.info, scribe);
      return true;
    case "task_started":
    case "turn_started":
      progress.enterTurn(nameOf(event.turn_id));
      return true;
    case "task_complete":
    case "turn_complete":
      readTurnEnd(event, scribe);
      return true;
    case "item_completed":
      return readCompleted(event, scribe);
    case "exec_command_end":
      readCommand(nameOf(event.call_id), event, CHAN, scribe);
      return true;
    case "patch_apply_end":
      readFileChange(nameOf(event.call_id), event, CHAN, scribe);
      return true;
    case "mcp_tool_call_end":
      readMcpCall(nameOf(event.call_id), fieldsOf(event.invocation), event, CHAN, scribe);
      return true;
    case "web_search_end":
      readSearch(event, CHAN, scribe);
      return true;
    case "thread_name_updated":
      readThreadName(event, scribe);
      return true;
    case "thread_settings_applied":
      readSettings(fieldsOf(event.thread_settings), scribe);
      return true;
    case "exited_review_mode":
      reviewFindings(event.review_output, CHAN, scribe);
      return true;
    default:
      return readNotice(event, scribe) || SILENT.has(event.type);
  }
}

/** Progress reports, requests, and events whose content stands in another record. */
const SILENT = new Set<unknown>([
  "agent_message_content_delta",
  "agent_message_delta",
  "agent_reasoning_delta",
  "agent_reasoning_section_break",
  "apply_patch_approval_request",
  "background_event",
  "collab_agent_interaction_begin",
  "collab_agent_interaction_end",
  "collab_agent_spawn_begin",
  "collab_agent_spawn_end",
  "collab_close_begin",
  "collab_close_end",
  "collab_resume_begin",
  "collab_resume_end",
  "collab_waiting_begin",
  "collab_waiting_end",
  "deprecation_notice",
  "dynamic_tool_call_request",
  "dynamic_tool_call_response",
  "elicitation_request",
  "exec_approval_request",
  "exec_command_begin",
  "exec_command_output_delta",
  "guardian_assessment",
  "guardian_warning",
  "hook_completed",
  "hook_started",
  "image_generation_begin",
  "image_generation_end",
  "item_started",
  "mcp_startup_complete",
  "mcp_startup_update",
  "mcp_tool_call_begin",
  "model_reroute",
  "patch_apply_begin",
  "plan_delta",
  "plan_update",
  "raw_response_item",
  "request_user_input",
  "session_configured",
  "shutdown_complete",
  "sub_agent_activity",
  "turn_diff",
  "view_image_tool_call",
  "web_search_begin",
]);

function readUserMessageEvent(event: Fields, scribe: Scribe): void {
  const pictures = listOf(event.images).length + listOf(event.local_images).length;
  const { prompt, injected, summary } = readUserMessage([textOf(event.message) ?? ""]);
  scribe.notice(injected.join("\n"), CHAN);
  if (summary !== undefined) scribe.summary(summary, CHAN);
  scribe.prompt({ ...prompt, images: pictures }, CHAN);
}

/** The last answer is told again at the end of its turn. Only where nothing was told before is that the first copy. */
function readTurnEnd(event: Fields, scribe: Scribe): void {
  if (scribe.progress.isUnanswered) scribe.assistant(textOf(event.last_agent_message) ?? "", "text", CHAN);
  const failure = textOf(fieldsOf(event.error).message);
  if (failure !== undefined) scribe.notice(`Error: ${failure}`, CHAN);
}

function readCompleted(event: Fields, scribe: Scribe): boolean {
  const item = asFields(event.item);
  if (item === undefined) return false;
  scribe.progress.enterTurn(nameOf(event.turn_id));
  if (!readTurnItem(item, scribe)) scribe.skipUnknown(item.type, "item_completed");
  return true;
}

/** Names in copied history are another session's. */
function readThreadName(event: Fields, scribe: Scribe): void {
  const { session, setting } = scribe.progress;
  const name = textOf(event.thread_name);
  if (name === undefined || (nameOf(event.thread_id) ?? setting.scope) !== session) return;
  scribe.emit({ kind: "title", title: "custom", text: name });
}

function readSettings(settings: Fields, scribe: Scribe): void {
  const { setting } = scribe.progress;
  setting.model = nameOf(settings.model) ?? setting.model;
  setting.cwd = pathOf(settings.cwd) ?? setting.cwd;
}

function readNotice(event: Fields, scribe: Scribe): boolean {
  const text = noticeText(event);
  if (text === undefined) return false;
  scribe.notice(text, CHAN);
  return true;
}

function noticeText(event: Fields): string | undefined {
  switch (event.type) {
    case "context_compacted":
      return "Context compacted";
    case "turn_aborted":
      return `Turn aborted: ${textOf(event.reason) ?? "no reason given"}`;
    case "thread_rolled_back":
      return `Turns rolled back: ${numberOf(event.num_turns) ?? "?"}`;
    case "undo_completed":
      return `Undo: ${textOf(event.message) ?? (event.success === true ? "done" : "failed")}`;
    case "entered_review_mode":
      return `Review: ${textOf(event.user_facing_hint) ?? "started"}`;
    case "error":
    case "stream_error":
    case "warning":
      return `Error: ${textOf(event.message) ?? textOf(fieldsOf(event.error).message) ?? "no message"}`;
    case "thread_goal_updated":
      return goalText(fieldsOf(event.goal));
    default:
      return undefined;
  }
}

function goalText({ status, objective }: Fields): string {
  return `Goal (${textOf(status) ?? "set"}): ${textOf(objective) ?? ""}`;
}
