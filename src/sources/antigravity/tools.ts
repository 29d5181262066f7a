import { type Fields, isFields, listOf, parseJson, textOf } from "../fields.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import type { Step } from "./fold.ts";
import type { Teller } from "./steps.ts";

/** A call that nothing was given back for yet. */
export interface OpenCall {
  readonly name: string;
  readonly callId: string;
}

/** The calls of an answer, which have no ids: their step and place name them. */
export function sayCalls(step: Step, teller: Teller): void {
  const calls = listOf(step.fields.tool_calls).filter(isFields);
  teller.calls = calls.map(({ name }, place) => ({ name: toolName(name), callId: `step-${step.id}-${place + 1}` }));
  teller.calls.forEach(({ name, callId }, place) => {
    const { args, arguments: written } = calls[place] ?? {};
    const call = describeToolCall(name, callId, commonInput(plainArguments(args ?? written)));
    teller.say(step, { role: "tool", part: "call", ...call, key: `call-${place + 1}` });
  });
}

/** What a tool gave back. */
export function sayResult(step: Step, content: string, teller: Teller): void {
  const { type, status } = step.fields;
  const call = takeCall(teller, textOf(type) ?? "");
  const { text, durationMs } = withoutTimes(content);
  const exitCode = EXIT_CODE.exec(text.slice(0, HEAD_CHARS))?.[1];
  const hasFailed = FAILED.test(textOf(status) ?? "") || (exitCode !== undefined && exitCode !== "0");
  teller.say(step, {
    role: "tool",
    part: "result",
    text,
    tool: {
      ...toolUse(call?.name ?? toolName(type), call?.callId),
      ...(hasFailed && { isError: true }),
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
      ...(durationMs !== undefined && { durationMs }),
    },
  });
}

const HEAD_CHARS = 500;
const EXIT_CODE = /^\s*The command (?:exited with code|failed with exit code):? (-?\d+)/m;
const FAILED = /ERROR|FAIL|CANCEL|INTERRUPT|REJECT/i;
const TIMES = /^Created At: (\S+)[ \t]*\n(?:Completed At: (\S+)[ \t]*\n)?\s*/;
/** Types of steps, by the names of tools whose results they are. */
const TYPES: Readonly<Record<string, string>> = {
  list_dir: "LIST_DIRECTORY",
  write_to_file: "CODE_ACTION",
  replace_file_content: "CODE_ACTION",
  multi_replace_file_content: "CODE_ACTION",
};

/** Results come in the order of their calls, except that a tool that runs in the background is overtaken. */
function takeCall(teller: Teller, type: string): OpenCall | undefined {
  const fitting = teller.calls.find(({ name }) => (TYPES[name] ?? name.toUpperCase()) === type);
  const call = fitting ?? teller.calls[0];
  teller.calls = teller.calls.filter((other) => other !== call);
  return call;
}

function toolName(name: unknown): string {
  return (textOf(name) ?? "tool").replace(/^default_api[:.]/, "").toLowerCase();
}

function withoutTimes(content: string): { readonly text: string; readonly durationMs?: number } {
  const [head, created = "", completed = ""] = TIMES.exec(content) ?? [];
  if (head === undefined) return { text: content };
  const text = content.slice(head.length);
  const durationMs = Date.parse(completed) - Date.parse(created);
  return durationMs >= 0 ? { text, durationMs } : { text };
}

/** Each argument is written as JSON of its own, in some versions: then all of them are. */
function plainArguments(written: unknown): unknown {
  const args = typeof written === "string" ? parseJson(written) : written;
  if (!isFields(args)) return written;
  const entries = Object.entries(args).map(([key, value]): [string, unknown, unknown] => [
    key,
    value,
    typeof value === "string" ? parseJson(value) : value,
  ]);
  if (entries.some(([, , parsed]) => parsed === undefined)) return args;
  return Object.fromEntries(entries.map(([key, , parsed]) => [key, parsed]));
}

/** Antigravity's names for what other agents' tools take; what is only shown to the person is left out. */
function commonInput(input: unknown): unknown {
  if (!isFields(input)) return input;
  const { toolAction, toolSummary, waitForPreviousTools, ...rest } = input;
  const chunks = listOf(rest.ReplacementChunks).filter(isFields);
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) out[COMMON[key] ?? key] = value;
  if (chunks.length === 0) return out;
  return { ...withoutKey(out, "ReplacementChunks"), edits: chunks.map(commonInput) };
}

const COMMON: Readonly<Record<string, string>> = {
  CommandLine: "command",
  AbsolutePath: "file_path",
  TargetFile: "file_path",
  CodeContent: "content",
  TargetContent: "old_string",
  ReplacementContent: "new_string",
  Description: "description",
};

function withoutKey(fields: Fields, key: string): Fields {
  const { [key]: _, ...rest } = fields;
  return rest;
}
