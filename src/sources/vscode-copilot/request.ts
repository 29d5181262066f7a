import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { promptText, tellPrompt } from "./prompt.ts";
import { tellResponse } from "./response.ts";
import { type Round, roundsOf } from "./rounds.ts";
import { type Answer, type Emit, openScribe, type Scribe } from "./scribe.ts";
import { tellUsage } from "./usage.ts";

/** Tells a request of a chat: what was asked, and all that was answered. `at` is its place in the chat. */
export function tellRequest(record: unknown, at: number, session: string, emit: Emit): void {
  if (!isFields(record)) {
    emit(malformed("request is not an object"));
    return;
  }
  const { response, result, message } = record;
  if (response === undefined && result === undefined && promptText(message) === "") {
    emit(unknownType(record.type ?? record.kind, "request"));
    return;
  }
  const askedAt = timeOf(record.timestamp);
  const { metadata, errorDetails } = fieldsOf(result);
  const rounds = roundsOf(fieldsOf(metadata));
  const model = modelOf(record, fieldsOf(metadata));
  const id = idOf(record.requestId, at, session);
  const scribe = openScribe(id, askedAt, emit);
  tellPrompt(record, scribe);
  tellSummaries(fieldsOf(metadata), rounds, scribe);
  const doneAt = doneAtOf(record, askedAt);
  const answer: Answer = { scribe, model, doneAt };
  tellResponse(response, rounds, answer);
  tellEnd(record, fieldsOf(errorDetails), scribe);
  tellUsage(record, model, doneAt ?? askedAt, scribe);
}

/** `ResponseModelState` of VS Code. */
const CANCELLED = 2;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Of a request without an id, as the oldest versions wrote them, its place tells it from others. */
function idOf(requestId: unknown, at: number, session: string): string {
  const name = nameOf(requestId);
  if (name === undefined) return `${session}/${at}`;
  return UUID.test(name) ? name : `${session}/${name}`;
}

/** The model that answered, where it was left to Copilot which that would be; else the one that was chosen. */
function modelOf({ modelId, response }: Fields, { resolvedModel }: Fields): string | undefined {
  const chosen = textOf(modelId)?.replace(/^copilot\//, "");
  const routes = listOf(response).map((part) => textOf(fieldsOf(fieldsOf(part).resolved).id));
  const routed = routes.findLast((id) => id !== undefined);
  return textOf(resolvedModel) ?? routed ?? (chosen === "auto" ? undefined : chosen);
}

function doneAtOf({ modelState, result }: Fields, askedAt: number | undefined): number | undefined {
  const elapsed = numberOf(fieldsOf(fieldsOf(result).timings).totalElapsed);
  const computed = askedAt === undefined || elapsed === undefined || elapsed < 0 ? undefined : askedAt + elapsed;
  return timeOf(fieldsOf(modelState).completedAt) ?? timeOf(computed);
}

/** Of a conversation that had grown too long, the summary that took its place. */
function tellSummaries({ summary }: Fields, rounds: readonly Round[], scribe: Scribe): void {
  const texts = new Set([...rounds.map((round) => round.summary), textOf(fieldsOf(summary).text) ?? ""]);
  for (const text of texts) scribe.say({ kind: "summary", role: "summary", part: "text", text: text.trim() });
}

function tellEnd({ modelState, isCanceled }: Fields, { message, code }: Fields, scribe: Scribe): void {
  const failure = code === "canceled" ? undefined : textOf(message);
  const isCancelled = numberOf(fieldsOf(modelState).value) === CANCELLED || isCanceled === true || code === "canceled";
  if (failure !== undefined) scribe.notice(`Failed: ${failure}`);
  if (isCancelled) scribe.notice("Cancelled");
}
