import type { ToolUse } from "../../core/session.ts";
import {
  asFields,
  type Fields,
  fieldsOf,
  hashOf,
  isFields,
  jsonOf,
  listOf,
  numberOf,
  parseJson,
  textOf,
} from "../fields.ts";
import { describeToolCall } from "../tool-use.ts";

/** A call as one of the stores tells it. */
export interface CursorCall {
  readonly name: string;
  readonly callId?: string | undefined;
  readonly input: unknown;
}

/** What came of a call. */
export type Outcome = Pick<ToolUse, "isError" | "exitCode" | "durationMs"> & { readonly text: string };

/** A call of an MCP tool as `mcp__server__tool` with the tool's own input; any other as it is. */
export function plainCall({ name, callId, input }: CursorCall): CursorCall {
  const fields = fieldsOf(input);
  const tool = asFields(listOf(fields.tools)[0]);
  const server = textOf(tool?.serverName) ?? textOf(fields.server) ?? textOf(fields.serverName);
  const called = textOf(tool?.name) ?? textOf(fields.toolName);
  if (server === undefined || called === undefined) return { name, callId, input };
  const own = tool?.parameters ?? fields.arguments ?? fields.args ?? {};
  const parsed = typeof own === "string" ? (parseJson(own) ?? own) : own;
  const isJoined = called.startsWith("mcp__") || called.includes(`${server}__`);
  return { name: isJoined ? called : `mcp__${server}__${called}`, callId, input: parsed };
}

/** `key` is the same for one call in all stores, which name tools and their fields differently. */
export function describeCall(call: CursorCall): {
  readonly text: string;
  readonly tool: ToolUse;
  readonly key: string;
} {
  const { name, callId, input } = call;
  const described = describeToolCall(name, callId, commonInput(name, input));
  return { ...described, key: keyOf(name, input, described.tool) };
}

/** The outcome that a result's value tells. Stores hold it as a text, as JSON in a text, or as an object. */
export function outcomeOf(result: unknown): Outcome {
  const value = typeof result === "string" ? (parseJson(result) ?? result) : result;
  const text = resultText(value).trimEnd();
  if (!isFields(value)) {
    const exitCode = /^Exit code: (-?\d+)/.exec(text)?.[1];
    return { text, ...(exitCode !== undefined && { exitCode: Number(exitCode), ...(exitCode !== "0" && FAILED) }) };
  }
  const nested = [value, fieldsOf(value.output), fieldsOf(value.success), fieldsOf(value.failure)];
  const inner = [...nested, fieldsOf(fieldsOf(value.output).success), fieldsOf(fieldsOf(value.output).failure)];
  const find = (...keys: readonly string[]): number | undefined =>
    inner.flatMap((fields) => keys.flatMap((key) => numberOf(fields[key]) ?? []))[0];
  const exitCode = find("exitCode", "exitCodeV2", "exit_code");
  const durationMs = find("localExecutionTimeMs", "executionTimeMs", "executionTime");
  const isError =
    inner.some((fields) => fields.isError === true || fields.rejected === true || isFields(fields.failure)) ||
    textOf(value.error) !== undefined ||
    (exitCode !== undefined && exitCode !== 0);
  return {
    text,
    ...(isError && FAILED),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && durationMs > 0 && { durationMs: Math.round(durationMs) }),
  };
}

const FAILED = { isError: true } as const;
/** Names of a file's path, the first that is there counts. */
const PATHS = ["file_path", "filePath", "path", "target_file", "targetFile", "relativeWorkspacePath", "effectiveUri"];
const CONTENTS = ["content", "contents", "code_edit", "codeEdit", "fileText"];
const QUESTIONS = ["pattern", "glob_pattern", "globPattern", "query", "search_term", "searchTerm", "url", "prompt"];
const HANDLES_FILES = /read_?file|^read$|edit|write|create|replace|delete|reapply|patch|notebook/i;
const HANDLES_NO_FILES = /todo|plan|memory|lint|terminal|shell/i;
/** Where the words of a result stand. */
const TEXTS = [
  ...["output", "contents", "content", "markdown", "text", "result", "success", "failure", "stdout", "stderr"],
  ...["diff", "error"],
];
/** Names a value that stands elsewhere. */
const REFERENCE = /ContentId$|^(?:exitCode|exitCodeV2|executionTime)$/;

function commonInput(name: string, input: unknown): unknown {
  if (!isFields(input) || !HANDLES_FILES.test(name) || HANDLES_NO_FILES.test(name)) return input;
  const path = firstText(input, PATHS);
  const content = firstText(input, CONTENTS);
  const rest = Object.entries(input).filter(([key]) => !PATHS.includes(key) && !CONTENTS.includes(key));
  return {
    ...Object.fromEntries(rest),
    ...(path !== undefined && { file_path: path }),
    ...(content !== undefined && { content }),
  };
}

function keyOf(name: string, input: unknown, { commands, files }: ToolUse): string {
  const command = commands?.[0];
  if (command !== undefined) return `$${hashOf(command)}`;
  // One store knows the whole path, another that below the workspace.
  const file = files?.[0]?.path.split(/[\\/]/).at(-1);
  if (file !== undefined) return `@${hashOf(file)}`;
  const question = firstText(fieldsOf(input), QUESTIONS);
  if (question !== undefined) return `?${hashOf(question)}`;
  return `+${hashOf(
    name
      .toLowerCase()
      .replace(/_v\d+$/, "")
      .replaceAll(/[^a-z]/g, ""),
  )}`;
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.flatMap((key) => textOf(fields[key]) ?? [])[0];
}

/** The words in a result's value. */
function resultText(value: unknown, depth = 0): string {
  if (value === undefined || value === null || depth > 5) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listText(value);
  if (!isFields(value)) return jsonOf(value);
  const changes = listText(listOf(fieldsOf(value.diff).chunks));
  if (changes !== "") return changes;
  for (const key of TEXTS) {
    const field = value[key];
    // What an MCP server answered is JSON in a text; elsewhere JSON is what was asked for.
    const answer = key === "result" && typeof field === "string" ? asFields(parseJson(field)) : undefined;
    const text = resultText(answer ?? field, depth + 1);
    if (text.trim() !== "") return text;
  }
  const isBare = Object.entries(value).every(([key, field]) => !field || field === true || REFERENCE.test(key));
  return isBare || depth > 0 ? "" : jsonOf(value);
}

function listText(list: readonly unknown[]): string {
  const texts = list.map((entry) => textOf(fieldsOf(entry).text) ?? textOf(fieldsOf(entry).diffString));
  if (texts.some((text) => text === undefined)) return jsonOf(list);
  return texts.join("\n");
}
