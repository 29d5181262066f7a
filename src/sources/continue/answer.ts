import { fieldsOf, textOf, timeOf } from "../fields.ts";
import { contentText, type HistoryEntry } from "./entry.ts";
import { sayCalls } from "./tools.ts";
import { countAnswer } from "./usage.ts";

/** An `assistant` message: what it thought, said and called, and what its tools gave back. */
export function readAnswer(entry: HistoryEntry): void {
  const { fields, message, model } = entry;
  const reasoning = fieldsOf(fields.reasoning);
  const by = model === undefined ? {} : { model };
  const startedAt = timeOf(reasoning.startAt);
  const endedAt = timeOf(reasoning.endAt);
  entry.say({
    role: "assistant",
    part: "thinking",
    text: (textOf(reasoning.text) ?? "").trim(),
    ...by,
    ...(startedAt !== undefined && { at: startedAt }),
    key: "thinking",
  });
  entry.say({
    role: "assistant",
    part: "text",
    text: contentText(message.content),
    ...by,
    ...(endedAt !== undefined && { at: endedAt }),
    key: "text",
  });
  sayCalls(entry);
  countAnswer(entry);
}

/** A `thinking` message, as it stands before an answer. */
export function readThinking(entry: HistoryEntry): void {
  const { message, model } = entry;
  const text = contentText(message.content);
  entry.say({ role: "assistant", part: "thinking", text, ...(model !== undefined && { model }), key: "thinking" });
}
