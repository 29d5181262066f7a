import type { FileTouch, ToolUse } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, isFields, jsonOf, listOf, parseJson, textOf } from "../fields.ts";
import { describeToolInput, toolUse } from "../tool-use.ts";

/** A call as it is told: text to search in, files and commands. */
export function describeCall(
  name: string,
  callId: string | undefined,
  input: unknown,
): { readonly text: string; readonly tool: ToolUse } {
  if (name === "use_mcp_tool") return describeMcpCall(callId, fieldsOf(input));
  const fields = asFields(input);
  const commands = commandsIn(fields);
  if (commands.length > 0) return { text: commands.join("\n"), tool: toolUse(name, callId, [], commands) };
  const several = filesIn(fields);
  const described = describeToolInput(CHANGES.has(name) ? "edit" : name, fields === undefined ? input : known(fields));
  const files = described.files.length > 0 ? described.files : several.map((path) => touch(path, CHANGES.has(name)));
  const text = described.text.trim() === "" ? name : described.text;
  return { text, tool: toolUse(name, callId, files, described.commands) };
}

/** What an output tells: an error, the status of a command. */
export function readOutput(
  name: string,
  output: string,
): { readonly text: string; readonly isError: boolean; readonly exitCode?: number } {
  const runs = runsIn(output);
  const text = runs === undefined ? output : runs.map(runText).join("\n");
  const status = textOf(asFields(output.startsWith("{") ? parseJson(output) : undefined)?.status);
  const exitCode = COMMANDS.test(name) ? exitCodeOf(text, runs) : undefined;
  const isError =
    FAILURE.test(output) ||
    status === "error" ||
    status === "denied" ||
    runs?.some(({ success }) => success === false) === true ||
    (exitCode !== undefined && exitCode !== 0);
  return { text, isError, ...(exitCode !== undefined && { exitCode }) };
}

/** That of several commands is not told where they differ. */
function exitCodeOf(text: string, runs: readonly Fields[] | undefined): number | undefined {
  if (runs === undefined) {
    const found = EXIT_CODE.exec(text.slice(0, 1_000))?.[1];
    return found === undefined ? undefined : Number(found);
  }
  const codes = runs.map(({ error, result }) => {
    const found = EXIT_CODE.exec(textOf(error) ?? textOf(result)?.slice(0, 1_000) ?? "")?.[1];
    return found === undefined ? undefined : Number(found);
  });
  return new Set(codes).size === 1 ? codes[0] : undefined;
}

/** What a call says to the person, of tools that only speak; the parameter that holds it. */
export function speechOf(name: string, input: unknown): string | undefined {
  const key = SPEECH.get(name);
  if (key === undefined) return undefined;
  const fields = fieldsOf(input);
  const choices = [...optionsIn(fields.options), ...optionsIn(fields.follow_up)];
  return [textOf(fields[key]) ?? "", ...choices.map((choice) => `- ${choice}`)].join("\n").trim();
}

export function isSpeech(name: string): boolean {
  return SPEECH.has(name);
}

/** What a call sums up of the conversation, to go on without the rest of it. */
export function summaryOf(name: string, input: unknown): string | undefined {
  return SUMMARIES.has(name) ? textOf(fieldsOf(input).context) : undefined;
}

