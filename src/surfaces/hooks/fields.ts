import type { HookInput, HookTool } from "./event.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The first of these fields that holds a text with something in it. */
function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of fields under which agents say the same. */
export interface Names {
  readonly session: readonly string[];
  readonly paths: readonly string[];
  readonly folder: readonly string[];
  readonly prompt: readonly string[];
  readonly tool: readonly string[];
  readonly toolInput: readonly string[];
}

/** As Claude Code names them, and all that took that over. */
export const SNAKE: Names = {
  session: ["session_id"],
  paths: ["transcript_path", "agent_transcript_path"],
  folder: ["cwd"],
  prompt: ["prompt"],
  tool: ["tool_name"],
  toolInput: ["tool_input"],
};

export function inputOf(fields: Fields, names: Names): HookInput {
  const session = textIn(fields, ...names.session);
  const folder = textIn(fields, ...names.folder);
  const prompt = textIn(fields, ...names.prompt);
  // Gemini CLI called it `trigger` once.
  const source = textIn(fields, "source", "trigger");
  const tool = textIn(fields, ...names.tool);
  const input = names.toolInput.map((name) => fields[name]).find((value) => value !== undefined);
  return {
    paths: names.paths.flatMap((name) => textIn(fields, name) ?? []),
    ...(session !== undefined && { session }),
    ...(folder !== undefined && { folder }),
    ...(prompt !== undefined && { prompt }),
    ...(source !== undefined && { source: source.toLowerCase() }),
    ...(tool !== undefined && { tool: toolOf(tool, input) }),
  };
}

/** What a tool is about to change or run. Some agents hand over what the model wrote, as text. */
function toolOf(name: string, given: unknown): HookTool {
  const input = parsed(given);
  const fields = isFields(input) ? input : {};
  const command = SHELL.test(name) ? commandIn(fields) : undefined;
  return { name, files: CHANGES.test(name) ? filesIn(input, fields) : [], ...(command !== undefined && { command }) };
}

const SHELL = /bash|shell|exec|command|terminal/i;
const CHANGES = /edit|write|patch|replace|create|insert/i;

function commandIn(fields: Fields): string | undefined {
  const { command = fields.cmd } = fields;
  if (Array.isArray(command)) return command.filter((word) => typeof word === "string").join(" ");
  return typeof command === "string" ? command : undefined;
}

function filesIn(input: unknown, fields: Fields): readonly string[] {
  const named = textIn(fields, "file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file");
  const patch = typeof input === "string" ? input : textIn(fields, "patch", "input", "command", "patchText");
  const patched = [...(patch ?? "").slice(0, PATCH_CHARS).matchAll(PATCHED)].map(([, path]) => path?.trim() ?? "");
  return [...new Set([...(named === undefined ? [] : [named]), ...patched])].filter(Boolean).slice(0, MOST_FILES);
}

const PATCH_CHARS = 100_000;
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
const MOST_FILES = 20;

function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
