import { asFields, type Fields, fieldsOf, hashOf, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import {
  type Call,
  callOf,
  commandMark,
  describeCall,
  describeChanges,
  fileMark,
  searchResults,
  searchText,
  toolMark,
  toolName,
} from "./calls.ts";
import { contentText, decodeOutput, type Output, outputFields } from "./output.ts";
import { CHANNEL, type Channel } from "./progress.ts";
import { partText, readUserMessage } from "./prompt.ts";
import { reviewFindings } from "./review.ts";
import type { Scribe } from "./scribe.ts";
import { durationOf, pathOf } from "./values.ts";

const CHAN = CHANNEL.completed;

/** Reads a completed item of a paginated rollout. False where the type isn't known. */
export function readTurnItem(item: Fields, scribe: Scribe): boolean {
  switch (item.type) {
    case "UserMessage":
      readUserItem(item, scribe);
      return true;
    case "AgentMessage":
      for (const part of listOf(item.content)) scribe.assistant(partText(part) ?? "", "text", CHAN);
      return true;
    case "Plan":
      scribe.assistant(textOf(item.text) ?? "", "text", CHAN);
      return true;
    case "Reasoning":
      for (const text of [...listOf(item.summary_text), ...listOf(item.raw_content)]) {
        scribe.assistant(textOf(text) ?? "", "thinking", CHAN);
      }
      return true;
    case "HookPrompt":
      scribe.notice(
        listOf(item.fragments)
          .map((part) => partText(part) ?? "")
          .join("\n"),
        CHAN,
      );
      return true;
    case "CommandExecution":
      readCommand(nameOf(item.id), item, CHAN, scribe);
      return true;
    case "FileChange":
      readFileChange(nameOf(item.id), item, CHAN, scribe);
      return true;
    case "McpToolCall":
      readMcpCall(nameOf(item.id), item, item, CHAN, scribe);
      return true;
    case "DynamicToolCall":
    case "CollabAgentToolCall":
      readDynamicCall(item, scribe);
      return true;
    case "FunctionCallOutput":
      readOutputItem(item, scribe);
      return true;
    case "WebSearch":
      readSearch(item, CHAN, scribe);
      return true;
    case "ImageGeneration":
      readImage(item, scribe);
      return true;
    case "Extension":
      return readExtension(item, scribe);
    case "EnteredReviewMode":
      scribe.notice(`Review: ${textOf(item.user_facing_hint) ?? "started"}`, CHAN);
      return true;
    case "ExitedReviewMode":
      reviewFindings(item.review_output, CHAN, scribe);
      return true;
    case "ContextCompaction":
      scribe.notice("Context compacted", CHAN);
      return true;
    default:
      return SILENT.has(item.type);
  }
}

/**
 * A shell command with its output. Passed over where a response item says the same, as one always does of commands
 * that the user runs.
 */
export function readCommand(id: string | undefined, item: Fields, channel: Channel, scribe: Scribe): void {
  const { command, source } = item;
  if (isCalled(id, scribe) || source === "user_shell" || source === "userShell") return;
  const { text, tool } = describeCall("exec_command", { command }, id);
  const exitCode = numberOf(item.exit_code);
  if (isScripted(tool.commands?.map(commandMark) ?? [], scribe)) {
    if (exitCode !== undefined) scribe.progress.endInScript(exitCode);
    return;
  }
  const reads = listOf(item.parsed_cmd)
    .map(fieldsOf)
    .filter(({ type }) => type === "read");
  const files = reads.map(({ path }) => pathOf(path)).filter((path) => path !== undefined);
  const touched = [...(tool.files ?? []), ...files.map((path) => ({ path, changed: false }))];
  const output = textOf(item.aggregated_output) ?? decodeOutput({ stdout: item.stdout, stderr: item.stderr }).text;
  tell(
    callOf(tool.name, text, id, touched, tool.commands),
    { text: output, ...(exitCode !== undefined && { exitCode }) },
    item,
    channel,
    scribe,
  );
}

/** A patch and what became of it. */
export function readFileChange(id: string | undefined, item: Fields, channel: Channel, scribe: Scribe): void {
  if (isCalled(id, scribe)) return;
  const { text, files } = describeChanges(item.changes);
  const marks = files.map(({ path }) => fileMark(path));
  if (isScripted(marks, scribe)) return;
  const output = decodeOutput({ stdout: item.stdout ?? "", stderr: item.stderr });
  const isError = item.success === false || undefined;
  tell(callOf("apply_patch", text, id, files), { ...output, ...(isError && { isError }) }, item, channel, scribe);
}

/** `invocation` names server, tool and arguments; `item` holds what came of it. */
export function readMcpCall(
  id: string | undefined,
  invocation: Fields,
  item: Fields,
  channel: Channel,
  scribe: Scribe,
): void {
  const server = textOf(invocation.server);
  const name = toolName(textOf(invocation.tool) ?? "tool", server === undefined ? undefined : `mcp__${server}`);
  if (isCalled(id, scribe) || isScripted([toolMark(name)], scribe)) return;
  const result = fieldsOf(item.result);
  const failure = textOf(result.Err) ?? textOf(fieldsOf(item.error).message);
  const output: Output = failure === undefined ? decodeOutput(result.Ok ?? result) : { text: failure, isError: true };
  tell(describeCall(name, invocation.arguments, id), output, item, channel, scribe);
}

/** A search, and the pages it found where they were kept. */
export function readSearch(item: Fields, channel: Channel, scribe: Scribe): void {
  const text = searchText(item.query, item.action);
  if (text !== "") scribe.call(text, { name: "web_search" }, channel);
  const results = searchResults(item.results);
  if (results !== "") scribe.result(results, { name: "web_search" }, channel);
}

/** Progress of things that are told elsewhere. */
const SILENT = new Set<unknown>(["ImageView", "Sleep", "SubAgentActivity"]);

function readUserItem(item: Fields, scribe: Scribe): void {
  const { prompt, injected, summary } = readUserMessage(listOf(item.content));
  scribe.notice(injected.join("\n"), CHAN);
  if (summary !== undefined) scribe.summary(summary, CHAN);
  scribe.prompt(prompt, CHAN);
}

function readDynamicCall(item: Fields, scribe: Scribe): void {
  const id = nameOf(item.id);
  const name = toolName(textOf(item.tool) ?? "tool", item.namespace);
  if (isCalled(id, scribe) || isScripted([toolMark(name)], scribe)) return;
  const output = { text: textOf(item.error) ?? contentText(listOf(item.content_items)) };
  tell(describeCall(name, item.arguments ?? { prompt: item.prompt }, id), output, item, CHAN, scribe);
}

function readOutputItem(item: Fields, scribe: Scribe): void {
  const id = nameOf(item.call_id) ?? nameOf(item.id);
  const name = scribe.progress.callName(id) ?? textOf(item.name) ?? "tool";
  const output = decodeOutput(item.output);
  scribe.result(output.text, { name, ...(id !== undefined && { callId: id }), ...outputFields(output) }, CHAN);
}

function readExtension(item: Fields, scribe: Scribe): boolean {
  const { kind } = item;
  if (kind === "sleep") return true;
  if (textOf(item.query) !== undefined || asFields(item.action) !== undefined) readSearch(item, CHAN, scribe);
  else if (textOf(item.revised_prompt) !== undefined) readImage(item, scribe);
  else return false;
  return true;
}

function readImage(item: Fields, scribe: Scribe): void {
  const text = textOf(item.revised_prompt) ?? "";
  scribe.call(text, { name: "image_generation" }, CHAN, `image_generation:${hashOf(text)}`);
}

/** True where a response item made the call. */
function isCalled(id: string | undefined, scribe: Scribe): boolean {
  return scribe.progress.callName(id) !== undefined;
}

/** True where a script that a response item holds says all of it. */
function isScripted(marks: readonly string[], { progress }: Scribe): boolean {
  return marks.length > 0 && marks.every((mark) => progress.isInScript(mark));
}

function tell(call: Call, output: Output, item: Fields, channel: Channel, scribe: Scribe): void {
  const { name, callId } = call.tool;
  const durationMs = output.durationMs ?? durationOf(item.duration);
  const isError = output.isError === true || item.status === "failed" || item.status === "declined";
  const outcome = outputFields({
    ...output,
    ...(durationMs !== undefined && { durationMs }),
    ...(isError && { isError }),
  });
  scribe.call(call.text, call.tool, channel);
  scribe.result(output.text, { name, ...(callId !== undefined && { callId }), ...outcome }, channel);
}
