import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf, timeOf } from "../fields.ts";
import { contentText, sayContent, sayPart } from "./content.ts";
import { outcomeOf } from "./outcome.ts";
import type { Place } from "./place.ts";
import { promptReached, promptsLeft, promptTyped } from "./prompts.ts";
import { type ForkMark, forkMark, readOrigin, type Said } from "./said.ts";
import type { Scribe } from "./scribe.ts";
import { isSilent } from "./silent.ts";

/** Reads a record of Kimi Code's journal, `{type, time, …}`. */
export function readCode(record: Fields, place: Place, scribe: Scribe): void {
  const { memory } = scribe;
  if (record.type === "metadata") memory.importedAt = timeOf(record.created_at) ?? memory.importedAt;
  learnModel(record, scribe);
  if (isCopy(record, scribe) || readContextRecord(record, place, scribe)) return;
  if (!readTurnRecord(record, place, scribe) && !isSilent(record.type)) scribe.skipUnknown(record.type);
}

/** Aliases say which provider answers, so they are preferred to the model's own name. */
function learnModel(record: Fields, { memory }: Scribe): void {
  if (!NAMES_MODEL.has(record.type)) return;
  memory.model = textOf(record.modelAlias) ?? textOf(record.model) ?? memory.model;
}

const NAMES_MODEL = new Set<unknown>(["llm.request", "profile.bind", "config.update"]);
/** Records that tell what was said. */
const TELLS = /^(?:context|turn|usage)\./;
/** Records that a copied context doesn't have: from them on all is the agent's own. */
const OWN = new Set<unknown>(["turn.prompt", "turn.steer", "context.append_loop_event"]);

/** Whether a record repeats what another file tells: a forked agent's parent, or Kimi CLI's own files. */
function isCopy(record: Fields, { memory, at }: Scribe): boolean {
  if (typeof record.type !== "string" || !TELLS.test(record.type)) return false;
  if (memory.hasOriginal && (at === undefined || at <= (memory.importedAt ?? 0))) return true;
  if (!memory.isCopying) return false;
  const mark: ForkMark | undefined = forkMark(fieldsOf(record.message));
  if (mark === undefined && !OWN.has(record.type)) return true;
  memory.isCopying = false;
  memory.isAside = mark === "aside";
  return false;
}

function readContextRecord(record: Fields, place: Place, scribe: Scribe): boolean {
  switch (record.type) {
    case "context.append_message":
      readMessage(fieldsOf(record.message), place, scribe);
      return true;
    case "context.append_loop_event":
      readLoopEvent(fieldsOf(record.event), scribe);
      return true;
    case "context.apply_compaction":
      scribe.summary(summaryText(record.summary) || summaryText(record.contextSummary));
      return true;
    case "context.undo":
      scribe.notice(`Turns taken back: ${numberOf(record.count) ?? 1}`);
      return true;
    case "context.clear":
      scribe.notice("Context cleared");
      return true;
    default:
      return false;
  }
}

function readTurnRecord(record: Fields, place: Place, scribe: Scribe): boolean {
  switch (record.type) {
    case "turn.prompt":
    case "turn.steer":
      readTyped(record, place, scribe);
      return true;
    case "turn.cancel":
      sayLeft(place, scribe);
      scribe.notice("Turn cancelled");
      return true;
    case "turn.ended":
      sayLeft(place, scribe);
      if (record.reason !== "completed") scribe.notice(ending(record));
      return true;
    case "usage.record":
      if (isFields(record.usage)) scribe.usage(record.usage, undefined, textOf(record.model) ?? scribe.memory.model);
      return true;
    default:
      return false;
  }
}

/** Where the summary is a message, it is in its content. */
function summaryText(summary: unknown): string {
  return contentText(isFields(summary) ? summary.content : summary);
}

function readMessage(message: Fields, place: Place, scribe: Scribe): void {
  switch (message.role) {
    case "user":
      saySaid(readOrigin(message), place, scribe);
      return;
    case "assistant":
      sayContent(message.content, scribe);
      for (const call of listOf(message.toolCalls).map(fieldsOf)) {
        const called = isFields(call.function) ? call.function : call;
        scribe.call(call.id, called.name, called.arguments);
      }
      return;
    case "tool":
      scribe.result(message.toolCallId, outcomeOf(contentText(message.content), "", message.isError === true));
      return;
    case "system":
    case "developer":
      scribe.notice(contentText(message.content));
      return;
    default:
      scribe.skipUnknown(message.role, "context.append_message");
  }
}

function saySaid(said: Said, place: Place, scribe: Scribe): void {
  switch (said.kind) {
    case "prompt":
      if (promptReached(scribe.memory, said.text)) sayPrompt(said.text, place, scribe);
      return;
    case "command":
      scribe.human(said.text);
      return;
    case "task":
      scribe.task(said.text);
      return;
    case "summary":
      scribe.summary(said.text);
      return;
    case "output":
      scribe.result(undefined, said, SHELL);
      return;
    default:
      scribe.notice(said.text);
  }
}

const SHELL = "Bash";

/** Subagents are asked by their spawner, unless they answer a person's side question. */
function sayPrompt(text: string, place: Place, scribe: Scribe): void {
  if (place.agent === undefined || scribe.memory.isAside) scribe.human(text);
  else scribe.task(text);
}

function readLoopEvent(event: Fields, scribe: Scribe): void {
  switch (event.type) {
    case "content.part":
      if (!sayPart(event.part, scribe)) scribe.skipUnknown(fieldsOf(event.part).type, "content.part");
      return;
    case "tool.call":
      scribe.call(event.toolCallId, event.name, event.args);
      return;
    case "tool.result": {
      const result = fieldsOf(event.result);
      scribe.result(event.toolCallId, outcomeOf(contentText(result.output), result.note, result.isError === true));
      return;
    }
    default:
      if (!isSilent(event.type)) scribe.skipUnknown(event.type, "loop");
  }
}

function readTyped(record: Fields, place: Place, scribe: Scribe): void {
  const isOpening = record.type === "turn.prompt";
  if (isOpening) sayLeft(place, scribe);
  const origin = fieldsOf(record.origin);
  if (origin.kind === "user" || origin.kind === undefined)
    promptTyped(scribe.memory, contentText(record.input), numberOf(record.time), isOpening);
}

/** Tells what was typed and never reached the model. */
function sayLeft(place: Place, scribe: Scribe): void {
  for (const { text, time } of promptsLeft(scribe.memory)) sayPrompt(text, place, scribe.dated(time));
}

function ending(record: Fields): string {
  const error = fieldsOf(record.error);
  const message = textOf(error.message) ?? textOf(record.error);
  const reason = textOf(record.reason) ?? "unknown reason";
  return `Turn ended: ${reason}${message === undefined ? "" : `\n${message}`}`;
}
