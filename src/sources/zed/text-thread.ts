import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { type Emit, say, type Thread } from "./scribe.ts";

/** Reads a text thread: one text, and where in it whose words begin. Offsets are of UTF-8 bytes. */
export function readTextThread(record: unknown, thread: Thread, emit: Emit): void {
  const document = fieldsOf(record);
  if (typeof document.text !== "string" || !Array.isArray(document.messages)) {
    emit(malformed("not a text thread"));
    return;
  }
  const title = textOf(document.summary)?.trim() ?? "";
  if (title !== "") emit({ kind: "title", title: "generated", text: title });
  const text = Buffer.from(document.text);
  const inserted = insertedIn(document);
  const starts = document.messages.map((message) => numberOf(fieldsOf(message).start) ?? 0);
  for (const [index, message] of document.messages.entries()) {
    if (!isFields(message)) {
      emit(malformed("message"));
      continue;
    }
    const range = { start: starts[index] ?? 0, end: starts[index + 1] ?? text.length };
    readMessage(message, document, (isPrompt) => wordsIn(text, range, isPrompt ? inserted : []), thread, emit);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function readMessage(
  message: Fields,
  document: Fields,
  words: (isPrompt: boolean) => string,
  thread: Thread,
  emit: Emit,
): void {
  const id = idOf(message.id);
  thread.messages += 1;
  thread.base = `${thread.session}#${id ?? `?${thread.messages}`}`;
  thread.said = 0;
  // Older versions kept this beside.
  const { role, status } = fieldsOf(message.metadata ?? fieldsOf(document.message_metadata)[id ?? ""]);
  if (role === "user") say(thread, { role: "human", part: "text", text: words(true), key: "" }, emit);
  else if (role === "assistant") say(thread, { role: "assistant", part: "text", text: words(false), key: "" }, emit);
  else if (role === "system") say(thread, { role: "system", part: "notice", text: words(false), key: "" }, emit);
  else emit(unknownType(role, "message"));
  const error = textOf(fieldsOf(status).Error);
  if (error !== undefined) say(thread, { role: "system", part: "notice", text: `Error: ${error}`, key: "error" }, emit);
}

/** A number, or a time of Zed's logical clock. */
function idOf(id: unknown): string | undefined {
  if (!isFields(id)) return numberOf(id)?.toString() ?? nameOf(id);
  const value = numberOf(id.value);
  return value === undefined ? undefined : `${numberOf(id.replica_id) ?? 0}.${value}`;
}

/** Where the output of slash commands stands, such as files, in the order of the text. */
function insertedIn(document: Fields): readonly (Range & { readonly label: string })[] {
  return listOf(document.slash_command_output_sections)
    .map(fieldsOf)
    .flatMap(({ range, label }) => {
      const [start, end] = [numberOf(fieldsOf(range).start), numberOf(fieldsOf(range).end)];
      if (start === undefined || end === undefined || end <= start) return [];
      return [{ start, end, label: textOf(label) ?? "command output" }];
    })
    .sort((a, b) => a.start - b.start);
}

/** The text of a range, with names in place of what was inserted. */
function wordsIn(
  text: Buffer,
  { start, end }: Range,
  inserted: readonly (Range & { readonly label: string })[],
): string {
  let words = "";
  let from = start;
  for (const section of inserted) {
    if (section.start < from || section.start >= end) continue;
    words += `${text.toString("utf8", from, section.start)}[${section.label}]`;
    from = Math.min(section.end, end);
  }
  return (words + text.toString("utf8", from, Math.max(from, end))).trim();
}
