import { asFields, type Fields, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { MessageItem } from "../source.ts";
import { type Entry, textKey } from "./entry.ts";
import { type Part, partsOf, textsOf } from "./parts.ts";
import type { Scribe } from "./scribe.ts";
import { callSaying, resultSaying } from "./tools.ts";
import { usageOf } from "./usage.ts";
import { isReadyMade, readHint, readUserParts } from "./user-text.ts";

/** What is known of a chat's messages as a whole, so that each call and each result is told once. */
export class Calls {
  /** Calls with a record of their own, and whether it holds the result. */
  readonly #recorded = new Map<string, boolean>();
  readonly #told = new Set<string>();

  /** Notes the calls that messages record, before any of them is told. */
  note(message: Fields): void {
    for (const call of listOf(message.toolCalls)) {
      const id = isFields(call) ? nameOf(call.id) : undefined;
      if (id === undefined || !isFields(call)) continue;
      const hasResult = (call.result ?? undefined) !== undefined;
      this.#recorded.set(id, hasResult || this.#recorded.get(id) === true);
    }
  }

  /** Whether a call or result that stands among the parts of a message is to be told there. */
  isNewPart(kind: "call" | "response", id: string | undefined): boolean {
    if (id === undefined) return true;
    const recorded = this.#recorded.get(id);
    return (kind === "call" ? recorded === undefined : recorded !== true) && this.isNew(kind, id);
  }

  isNew(kind: "call" | "response", id: string | undefined): boolean {
    if (id === undefined) return true;
    const key = `${kind}:${id}`;
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

/** Tells one message of a chat. */
export function tellMessage(
  { message, repeats }: Pick<Entry, "message" | "repeats">,
  calls: Calls,
  scribe: Scribe,
): void {
  const isRepeat = (text: string): boolean => repeats.size > 0 && repeats.has(textKey(message.type, text));
  const parts = partsOf(message.content).filter((part) => part.kind !== "text" || !isRepeat(part.text));
  switch (message.type) {
    case "user":
      tellUser(message, parts, calls, scribe);
      return;
    case "gemini":
    case "qwen":
      tellModel(message, parts, calls, scribe);
      return;
    case "info":
    case "warning":
    case "error":
      scribe.notice(textsOf(message.content).join("\n"));
      return;
    default:
      scribe.skipUnknown(message.type, "message");
  }
}

function tellUser(message: Fields, parts: readonly Part[], calls: Calls, scribe: Scribe): void {
  if (parts.some(({ kind }) => kind === "response")) {
    tellResponses(parts, calls, scribe);
    return;
  }
  const display = textsOf(message.displayContent).join("\n").trim();
  const isLeft = parts.some(({ kind }) => kind === "text");
  for (const saying of readUserParts(parts, isLeft ? textOf(display) : undefined)) {
    if (saying.kind === "notice") scribe.notice(saying.text);
    else if (saying.kind === "summary") scribe.say({ role: "summary", part: "text", text: saying.text });
    else scribe.prompt(saying.text);
    if (saying.kind === "shell") scribe.result(resultSaying({ name: "shell" }, saying.output, SUCCESS));
  }
}

/** Texts beside responses belong to the results, but for what a person typed meanwhile. */
function tellResponses(parts: readonly Part[], calls: Calls, scribe: Scribe): void {
  for (const part of parts) {
    if (part.kind === "text") scribe.prompt(readHint(part.text.trimStart()) ?? "");
    if (part.kind !== "response" || !calls.isNewPart("response", nameOf(part.fields.id))) continue;
    scribe.result(resultSaying(part.fields, { functionResponse: part.fields }));
  }
}

function tellModel(message: Fields, parts: readonly Part[], calls: Calls, scribe: Scribe): void {
  const model = textOf(message.model);
  const by = model === undefined ? {} : { model };
  for (const text of thoughtsOf(message, parts)) scribe.say({ role: "assistant", part: "thinking", text, ...by });
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  if (!isReadyMade(text)) scribe.say({ role: "assistant", part: "text", text, ...by });
  for (const part of parts) {
    if (part.kind === "call" && calls.isNewPart("call", nameOf(part.fields.id)))
      scribe.call(callSaying(part.fields), by);
  }
  for (const call of listOf(message.toolCalls)) {
    if (isFields(call)) tellRecordedCall(call, by, calls, scribe);
  }
  const usage = usageOf(asFields(message.tokens));
  if (usage !== undefined) scribe.usage(usage, model);
}

/** A call record holds the result too, once there is one; its time is that of the result. */
function tellRecordedCall(call: Fields, by: Pick<MessageItem, "model">, calls: Calls, scribe: Scribe): void {
  const id = nameOf(call.id);
  if (calls.isNew("call", id)) scribe.call(callSaying(call), by);
  if ((call.result ?? undefined) === undefined) return;
  const outcome = { status: call.status, display: call.resultDisplay };
  if (calls.isNew("response", id)) scribe.result(resultSaying(call, call.result, outcome), timeOf(call.timestamp));
}

/** `{subject, description}` beside the content; newer versions may have the same in parts marked as thoughts. */
function thoughtsOf(message: Fields, parts: readonly Part[]): readonly string[] {
  const noted = listOf(message.thoughts)
    .filter(isFields)
    .map(({ subject, description }) => [textOf(subject), textOf(description)].filter(isText).join("\n").trim());
  if (noted.length > 0) return noted;
  return parts.flatMap((part) => (part.kind === "thought" && !isReadyMade(part.text) ? [part.text] : []));
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

const SUCCESS = { status: "success" } as const;
