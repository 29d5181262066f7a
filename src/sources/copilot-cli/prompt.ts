import { clipMiddle } from "../../core/text.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../fields.ts";
import type { LogEvent } from "./event.ts";

/**
 * `user.message`. What a person typed is its content; what the model was given has more around it. Copilot also puts
 * its own words, those of skills and those of other agents there.
 */
export function readPrompt(event: LogEvent): void {
  const { data } = event;
  const content = (textOf(data.content) ?? "").trim();
  const attachments = listOf(data.attachments).map(fieldsOf);
  const text = [content, ...attachments.map(attachmentMark)].filter((line) => line !== "").join("\n");
  if (isInjected(data)) {
    event.notice(content.replace(WRAPPER, ""));
    return;
  }
  event.say({ role: isTyped(event) ? "human" : "system", part: "text", text });
  for (const [at, attachment] of attachments.entries()) sayAttached(event, attachment, at);
}

const WRAPPER = /^<system_reminder>\s*|\s*<\/system_reminder>$/g;
/** What Copilot puts into a message on behalf of another agent begins with this. */
const FROM_AGENT = "agent-";
const PERSON = new Set<unknown>([undefined, "", "user"]);
const NOTICE_CHARS = 2_000;

function isInjected({ source, isAutopilotContinuation }: Fields): boolean {
  return isAutopilotContinuation === true || (!PERSON.has(source) && !textOf(source)?.startsWith(FROM_AGENT));
}

function isTyped({ data, isSubagent, memory }: LogEvent): boolean {
  return PERSON.has(data.source) && !isSubagent && !memory.isDetached;
}

function attachmentMark(attachment: Fields): string {
  const { type, mimeType, displayName, path, filePath, url, title } = attachment;
  const isPicture = textOf(mimeType)?.startsWith("image/") === true;
  if (isPicture) return "[image]";
  const named = textOf(path) ?? textOf(filePath) ?? textOf(url) ?? textOf(displayName) ?? textOf(title);
  if (named === undefined) return "";
  const label = textOf(type)?.replace("github_", "").replaceAll("_", " ") ?? "attachment";
  return `[${label}: ${named}${lines(attachment)}]`;
}

function lines({ lineRange, selection }: Fields): string {
  const range = fieldsOf(lineRange);
  const selected = fieldsOf(selection);
  const start = numberOf(range.start) ?? plusOne(fieldsOf(selected.start).line);
  const end = numberOf(range.end) ?? plusOne(fieldsOf(selected.end).line);
  return start === undefined || end === undefined ? "" : `:${start}-${end}`;
}

function plusOne(line: unknown): number | undefined {
  const number = numberOf(line);
  return number === undefined ? undefined : number + 1;
}

/** Lines that were selected in an editor are nowhere else. */
function sayAttached(event: LogEvent, { type, text }: Fields, at: number): void {
  const selected = type === "selection" ? (textOf(text) ?? "").trim() : "";
  event.say({ role: "system", part: "notice", text: clipMiddle(selected, NOTICE_CHARS), key: `attached${at}` });
}
