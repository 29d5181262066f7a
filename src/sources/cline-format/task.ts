import { basename, dirname, join } from "node:path";
import { type Fields, fieldsOf, isFields, listOf, textOf, timeOf, tokensOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Item, Reader, Sidecars } from "../source.ts";
import { blocksOf, thoughtsOf } from "./blocks.ts";
import { Conversation } from "./conversation.ts";
import { type Surroundings, surroundingsIn } from "./environment.ts";
import { lookBesideTask, type TaskFacts } from "./facts.ts";
import { UI_MESSAGES } from "./find.ts";
import { type Identify, identifyByContent } from "./identify.ts";
import { type Emit, openScribe } from "./scribe.ts";
import { entriesIn, readUiLog, type UiLog, type UsageRules } from "./ui-log.ts";
import { tellUiLog } from "./ui-task.ts";

/**
 * Reads a task: the history that is sent to the model, with times and tokens out of the log of the interface beside it.
 * Where only that log is there, it is read itself.
 */
export function createTaskReader(file: FoundFile, sidecars: Sidecars, rules: UsageRules): Reader {
  const session = basename(dirname(file.path));
  return {
    session,
    read(record, emit) {
      // Roo's second version: `{version: 2, messages}`.
      const messages = isFields(record) ? record.messages : record;
      if (!Array.isArray(messages)) {
        emit(malformed("not a task"));
        return;
      }
      const facts = lookBesideTask(file.path, session, sidecars);
      if (isUiLog(messages)) {
        const log = readUiLog(messages, rules);
        introduce(session, facts, log, emit, (tell) => tellUiLog(messages, session, facts.parent !== undefined, tell));
        return;
      }
      const log = readUiLog(entriesIn(sidecars.text(join(dirname(file.path), UI_MESSAGES), UI_LIMITS)), rules);
      introduce(session, facts, log, emit, (tell) => tellHistory(messages, { session, facts, log, emit: tell }));
    },
    state: () => undefined,
  };
}

/** Logs of long tasks are larger than other sidecars, since each request stands in them whole. */
const UI_LIMITS = { head: 32_000_000, tail: 0 };
/** Cline's tasks are named after the time they were begun. */
const TIME_ID = /^\d{13}$/;

interface Task {
  readonly session: string;
  readonly facts: TaskFacts;
  readonly log: UiLog;
  readonly emit: Emit;
}

function isUiLog(messages: readonly unknown[]): boolean {
  return messages.some((entry) => isFields(entry) && (entry.type === "say" || entry.type === "ask"));
}

/** Tells the session and its tokens before its messages. One in which nothing was said is none. */
function introduce(
  session: string,
  facts: TaskFacts,
  log: UiLog,
  emit: Emit,
  tell: (emit: Emit) => Surroundings,
): void {
  const items: Item[] = [];
  const { cwd = facts.workspace, repositoryUrl, model } = tell((item) => items.push(item));
  const folder = facts.workspace ?? cwd;
  const { parent, agentVersion, title } = facts;
  const first = items.find((item) => item.kind === "message");
  if (first !== undefined) {
    const startedAt = log.startedAt ?? (TIME_ID.test(session) ? timeOf(session) : undefined) ?? first.at;
    emit({
      kind: "session",
      ...(folder !== undefined && { cwd: folder }),
      ...(startedAt !== undefined && { startedAt }),
      ...(repositoryUrl !== undefined && { repositoryUrl }),
      ...(agentVersion !== undefined && { agentVersion }),
      ...(parent !== undefined && { parent }),
    });
    if (title !== undefined) emit(title);
    tellRequests(session, facts, log, model, emit);
  }
  for (const item of items) emit(item);
}

function tellRequests(session: string, facts: TaskFacts, log: UiLog, model: string | undefined, emit: Emit): void {
  for (const request of log.requests) {
    const by = request.model ?? facts.modelAt(request.at) ?? model;
    openScribe({ id: `${session}:request:${request.at}`, at: request.at, model: by, emit }).usage(request.usage);
  }
}

function tellHistory(messages: readonly unknown[], task: Task): Surroundings {
  const { session, facts, log, emit } = task;
  const conversation = new Conversation({ isSubagent: facts.parent !== undefined, hasXml: true });
  const identify = identifyByContent(session);
  let surroundings: Surroundings = {};
  let nth = 0;
  let before: number | undefined;
  messages.forEach((message, position) => {
    if (!isFields(message)) {
      emit(malformed("message is not an object"));
      return;
    }
    const isUsers = message.role === "user";
    nth += isUsers ? 1 : 0;
    // A message that nothing in the log is of was sent soon after the one before it.
    const at = timeOf(message.ts) ?? log.timeOf(position, isUsers ? "user" : "assistant", nth) ?? before;
    before = at;
    if (isUsers) surroundings = { ...surroundingsOf(message), ...surroundings, ...modelIn(message) };
    const { modelInfo } = message;
    const named = textOf(fieldsOf(modelInfo).modelId) ?? textOf(fieldsOf(modelInfo).id);
    const model = named ?? surroundings.model ?? facts.modelAt(at);
    const typed = log.typedAt(position);
    tellMessage(message, { at, model, typed, identify, conversation, hasUsage: log.requests.length > 0, emit });
  });
  return surroundings;
}

interface Telling {
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly typed: string | undefined;
  readonly identify: Identify;
  readonly conversation: Conversation;
  /** Tokens are told by the log. */
  readonly hasUsage: boolean;
  readonly emit: Emit;
}

function tellMessage(message: Fields, telling: Telling): void {
  const { at, model, typed, identify, conversation, hasUsage, emit } = telling;
  const { role } = message;
  const isThought = role === undefined && message.type === "reasoning";
  const blocks = isThought
    ? thoughtsOf(message).map((text) => ({ kind: "thinking", text }) as const)
    : blocksOf(message.content);
  const id = identify(role === "user" || role === "tool" ? "user" : "assistant", blocks);
  const scribe = openScribe({ id, at, model, emit });
  if (message.isTruncationMarker === true) {
    scribe.notice(blocks.map((block) => ("text" in block ? block.text : "")).join("\n"));
  } else if (message.isSummary === true) conversation.summary(blocks, scribe);
  else if (role === "user" || role === "tool") conversation.user(blocks, scribe, typed);
  else if (role === "assistant" || isThought) {
    conversation.assistant(message, blocks, id, scribe);
    if (!hasUsage) scribe.usage(usageIn(message));
  } else scribe.skipUnknown(role ?? message.type, "message");
}

/** Cline's `metrics`; what was read from the cache and written to it stand there as one. */
function usageIn(message: Fields) {
  const { prompt, completion, cached } = fieldsOf(fieldsOf(message.metrics).tokens);
  return { input: tokensOf(prompt), output: tokensOf(completion), cacheRead: tokensOf(cached), cacheWrite: 0 };
}

function surroundingsOf(message: Fields): Surroundings {
  return Object.assign({}, ...textsOf(message).map(surroundingsIn));
}

function modelIn(message: Fields): Pick<Surroundings, "model"> {
  const { model } = surroundingsOf(message);
  return model === undefined ? {} : { model };
}

function textsOf({ content }: Fields): string[] {
  const texts = typeof content === "string" ? [content] : listOf(content).map((block) => fieldsOf(block).text);
  return texts.filter((text) => typeof text === "string");
}
