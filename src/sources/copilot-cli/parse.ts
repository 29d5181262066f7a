import { type Fields, fieldsOf, isFields, nameOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { readAnswer, readReasoning } from "./answer.ts";
import { readContextChange, readResume, readStart, repositoryUrl } from "./context.ts";
import { type Emit, type LogEvent, openEvent } from "./event.ts";
import { dumpMemory, loadMemory, type Memory } from "./memory.ts";
import { readNotice } from "./notices.ts";
import { sessionOf, workspaceFile } from "./paths.ts";
import { readPrompt } from "./prompt.ts";
import { SILENT } from "./silent.ts";
import { readToolEnd, readToolStart, sayCall } from "./tools.ts";
import { beginProcess, countCall, countCompaction, countShutdown } from "./usage.ts";
import { readWorkspace } from "./workspace.ts";

/** Reads the events of one session, its subagents' among them. */
export function createReader(file: FoundFile, state: unknown, sidecars: Sidecars): Reader {
  const memory = loadMemory(state);
  let isIntroduced = false;
  return {
    get session() {
      return memory.session ?? sessionOf(file.path);
    },
    read(record, emit) {
      const fields = fieldsOf(record);
      if (memory.records === 0) memory.session = startedSession(fields) ?? sessionOf(file.path);
      if (!isIntroduced) tellWorkspace(file.path, memory, sidecars, emit);
      isIntroduced = true;
      memory.records += 1;
      if (!isFields(record)) emit(malformed("not an object"));
      else if (!isFields(record.data)) emit(malformed("no data"));
      else readEvent(fields.type, openEvent(fields, memory, emit));
    },
    state: () => dumpMemory(memory),
  };
}

function startedSession(first: Fields): string | undefined {
  return first.type === "session.start" ? nameOf(fieldsOf(first.data).sessionId) : undefined;
}

/** Title and repository stand beside the log and change while it grows. */
function tellWorkspace(path: string, memory: Memory, sidecars: Sidecars, emit: Emit): void {
  const { title, repository } = readWorkspace(workspaceFile(path), sidecars);
  const told = title === undefined ? undefined : `${title.title}:${title.text}`;
  if (title !== undefined && told !== memory.title) emit(title);
  memory.title = told ?? memory.title;
  const url = memory.records > 0 ? undefined : repositoryUrl(repository, undefined);
  if (url === undefined) return;
  memory.repositoryUrl = url;
  emit({ kind: "session", repositoryUrl: url });
}

function readEvent(type: unknown, event: LogEvent): void {
  const { data, memory } = event;
  if (memory.isShutDown && type !== "session.shutdown") beginProcess(event);
  switch (type) {
    case "session.start":
      readStart(event);
      return;
    case "session.resume":
      beginProcess(event);
      readResume(event);
      return;
    case "session.context_changed":
      readContextChange(event);
      return;
    case "session.model_change":
      memory.model = textOf(data.newModel) ?? memory.model;
      return;
    case "session.title_changed":
      tellTitle(event);
      return;
    case "user.message":
      readPrompt(event);
      return;
    case "assistant.message":
      readAnswer(event);
      return;
    case "assistant.reasoning":
      readReasoning(event);
      return;
    case "tool.user_requested":
      sayCall(event, data, undefined);
      return;
    case "tool.execution_start":
      readToolStart(event);
      return;
    case "tool.execution_complete":
      readToolEnd(event);
      return;
    case "session.compaction_complete":
      readCompaction(event);
      return;
    case "session.handoff":
      event.say({ role: "summary", part: "text", text: (textOf(data.summary) ?? "").trim() });
      return;
    case "session.usage_record":
      countCall(event);
      return;
    case "session.shutdown":
      countShutdown(event);
      return;
    default:
      if (!readNotice(type, event) && !SILENT.has(type)) event.emit(unknownType(type));
  }
}

function readCompaction(event: LogEvent): void {
  const summary = (textOf(event.data.summaryContent) ?? "").trim();
  const failure = textOf(event.data.error);
  if (summary !== "") event.say({ role: "summary", part: "text", text: summary });
  else event.notice(failure === undefined ? "Context compacted" : `Compaction failed: ${failure}`);
  countCompaction(event);
}

function tellTitle({ data, emit }: LogEvent): void {
  const text = (textOf(data.title) ?? "").trim();
  if (text !== "") emit({ kind: "title", title: "generated", text });
}
