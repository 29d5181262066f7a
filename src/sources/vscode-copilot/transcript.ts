import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { Reader, Sidecars } from "../source.ts";
import { toolUse } from "../tool-use.ts";
import { chatsOf, type Place } from "./paths.ts";
import { callName } from "./rounds.ts";
import { type Emit, openScribe, type Scribe } from "./scribe.ts";
import { modelToolName } from "./tool-names.ts";
import { describeCall } from "./tools.ts";
import { tellCallUsage } from "./usage.ts";
import { workspaceFolder } from "./workspace.ts";

/**
 * Reads a transcript, which the extension writes for hooks: events much like those of Copilot CLI. It says the same as
 * the chat that VS Code itself keeps, under other names. Where there is such a chat only facts of the session are told;
 * there is none on a machine that VS Code is connected to.
 */
export function createTranscriptReader(place: Place, sidecars: Sidecars): Reader {
  const isTold = chatsOf(place).some((path) => sidecars.exists(path));
  const memory: Memory = { calls: new Map(), subagents: new Set() };
  let session = place.session;
  let records = 0;
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = fieldsOf(record);
      records += 1;
      if (records === 1 && isStart(fields)) session = nameOf(fieldsOf(fields.data).sessionId) ?? session;
      if (!isFields(record)) emit(malformed("not an object"));
      else if (!isFields(record.data)) emit(malformed("no data"));
      else {
        // Told in any case: what was read of a transcript is kept where it says nothing at all any more.
        if (records === 1) tellStart(isStart(record) ? record.data : {}, place, sidecars, emit);
        if (isTold || isStart(record)) return;
        const at = timeOf(record.timestamp);
        const scribe = openScribe(nameOf(record.id) ?? `${session}/${records}`, at, emit);
        const event = { type: record.type, data: record.data, at, scribe, memory };
        readEvent(event);
      }
    },
    state: () => undefined,
  };
}

interface Memory {
  /** Calls that were told, with when they began to run. */
  readonly calls: Map<string, { readonly name: string; readonly at?: number }>;
  /** Calls of subagents that are running: what is said in the meantime is theirs. */
  readonly subagents: Set<string>;
}

interface TranscriptEvent {
  readonly type: unknown;
  readonly data: Fields;
  readonly at: number | undefined;
  readonly scribe: Scribe;
  readonly memory: Memory;
}

function isStart({ type }: Fields): boolean {
  return type === "session.start";
}

const SILENT = new Set<unknown>(["assistant.turn_start", "assistant.turn_end"]);

/** Names of tools that start one: `runSubagent`, `search_subagent` and their like. */
const SUBAGENT = /subagent/i;

function tellStart({ context, startTime, copilotVersion }: Fields, place: Place, sidecars: Sidecars, emit: Emit): void {
  const cwd = textOf(fieldsOf(context).cwd) ?? workspaceFolder(place.storage, sidecars);
  const startedAt = timeOf(startTime);
  const agentVersion = textOf(copilotVersion);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
  });
}

function readEvent(event: TranscriptEvent): void {
  const { type, data, at, scribe, memory } = event;
  switch (type) {
    case "user.message":
      scribe.say({
        role: memory.subagents.size > 0 ? "system" : "human",
        part: "text",
        text: (textOf(data.content) ?? "").trim(),
      });
      return;
    case "assistant.message":
      readAnswer(event);
      return;
    case "tool.execution_start":
      readToolStart(event);
      return;
    case "tool.execution_complete":
      readToolEnd(event);
      return;
    case "assistant.usage":
      tellCallUsage(data, at, scribe);
      return;
    default:
      if (!SILENT.has(type)) scribe.emit(unknownType(type));
  }
}

function readAnswer({ data, scribe, memory }: TranscriptEvent): void {
  const thought = (textOf(data.reasoningText) ?? "").trim();
  scribe.say({ kind: "thinking", role: "assistant", part: "thinking", text: thought });
  scribe.say({ role: "assistant", part: "text", text: (textOf(data.content) ?? "").trim() });
  for (const request of listOf(data.toolRequests)) {
    const { toolCallId, name, arguments: input } = fieldsOf(request);
    sayCall(callName(toolCallId), modelToolName(textOf(name) ?? "tool"), input, scribe, memory);
  }
}

/** The message that asks for a call tells it, or else the event of its start. */
function sayCall(id: string, name: string, input: unknown, scribe: Scribe, { calls }: Memory): void {
  if (id !== "" && calls.has(id)) return;
  if (id !== "") calls.set(id, { name });
  scribe.say({
    kind: `call:${id || "tool"}`,
    role: "tool",
    part: "call",
    ...describeCall(name, id || undefined, input),
  });
}

function readToolStart({ data, at, scribe, memory }: TranscriptEvent): void {
  const id = callName(data.toolCallId);
  const name = modelToolName(textOf(data.toolName) ?? "tool");
  sayCall(id, name, data.arguments, scribe, memory);
  if (id !== "" && SUBAGENT.test(name)) memory.subagents.add(id);
  if (id !== "" && at !== undefined) memory.calls.set(id, { name: memory.calls.get(id)?.name ?? name, at });
}

function readToolEnd({ data, at, scribe, memory }: TranscriptEvent): void {
  const id = callName(data.toolCallId);
  const call = memory.calls.get(id);
  memory.subagents.delete(id);
  const ran = at === undefined || call?.at === undefined ? undefined : at - call.at;
  scribe.say({
    kind: `result:${id || "tool"}`,
    role: "tool",
    part: "result",
    text: (textOf(fieldsOf(data.result).content) ?? "").trim(),
    tool: {
      ...toolUse(call?.name ?? "tool", id || undefined),
      ...(data.success === false && { isError: true }),
      ...(ran !== undefined && ran >= 0 && { durationMs: ran }),
    },
  });
}
