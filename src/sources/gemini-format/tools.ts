import type { ToolUse } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, jsonOf, nameOf, numberOf, textOf } from "../fields.ts";
import type { MessageItem } from "../source.ts";
import { describeToolCall, toolUse } from "../tool-use.ts";
import { partsOf } from "./parts.ts";

/** A tool's side of a message, without its name and time. */
export type ToolSaying = Pick<MessageItem, "role" | "part" | "text"> & { readonly tool: ToolUse };

/** What is known of how a call went, besides the parts that were sent to the model. */
interface Outcome {
  readonly status?: unknown;
  /** What the user was shown: a text, or the diff of an edit. */
  readonly display?: unknown;
  readonly durationMs?: unknown;
}

/** A call by its `{id, name, args}`. One without arguments is told by its name. */
export function callSaying({ id, name, args }: Fields): ToolSaying {
  const tool = textOf(name) ?? UNKNOWN_TOOL;
  return { role: "tool", part: "call", ...describeToolCall(tool, nameOf(id), args) };
}

/** The result of the call `{id, name}`, from its parts. Undefined where nothing came back yet. */
export function resultSaying({ id, name }: Fields, content: unknown, outcome: Outcome = {}): ToolSaying | undefined {
  const tool = textOf(name) ?? UNKNOWN_TOOL;
  const { text, failed, isAnswered } = readResult(content);
  const isError = failed || FAILED.has(outcome.status);
  const diff = isError ? undefined : textOf(fieldsOf(outcome.display).fileDiff);
  const shown = diff ?? (text === "" ? (textOf(outcome.display) ?? "") : text);
  if (shown === "" && !isAnswered && !FINISHED.has(outcome.status)) return undefined;
  const exitCode = SHELL.test(tool) ? EXIT_CODE.exec(shown)?.[1] : undefined;
  const durationMs = numberOf(outcome.durationMs);
  return {
    role: "tool",
    part: "result",
    text: shown,
    tool: {
      ...toolUse(tool, nameOf(id)),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
      ...(durationMs !== undefined && durationMs >= 0 && { durationMs: Math.round(durationMs) }),
    },
  };
}

const UNKNOWN_TOOL = "tool";
const FAILED = new Set<unknown>(["error", "cancelled"]);
const FINISHED = new Set<unknown>(["success", ...FAILED]);
const SHELL = /shell|bash/i;
/** The status that a shell tool reports in its text; the call itself counts as a success whatever it is. */
const EXIT_CODE = /^Exit Code: (\d{1,10})\s*$/m;
/** Newer versions wrap what came from outside. */
const WRAPPED = /^\s*<untrusted_context>\n?([\s\S]*?)\n?<\/untrusted_context>\s*$/;

interface Result {
  readonly text: string;
  readonly failed: boolean;
  readonly isAnswered: boolean;
}

/** Texts beside a response belong to it: some tools send what they read as parts of their own. */
function readResult(content: unknown): Result {
  const texts: string[] = [];
  let failed = false;
  let isAnswered = false;
  for (const part of partsOf(content)) {
    if (part.kind === "response") {
      const { response } = part.fields;
      isAnswered = true;
      failed ||= textOf(fieldsOf(response).error) !== undefined;
      texts.push(responseText(response));
    } else if (part.kind === "text" || part.kind === "media") texts.push(part.text);
  }
  return { text: texts.filter((text) => text.trim() !== "").join("\n"), failed, isAnswered };
}

function responseText(response: unknown): string {
  const fields = asFields(response);
  if (fields === undefined) return textOf(response) ?? "";
  const said = [fields.output, fields.error, fields.content].filter((value) => typeof value === "string");
  // Pictures and the like go with the response until they are sent.
  const { __binary_injection__: _, ...rest } = fields;
  const text = said.length > 0 ? said.filter(Boolean).join("\n") : Object.keys(rest).length === 0 ? "" : jsonOf(rest);
  return WRAPPED.exec(text)?.[1] ?? text;
}
