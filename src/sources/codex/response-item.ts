import { asFields, type Fields, fieldsOf, hashOf, listOf, nameOf, parseJson, textOf } from "../fields.ts";
import { CODE_MODE, callOf, describeCall, rememberScript, searchText, soleOwnTool, toolName } from "./calls.ts";
import { readOddCall, readOddResult } from "./drift.ts";
import { decodeOutput, outputFields } from "./output.ts";
import { CHANNEL } from "./progress.ts";
import { isImage, partText, readUserMessage } from "./prompt.ts";
import type { Scribe } from "./scribe.ts";
import { learnCwd } from "./session-meta.ts";

const CHAN = CHANNEL.response;

/**
 * Reads a response item: what the model was sent and what it answered. The same shapes stand bare in files of 2025.
 * False where the type isn't known.
 */
export function readResponseItem(item: Fields, scribe: Scribe): boolean {
  scribe.progress.enterTurn(turnOf(item));
  switch (item.type) {
    case "message":
      readMessage(item, scribe);
      return true;
    case "reasoning":
      for (const part of [...listOf(item.summary), ...listOf(item.content)]) {
        scribe.assistant(partText(part) ?? "", "thinking", CHAN);
      }
      return true;
    case "function_call":
      readCall(item, parsedArguments(item.arguments), scribe);
      return true;
    case "custom_tool_call":
      readCall(item, item.input, scribe);
      return true;
    case "local_shell_call":
      readCall({ ...item, name: "local_shell" }, item.action, scribe);
      return true;
    case "tool_search_call":
      readCall({ ...item, name: "tool_search" }, parsedArguments(item.arguments), scribe);
      return true;
    case "function_call_output":
    case "custom_tool_call_output":
      readOutput(item, item.output, scribe);
      return true;
    case "tool_search_output":
      readOutput({ ...item, name: "tool_search" }, foundTools(item.tools), scribe);
      return true;
    case "web_search_call":
      readWebSearch(item, scribe);
      return true;
    case "image_generation_call":
      readImageGeneration(item, scribe);
      return true;
    case "agent_message":
      scribe.agentMessage(joined(listOf(item.content)), CHAN);
      return true;
    case "tool_call":
      readOddCall(item, scribe);
      return true;
    case "tool_result":
      readOddResult(item, scribe);
      return true;
    default:
      return SILENT.has(item.type);
  }
}

/** Settings and opaque blobs. */
const SILENT = new Set<unknown>([
  "additional_tools",
  "compaction",
  "compaction_trigger",
  "configuration_update",
  "context_compaction",
  "ghost_snapshot",
]);

/** Id of the turn an item says it belongs to. */
function turnOf(item: Fields): string | undefined {
  const passthrough = fieldsOf(item.internal_chat_message_metadata_passthrough);
  return nameOf(passthrough.turn_id) ?? nameOf(fieldsOf(item.metadata).turn_id);
}

function readMessage(item: Fields, scribe: Scribe): void {
  const content = typeof item.content === "string" ? [item.content] : listOf(item.content);
  if (item.role === "user") readUser(content, scribe);
  else if (item.role === "assistant") readAssistant(content, scribe);
  else scribe.notice(joined(content), CHAN);
}

function readUser(content: readonly unknown[], scribe: Scribe): void {
  const { prompt, injected, summary, cwd, shell } = readUserMessage(content);
  learnCwd(cwd, scribe);
  scribe.notice(injected.join("\n"), CHAN);
  if (summary !== undefined) scribe.summary(summary, CHAN);
  scribe.prompt(prompt, CHAN);
  if (shell !== undefined) readUserShell(shell.command, shell.result, scribe);
}

function readUserShell(command: string, result: string, scribe: Scribe): void {
  const { text, ...outcome } = decodeOutput(result);
  scribe.prompt({ text: `!${command}`, images: 0 }, CHAN);
  scribe.result(text, { name: "exec_command", ...outputFields({ text, ...outcome }) }, CHAN, `!:${hashOf(command)}`);
}

/** Part by part, as the events tell them. What events leave out is taken out, and the plan told apart, as they do. */
function readAssistant(content: readonly unknown[], scribe: Scribe): void {
  for (const part of content) {
    const text = partText(part) ?? (isImage(part) ? "[image]" : "");
    if (!text.includes("</")) scribe.assistant(text, "text", CHAN);
    else readTagged(text, scribe);
  }
}

function readTagged(text: string, scribe: Scribe): void {
  scribe.assistant(text.replace(CITATION, "").replace(PLAN, ""), "text", CHAN);
  for (const plan of text.matchAll(PLAN)) scribe.assistant(plan[1] ?? "", "text", CHAN);
}

const CITATION = /<oai-mem-citation>[\s\S]*?<\/oai-mem-citation>/g;
const PLAN = /<proposed_plan>([\s\S]*?)<\/proposed_plan>/g;

function readCall(item: Fields, input: unknown, scribe: Scribe): void {
  const called = toolName(textOf(item.name) ?? "tool", item.namespace);
  const callId = callIdOf(item);
  rememberScript(scribe.progress, called, input);
  const name = soleOwnTool(called, input) ?? called;
  if (callId !== undefined) scribe.progress.rememberCall(callId, name);
  const { text, tool } = describeCall(name, input, callId);
  scribe.call(text, tool, CHAN);
}

function readOutput(item: Fields, output: unknown, scribe: Scribe): void {
  const callId = callIdOf(item);
  const decoded = decodeOutput(output);
  const known = scribe.progress.callName(callId);
  const name = known ?? toolName(textOf(item.name) ?? "tool", item.namespace);
  const exitCode = decoded.exitCode ?? (name === CODE_MODE ? scribe.progress.scriptExit : undefined);
  const outcome = outputFields({ ...decoded, ...(exitCode !== undefined && { exitCode }) });
  scribe.result(decoded.text, { name, ...(callId !== undefined && { callId }), ...outcome }, CHAN);
}

/** Searches and pictures have an id in one record and none in the other, so they are known by what they say. */
function readWebSearch(item: Fields, scribe: Scribe): void {
  const text = searchText(undefined, item.action);
  const { tool } = callOf("web_search", text, undefined);
  if (text !== "") scribe.call(text, tool, CHAN);
}

function readImageGeneration(item: Fields, scribe: Scribe): void {
  const text = textOf(item.revised_prompt) ?? "";
  scribe.call(text, { name: "image_generation" }, CHAN, `image_generation:${hashOf(text)}`);
}

function callIdOf(item: Fields): string | undefined {
  return nameOf(item.call_id) ?? nameOf(item.id);
}

function parsedArguments(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return asFields(parseJson(value)) ?? value;
}

function foundTools(tools: unknown): string {
  const names = listOf(tools).flatMap((entry) => {
    const fields = fieldsOf(entry);
    return [textOf(fields.name), ...listOf(fields.tools).map((tool) => textOf(fieldsOf(tool).name))];
  });
  return names.filter((name) => name !== undefined).join("\n");
}

function joined(content: readonly unknown[]): string {
  return content.map((part) => partText(part) ?? "").join("\n");
}
