import { isOwnTool } from "../../core/own-tools.ts";
import type { FileTouch, ToolUse } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, hashOf, listOf, textOf } from "../fields.ts";
import { describeToolInput, toolUse } from "../tool-use.ts";
import { readScript } from "./code-mode.ts";
import type { Progress } from "./progress.ts";
import { pathOf } from "./values.ts";

/** A tool call, ready to be told. */
export interface Call {
  readonly text: string;
  readonly tool: ToolUse;
}

/** A call by its name and decoded input. */
export function describeCall(name: string, input: unknown, callId: string | undefined): Call {
  const own = ownText(name, asFields(input));
  if (own !== undefined) return callOf(name, own, callId);
  const { text, files, commands } = describeToolInput(name, input);
  const script = name === CODE_MODE && typeof input === "string" ? readScript(input) : undefined;
  return callOf(name, text, callId, script?.files ?? files, script?.commands ?? commands);
}

/** A call whose text, files and commands are known. */
export function callOf(
  name: string,
  text: string,
  callId: string | undefined,
  files?: readonly FileTouch[],
  commands?: readonly string[],
): Call {
  return { text, tool: toolUse(name, callId, files, commands) };
}

/** MCP tools are told with their server, as other agents name them. */
export function toolName(name: string, namespace: unknown): string {
  const prefix = textOf(namespace);
  if (prefix === undefined || !prefix.startsWith("mcp__") || name.startsWith("mcp__")) return name;
  return prefix.endsWith("__") ? prefix + name : `${prefix}__${name}`;
}

/** What a web search looked for: the same words whichever record tells of it. `query` may be abridged for display. */
export function searchText(query: unknown, action: unknown): string {
  const fields = fieldsOf(action);
  const asked = [fields.query, ...listOf(fields.queries), fields.url, fields.pattern];
  const told = asked.filter((text) => textOf(text) !== undefined);
  return [...new Set(told.length === 0 && textOf(query) !== undefined ? [query] : told)].join("\n");
}

/** Titles, addresses and excerpts of the pages a search found. */
export function searchResults(results: unknown): string {
  return listOf(results)
    .map(fieldsOf)
    .map(resultText)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Files of `{path: {type, unified_diff | content, move_path}}`, and the changes as text. */
export function describeChanges(changes: unknown): { readonly text: string; readonly files: readonly FileTouch[] } {
  const files: FileTouch[] = [];
  const texts: string[] = [];
  for (const [path, change] of Object.entries(fieldsOf(changes))) {
    const fields = fieldsOf(change);
    const movedTo = pathOf(fields.move_path);
    files.push({ path, changed: true }, ...(movedTo === undefined ? [] : [{ path: movedTo, changed: true }]));
    texts.push([path, textOf(fields.unified_diff) ?? textOf(fields.content) ?? ""].join("\n").trim());
  }
  return { text: texts.join("\n\n"), files };
}

/** A code-mode script's own calls come again as completed items; what it says is kept to know them. */
export function rememberScript(progress: Progress, name: string, input: unknown): void {
  if (name !== CODE_MODE || typeof input !== "string") return;
  const { commands, files, tools } = readScript(input);
  progress.beginScript();
  for (const command of commands) progress.rememberInScript(commandMark(command));
  for (const { path } of files) progress.rememberInScript(fileMark(path));
  for (const tool of tools) progress.rememberInScript(toolMark(tool));
}

/** The tool of Yore that a code-mode script calls, if it does nothing else: then the call and its result are recall. */
export function soleOwnTool(name: string, input: unknown): string | undefined {
  if (name !== CODE_MODE || typeof input !== "string") return undefined;
  const { commands, files, tools } = readScript(input);
  return commands.length === 0 && files.length === 0 && tools.every(isOwnTool) ? tools[0] : undefined;
}

/** Stands for a command in what is remembered of scripts. */
export function commandMark(command: string): string {
  return `$${hashOf(command)}`;
}

/** By the last part alone: scripts name paths from the working folder, completed items from the root. */
export function fileMark(path: string): string {
  return `/${hashOf(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1))}`;
}

/** Stands for a tool, whatever its arguments. */
export function toolMark(name: string): string {
  return `.${hashOf(name)}`;
}

/** The tool that runs scripts. */
export const CODE_MODE = "exec";

/** Inputs of Codex's own tools that read better than their fields. */
function ownText(name: string, input: Fields | undefined): string | undefined {
  if (input === undefined) return undefined;
  if (name === "write_stdin") return textOf(input.chars) ?? "";
  if (name !== "update_plan" || !Array.isArray(input.plan)) return undefined;
  const steps = input.plan.map(fieldsOf).map(({ status, step }) => `[${textOf(status) ?? "?"}] ${textOf(step) ?? ""}`);
  return [textOf(input.explanation), ...steps].filter((line) => line !== undefined).join("\n");
}

function resultText({ title, url, snippet }: Fields): string {
  return [title, url, snippet].filter((text) => textOf(text) !== undefined).join("\n");
}
