import { asFields, parseJson, textOf } from "../fields.ts";
import { withoutEnvironment } from "./environment.ts";

/** What a text in a user's message is: a person's words, a tool's output, or what the extension put in. */
export type UserSaying =
  | { readonly kind: "human" | "notice" | "summary"; readonly text: string }
  | { readonly kind: "result"; readonly name: string; readonly text: string };

/** Undefined where the text says nothing: environment details, reminders, contents of files that were mentioned. */
export function readUserText(text: string): UserSaying | undefined {
  const words = withoutEnvironment(text).replace(MODE_NOTICE, "").trim();
  if (words === "") return undefined;
  const [header, name] = RESULT.exec(words) ?? CONVERTED.exec(words) ?? [];
  if (header !== undefined && name !== undefined) return { kind: "result", name, text: words.slice(header.length) };
  const human = wrappedWords(words, PREFIX);
  if (human !== undefined) return human.trim() === "" ? undefined : { kind: "human", text: human };
  if (startsWithAny(words, SILENT)) return undefined;
  if (startsWithAny(words, SUMMARIES)) return { kind: "summary", text: words };
  return { kind: startsWithAny(words, NOTICES) ? "notice" : "human", text: words };
}

/**
 * What a person said with their answer to a tool's question, and the output without it. `isAsking` is of tools that do
 * nothing but ask, whose outputs may hold the words anywhere; outputs of others may hold the same tags as part of a file.
 */
export function feedbackIn(
  output: string,
  isAsking: boolean,
): { readonly words: string; readonly rest: string } | undefined {
  const fields = output.startsWith("{") ? asFields(parseJson(output)) : undefined;
  const feedback = textOf(fields?.feedback);
  if (feedback !== undefined) return { words: feedback, rest: textOf(fields?.status) ?? "" };
  if (isAsking) {
    const words = wrappedWords(output, ANYTHING);
    return words === undefined ? undefined : { words, rest: "" };
  }
  const found = FEEDBACK.exec(output);
  const [whole, opening = "", words] = found ?? [];
  if (whole === undefined || words === undefined) return undefined;
  return { words: words.trim(), rest: output.replace(whole, () => opening) };
}

/** `[read_file for 'a.ts'] Result:`, `[new_task completed] Result: …`; the command that is named may have several lines. */
const RESULT = /^\[([a-z][a-z_-]{1,40})(?: [\s\S]{0,20000}?)?\] Result:\s*/;
/** What Roo made of results of native calls when a task was resumed without such. */
const CONVERTED = /^\[([a-z][\w-]{1,60}) Result\]\s*/;
const MODE_NOTICE = /<mode_notice>[^<]*<\/mode_notice>/g;
const WRAPPER = /<(task|feedback|answer|user_message|user_input|user_command)(?: [^<>]{0,200})?>/;
const SLASH = /slash="([^"]+)"/;
/** What may stand before a person's words. */
const PREFIX =
  /^(?:$|<explicit_instructions|<hook_context|\[TASK RESUMPTION\]|New (?:instructions|message)|The user |You seem )/;
const ANYTHING = /^/;
const FEEDBACK =
  /((?:^|\n)(?:The user (?:denied|approved|provided|has provided)|You seem to be having trouble)[^\n]*)\n<feedback>\n?([\s\S]*?)\n?<\/feedback>/;
/** Reminders that come again and again, and files that a prompt names. */
const SILENT = [
  "# task_progress",
  "# TODO",
  "# Reminder",
  "<file_content",
  "<folder_content",
  "Files attached by the user",
];
const SUMMARIES = ["This session is being continued from a previous conversation", "Context summary:"];
const NOTICES = [
  "[ERROR]",
  "[TASK RESUMPTION]",
  "[NOTE]",
  "[[NOTE]",
  "Tool [",
  "The user denied",
  "The tool execution failed",
  "Task was interrupted",
  "<explicit_instructions",
  "<hook_context",
  "<system-reminder>",
  "<notification",
  "Warning: this is a legacy conversation",
];

/** The words inside of the first wrapper, where what stands before it is of that kind. */
function wrappedWords(text: string, prefix: RegExp): string | undefined {
  const open = WRAPPER.exec(text);
  const tag = open?.[1];
  if (open === null || tag === undefined || !prefix.test(text.slice(0, open.index).trim())) return undefined;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf(`</${tag}>`);
  const words = text.slice(start, end < start ? text.length : end).trim();
  const slash = tag === "user_command" ? SLASH.exec(open[0])?.[1] : undefined;
  return slash === undefined ? words : `/${slash} ${words}`.trim();
}

function startsWithAny(text: string, openings: readonly string[]): boolean {
  return openings.some((opening) => text.startsWith(opening));
}
