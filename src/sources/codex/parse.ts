import { asFields, type Fields, fieldsOf, listOf, nameOf, textOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Item, Reader } from "../source.ts";
import { readOddCall, readOddRecord } from "./drift.ts";
import { readEvent } from "./event.ts";
import { fileSession } from "./paths.ts";
import { CHANNEL, Progress } from "./progress.ts";
import { readResponseItem } from "./response-item.ts";
import { Scribe } from "./scribe.ts";
import { isBareHeader, readSessionMeta, sessionIdOf } from "./session-meta.ts";
import { readUsageRecord } from "./usage.ts";
import { pathOf } from "./values.ts";

/** Reads a rollout of any generation. One record is a line, or the whole of a document. */
export function createReader(file: FoundFile, state?: unknown): Reader {
  let progress = Progress.from(state) ?? new Progress(fileSession(file.path));
  return {
    get session() {
      return progress.session;
    },
    read(record, emit) {
      const fields = asFields(record);
      if (progress.isFresh) progress = new Progress(sessionIdOf(fields ?? {}) ?? progress.session);
      progress.settle();
      if (fields === undefined) emit(malformed("not an object"));
      else readRecord(fields, progress, emit);
    },
    state: () => progress.state(),
  };
}

function readRecord(record: Fields, progress: Progress, emit: (item: Item) => void): void {
  const scribe = new Scribe(progress, emit, record.timestamp ?? record.created_at);
  const payload = asFields(record.payload);
  if (payload !== undefined) readWrapped(record.type, payload, scribe);
  else if (WRAPPERS.has(record.type)) scribe.emit(malformed(`${String(record.type)} without payload`));
  else if (asFields(record.session) !== undefined && Array.isArray(record.items)) readDocument(record, scribe);
  else readBare(record, scribe);
}

/** `{timestamp, type, payload}`, since about September 2025. */
function readWrapped(type: unknown, payload: Fields, scribe: Scribe): void {
  switch (type) {
    case "session_meta":
      readSessionMeta(payload, scribe);
      return;
    case "turn_context":
      readTurnContext(payload, scribe);
      return;
    case "response_item":
      if (!readResponseItem(payload, scribe)) scribe.skipUnknown(payload.type, "response_item");
      return;
    case "event_msg": {
      const event = payload.type === undefined ? (asFields(payload.msg) ?? payload) : payload;
      if (!readEvent(event, scribe)) scribe.skipUnknown(event.type, "event_msg");
      return;
    }
    case "compacted":
      readCompacted(payload, scribe);
      return;
    case "token_usage_record":
      scribe.progress.enterTurn(nameOf(payload.turn_id));
      readUsageRecord(payload, scribe);
      return;
    case "inter_agent_communication":
      scribe.agentMessage(textOf(payload.content) ?? "", CHANNEL.event);
      return;
    default:
      if (!SILENT.has(type)) scribe.skipUnknown(type);
  }
}

const WRAPPERS = new Set<unknown>(["session_meta", "turn_context", "response_item", "event_msg", "compacted"]);
/** State that Codex keeps for itself. */
const SILENT = new Set<unknown>([
  "inter_agent_communication_metadata",
  "retained_context",
  "sampling_boundary",
  "security_risk_score",
  "tool_manifest",
  "world_state",
]);

function readTurnContext(context: Fields, scribe: Scribe): void {
  const { progress } = scribe;
  progress.enterTurn(nameOf(context.turn_id));
  progress.setting.model = nameOf(context.model) ?? progress.setting.model;
  progress.setting.cwd = pathOf(context.cwd) ?? progress.setting.cwd;
}

/** The history that replaces what went before repeats it, so it is passed over. */
function readCompacted(payload: Fields, scribe: Scribe): void {
  const summary = textOf(payload.message)?.trim() ?? "";
  if (summary === "") scribe.notice("Context compacted", CHANNEL.response);
  else scribe.summary(summary, CHANNEL.response);
}

/** `{session, items}`: the first Codex, of April and May 2025, wrote one document per session. */
function readDocument(document: Fields, scribe: Scribe): void {
  readSessionMeta(fieldsOf(document.session), scribe);
  for (const item of listOf(document.items)) {
    const fields = asFields(item);
    if (fields === undefined) scribe.emit(malformed("not an object"));
    else readBare(fields, scribe);
  }
}

/** Response items without a wrapper, below a header of their own. */
function readBare(record: Fields, scribe: Scribe): void {
  if (isBareHeader(record)) readSessionMeta(record, scribe);
  else if (record.type === "function_call" && record.name === undefined) readOddCall(record, scribe);
  else if (record.record_type !== undefined && record.type === undefined) readMarker(record, scribe);
  else if (!readOddRecord(record, scribe) && !readResponseItem(record, scribe)) scribe.skipUnknown(record.type);
}

function readMarker(record: Fields, scribe: Scribe): void {
  if (record.record_type !== "state") scribe.skipUnknown(record.record_type);
}
