import { type Fields, fieldsOf, isFields, numberOf, textOf } from "../fields.ts";
import { contentText } from "./content.ts";

/** What a tool call came to. */
export interface Outcome {
  readonly text: string;
  /** Present on errors only. */
  readonly isError?: true;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/**
 * Reads a `tool_result` block together with the line's `toolUseResult`, which says the same in the form of the UI.
 * Only one of the two becomes text: the patch of an edit, which shows what changed, else the block's own text.
 */
export function readOutcome(block: Fields, toolUseResult: unknown): Outcome {
  const detail = fieldsOf(toolUseResult);
  const isError = block.is_error === true;
  const said = withoutReminder(contentText(block.content)).replace(BLANK_START, "").trimEnd();
  const text = isError ? said : (patchText(detail) ?? said);
  const exitCode = exitCodeOf(said, detail);
  const durationMs = durationOf(detail);
  return {
    text,
    ...(isError && { isError }),
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** The hunks of `structuredPatch` the way a diff shows them. Undefined without hunks: a new file has none. */
export function patchText(detail: Fields): string | undefined {
  const hunks = detail.structuredPatch;
  if (!Array.isArray(hunks)) return undefined;
  const out: string[] = [];
  for (const hunk of hunks) if (isFields(hunk)) out.push(...hunkLines(hunk));
  if (out.length === 0) return undefined;
  const path = textOf(detail.filePath);
  return (path === undefined ? out : [path, ...out]).join("\n");
}

const EXIT_CODE = /^(?:Error: )?Exit code (\d{1,10})\b/;
/** Blank lines, but not the first line's indentation. */
const BLANK_START = /^(?:[^\S\n]*\n)+/;
const REMINDER_START = "<system-reminder>";
const REMINDER_END = "</system-reminder>";

function hunkLines(hunk: Fields): string[] {
  const lines = hunk.lines;
  if (!Array.isArray(lines)) return [];
  const text = lines.filter((line) => typeof line === "string");
  if (text.length === 0) return [];
  const range = (start: unknown, count: unknown) => `${numberOf(start) ?? 0},${numberOf(count) ?? 0}`;
  const from = range(hunk.oldStart, hunk.oldLines);
  return [`@@ -${from} +${range(hunk.newStart, hunk.newLines)} @@`, ...text];
}

function exitCodeOf(said: string, detail: Fields): number | undefined {
  const told = EXIT_CODE.exec(said)?.[1];
  return told === undefined ? (numberOf(detail.exitCode) ?? numberOf(detail.returnCode)) : Number(told);
}

function durationOf(detail: Fields): number | undefined {
  const seconds = numberOf(detail.durationSeconds);
  const duration =
    numberOf(detail.durationMs) ??
    numberOf(detail.totalDurationMs) ??
    (seconds === undefined ? undefined : seconds * 1000);
  return duration === undefined || duration < 0 ? undefined : Math.round(duration);
}

/** The harness puts its reminders behind the output of a tool. One that stands alone is the output. */
function withoutReminder(text: string): string {
  const end = text.trimEnd();
  if (!end.endsWith(REMINDER_END)) return text;
  const start = end.lastIndexOf(REMINDER_START);
  return start <= 0 ? text : end.slice(0, start);
}
