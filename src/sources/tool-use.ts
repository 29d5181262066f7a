import type { FileTouch, ToolUse } from "../core/session.ts";
import { type Fields, isFields, jsonOf, textOf } from "./fields.ts";

/** A tool's input as text to search in, and what it says of files and commands. */
export interface ToolInput {
  readonly text: string;
  readonly files: readonly FileTouch[];
  /** Commands as typed, without the shell that wrapped them. */
  readonly commands: readonly string[];
}

/**
 * Describes any tool input, of any agent. Tools are told apart by the shape of their input as much as by name,
 * since agents call the same thing `Bash`, `shell`, `exec_command` or `run_shell_command`.
 *
 * `input` is an object, a string (a patch, a script, or the JSON of an object), or anything else. Never throws.
 */
export function describeToolInput(name: string, input: unknown): ToolInput {
  if (typeof input === "string") return describeString(name, input);
  if (!isFields(input))
    return { text: input === null || input === undefined ? "" : jsonOf(input), files: [], commands: [] };
  const patch = patchOf(name, input);
  if (patch !== undefined) return describePatch(patch);
  const command = isEditorInput(input) ? undefined : commandOf(input);
  if (command !== undefined) return describeCommand(command, input);
  return describeFields(name, input);
}

/** A call of any agent's tool. One without input is told by the tool's name. */
export function describeToolCall(
  name: string,
  callId: string | undefined,
  input: unknown,
): { readonly text: string; readonly tool: ToolUse } {
  const { text, files, commands } = describeToolInput(name, input);
  return { text: text.trim() === "" ? name : text, tool: toolUse(name, callId, files, commands) };
}

/** A tool with what is known of one use of it. */
export function toolUse(
  name: string,
  callId: string | undefined,
  files: readonly FileTouch[] = [],
  commands: readonly string[] = [],
): ToolUse {
  return {
    name,
    ...(callId !== undefined && { callId }),
    ...(files.length > 0 && { files }),
    ...(commands.length > 0 && { commands }),
  };
}

const SHELL = /(^|[/\\])(ba|z|da|k|fi)?sh(\.exe)?$|(^|[/\\])(cmd|powershell|pwsh)(\.exe)?$/i;
const SHELL_FLAG = /^(-[a-z]*c|\/c|-command)$/i;
const PATCH_START = "*** Begin Patch";
const PATCH_FILE = /^\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$/gm;
const PATH_KEYS = ["file_path", "filePath", "notebook_path", "notebookPath", "absolute_path"] as const;
/** `path` alone may name a folder to search or an address, so it is a file only where the tool's name says so. */
const HANDLES_FILES = /edit|write|create|replace|patch|insert|delete|rename|move|read|view/i;
const CHANGES = /edit|write|create|replace|patch|insert|delete|rename|move/i;
const EDITOR_VERB = /^(view|create|str_replace|insert|undo_edit)$/;
const SEARCHES = /^(grep|glob|search|find)/i;

function describeString(name: string, input: string): ToolInput {
  if (input.includes(PATCH_START)) return describePatch(input);
  const first = input.trimStart().charAt(0);
  if (first === "{" || first === "[") {
    try {
      const parsed: unknown = JSON.parse(input);
      if (isFields(parsed)) return describeToolInput(name, parsed);
    } catch {
      // Not JSON: a script or plain text.
    }
  }
  return { text: input, files: [], commands: [] };
}

function describeCommand(command: string, input: Fields): ToolInput {
  const description = textOf(input.description);
  return {
    text: description === undefined ? command : `${command}\n${description}`,
    files: command.includes(PATCH_START) ? patchFiles(command) : [],
    commands: [command],
  };
}

function describePatch(patch: string): ToolInput {
  return { text: patch, files: patchFiles(patch), commands: [] };
}

function describeFields(name: string, input: Fields): ToolInput {
  const path = pathOf(name, input);
  const edits = editsOf(input);
  const changed = isEditorInput(input) ? input.command !== "view" : edits.length > 0 || CHANGES.test(name);
  return {
    text: fieldsText(name, input, path, edits),
    files: path === undefined ? [] : [{ path, changed }],
    commands: [],
  };
}

function fieldsText(name: string, input: Fields, path: string | undefined, edits: readonly string[]): string {
  if (path !== undefined && edits.length > 0) return [path, ...edits].join("\n");
  const content = textOf(input.content) ?? textOf(input.new_source);
  if (path !== undefined && content !== undefined) return `${path}\n${content}`;
  const pattern = textOf(input.pattern);
  if (pattern !== undefined && SEARCHES.test(name)) return lines(input, pattern, ["pattern"]);
  return path === undefined ? lines(input) : lines(input, path, [...PATH_KEYS, "path"]);
}

function pathOf(name: string, input: Fields): string | undefined {
  const path = PATH_KEYS.map((key) => textOf(input[key])).find((value) => value !== undefined);
  if (path !== undefined || SEARCHES.test(name)) return path;
  return HANDLES_FILES.test(name) || isEditorInput(input) ? textOf(input.path) : undefined;
}

/** The text editor tool of the model APIs: its `command` is a verb, not a shell command. */
function isEditorInput(input: Fields): boolean {
  const { command, path } = input;
  return typeof path === "string" && typeof command === "string" && EDITOR_VERB.test(command);
}

/** `key: value` lines below an opening line; `left` names keys the opening line already says. */
function lines(input: Fields, opening?: string, left: readonly string[] = []): string {
  const out = opening === undefined ? [] : [opening];
  for (const key of Object.keys(input)) {
    if (left.includes(key)) continue;
    const value = input[key];
    if (value === null || value === undefined || value === "") continue;
    out.push(`${key}: ${typeof value === "string" ? value : jsonOf(value)}`);
  }
  return out.join("\n");
}

/** Each edit as removed and added lines, the way a diff shows them. */
function editsOf(input: Fields): string[] {
  const edits = Array.isArray(input.edits) ? input.edits.filter(isFields) : [input];
  const out: string[] = [];
  for (const edit of edits) {
    const before = edit.old_string ?? edit.oldString ?? edit.old_str;
    const after = edit.new_string ?? edit.newString ?? edit.new_str;
    if (typeof before !== "string" && typeof after !== "string") continue;
    if (textOf(before) !== undefined) out.push(prefixed("-", String(before)));
    if (textOf(after) !== undefined) out.push(prefixed("+", String(after)));
  }
  return out;
}

function prefixed(sign: string, text: string): string {
  return sign + text.replaceAll("\n", `\n${sign}`);
}

function commandOf(input: Fields): string | undefined {
  const command = input.command ?? input.cmd;
  if (!Array.isArray(command)) return textOf(command);
  const words = command.filter((word) => typeof word === "string");
  const [shell = "", flag = "", script] = words;
  if (script !== undefined && SHELL.test(shell) && SHELL_FLAG.test(flag)) return textOf(script);
  return textOf(words.join(" "));
}

function patchOf(name: string, input: Fields): string | undefined {
  const { command } = input;
  if (Array.isArray(command) && command[0] === "apply_patch") return textOf(command[1]);
  const patch = textOf(input.input) ?? textOf(input.patch);
  if (patch === undefined) return undefined;
  return name === "apply_patch" || patch.includes(PATCH_START) ? patch : undefined;
}

function patchFiles(patch: string): FileTouch[] {
  return Array.from(patch.matchAll(PATCH_FILE), (match) => ({ path: (match[2] ?? "").trim(), changed: true }));
}