const SPEECH = new Map([
  ["attempt_completion", "result"],
  ["ask_followup_question", "question"],
  ["ask_question", "question"],
  ["plan_mode_respond", "response"],
  ["plan_mode_response", "response"],
  ["act_mode_respond", "response"],
  ["submit_and_exit", "summary"],
]);
const SUMMARIES = new Set(["condense", "summarize_task"]);
const CHANGES = new Set([
  ...["write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "search_replace"],
  ...["edit_file", "edit", "editor", "delete_file", "new_rule", "generate_image"],
  // As the log of the interface names them.
  ...["editedExistingFile", "newFileCreated", "appliedDiff", "insertContent", "searchAndReplace", "fileDeleted"],
]);
const COMMANDS = /command|bash|shell/;
const EXIT_CODE = /exit(?:ed with)? code:? (-?\d{1,10})\b/i;
const FAILURE =
  /^\s*(?:The tool execution failed|The user denied|\[ERROR\]|Error:|<error>|Task was interrupted before|Missing value for required parameter)/;
/** Notes to the extension itself. */
const NOISE = new Set(["task_progress", "requires_approval", "line_count", "operationIsLocatedInWorkspace", "tool"]);

function describeMcpCall(callId: string | undefined, { server_name, tool_name, arguments: given }: Fields) {
  const name = `mcp__${textOf(server_name) ?? ""}__${textOf(tool_name) ?? ""}`;
  const { text, files, commands } = describeToolInput(name, given);
  return { text: text.trim() === "" ? name : text, tool: toolUse(name, callId, files, commands) };
}

/** Cline's SDK runs several commands at once, each a text or `{command, args}`. */
function commandsIn(input: Fields | undefined): string[] {
  const commands = input?.commands;
  return (Array.isArray(commands) ? commands : commands === undefined ? [] : [commands])
    .map((command) => {
      const { command: program, args } = fieldsOf(command);
      return textOf(command) ?? [textOf(program), ...listOf(args).map(textOf)].filter(Boolean).join(" ");
    })
    .filter((command) => command !== "");
}

/** Paths where a call names several files: native, or as XML within `args`. */
function filesIn(input: Fields | undefined): string[] {
  const lists = [input?.files, input?.paths, input?.file_paths];
  const named = lists
    .flatMap((list) => (Array.isArray(list) ? list : list === undefined ? [] : [list]))
    .map((file) => textOf(file) ?? textOf(fieldsOf(file).path) ?? "");
  const nested = Array.from((textOf(input?.args) ?? "").matchAll(/<path>([^<]+)<\/path>/g), (match) => match[1] ?? "");
  return [...new Set([...named, ...nested].map((path) => path.trim()))].filter((path) => path !== "");
}

/** The input with the keys that other agents' tools have. */
function known(input: Fields): Fields {
  const { absolutePath, target_file, old_text, new_text, search, replace, diff, code_edit, ...rest } = input;
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !NOISE.has(key)));
  return {
    ...((absolutePath ?? target_file) !== undefined && { path: absolutePath ?? target_file }),
    ...((old_text ?? search) !== undefined && { old_string: old_text ?? search }),
    ...((new_text ?? replace) !== undefined && { new_string: new_text ?? replace }),
    ...((diff ?? code_edit) !== undefined && { content: diff ?? code_edit }),
    ...kept,
  };
}

function touch(path: string, changed: boolean): FileTouch {
  return { path, changed };
}

/** Outputs of Cline's SDK: one for each of the commands or files that a call names. */
function runsIn(output: string): readonly Fields[] | undefined {
  if (!output.startsWith("[{") && !output.startsWith("{")) return undefined;
  const parsed = parseJson(output);
  const runs = Array.isArray(parsed) ? parsed : [parsed];
  return runs.length > 0 && runs.every(isRun) ? runs.filter(isFields) : undefined;
}

/** The output of one command or file, as Cline's SDK writes it. */
export function isRun(value: unknown): boolean {
  return isFields(value) && "query" in value && ("result" in value || "error" in value);
}

function runText({ query, result, error }: Fields): string {
  const output = typeof result === "string" ? result : result === undefined || result === null ? "" : jsonOf(result);
  // A failed command has what went wrong in both.
  const failure = output.includes(String(error)) ? undefined : textOf(error);
  return [textOf(query), output, failure].filter(Boolean).join("\n");
}

function optionsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : listOf(typeof value === "string" ? parseJson(value) : undefined);
  const texts = list.map((option) => textOf(option) ?? textOf(fieldsOf(option).text) ?? "");
  const nested = typeof value === "string" ? Array.from(value.matchAll(SUGGESTION), (match) => match[1] ?? "") : [];
  return [...texts, ...nested].map((text) => text.trim()).filter((text) => text !== "");
}

const SUGGESTION = /<suggest(?: [^>]*)?>([^<]+)<\/suggest>/g;
