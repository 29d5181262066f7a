import { type Fields, fieldsOf, listOf, textOf } from "../fields.ts";
import type { Scribe } from "./scribe.ts";
import { pathOfPlace } from "./uri.ts";

/**
 * What a person typed, with a line for each thing that was attached by hand. What the editor sent by itself, and the
 * words of a button, are a notice.
 */
export function tellPrompt(request: Fields, scribe: Scribe): void {
  const typed = promptText(request.message).trim();
  if (isOfEditor(request)) {
    scribe.notice(typed);
    return;
  }
  const marks = listOf(fieldsOf(request.variableData).variables).map((variable) => mark(fieldsOf(variable)));
  const text = [typed, ...marks].filter((line) => line !== "").join("\n");
  scribe.say({ role: "human", part: "text", text });
}

/** The message is text in the oldest versions, and later its text with the parts that it was taken apart into. */
export function promptText(message: unknown): string {
  if (typeof message === "string") return message;
  const { text, parts } = fieldsOf(message);
  return (
    textOf(text) ??
    listOf(parts)
      .map((part) => textOf(fieldsOf(part).text) ?? "")
      .join("")
  );
}

function isOfEditor({
  isSystemInitiated,
  hiddenFromTranscript,
  requestHiddenFromTranscript,
  confirmation,
}: Fields): boolean {
  const hidden = [isSystemInitiated, hiddenFromTranscript, requestHiddenFromTranscript];
  return hidden.includes(true) || textOf(confirmation) !== undefined;
}

/** Kinds of attachments that a person chooses; those without a kind are older. */
const CHOSEN: ReadonlySet<unknown> = new Set([
  "command",
  "directory",
  "element",
  "file",
  "image",
  "notebookOutput",
  "paste",
  "scmHistoryItem",
  "symbol",
  "terminalCommand",
]);

function mark({ kind, name, value, isFile, isImage, isDirectory, range, references }: Fields): string {
  if (kind === "image" || isImage === true) return "[image]";
  const isOld = kind === undefined && (isFile === true || isDirectory === true || references !== undefined);
  if (!CHOSEN.has(kind) && !isOld) return "";
  // Where there is a range, the text of the prompt names it already.
  if (range !== undefined && range !== null && kind === undefined) return "";
  const label = textOf(kind) ?? (isDirectory === true ? "directory" : "file");
  const named = pathOfPlace(value) ?? textOf(name);
  return named === undefined ? "" : `[${label}: ${named}]`;
}
