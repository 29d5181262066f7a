import { type Fields, fieldsOf, isFields, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader } from "../source.ts";
import { type Emit, type Entry, openEntry } from "./entry.ts";
import { dumpMemory, loadMemory, type Memory } from "./memory.ts";
import { readCustom, readMessage } from "./message.ts";
import { type Place, placeOf, sessionName } from "./place.ts";

/** Reads a transcript of Pi or a program that came from it, of any version. */
export function createReader(file: FoundFile, state?: unknown): Reader {
  const place = placeOf(file.path);
  const memory = loadMemory(state);
  return {
    get session() {
      return memory.session ?? place.session ?? place.stem;
    },
    read(record, emit) {
      const fields = fieldsOf(record);
      if (memory.records === 0) introduce(fields, place, memory, emit);
      memory.records += 1;
      if (!isFields(record)) emit(malformed("not an object"));
      else readEntry(openEntry(fields, place, memory, emit));
    },
    state: () => dumpMemory(memory),
  };
}

/** Where the path doesn't say whose session it is, the header does, which is then the first record. */
function introduce(first: Fields, { session, stem, parent }: Place, memory: Memory, emit: Emit): void {
  memory.session = session ?? (first.type === "session" ? nameOf(first.id) : undefined) ?? stem;
  if (parent !== undefined) emit({ kind: "session", parent: { session: parent, relation: "subagent" } });
}

function readEntry(entry: Entry): void {
  const { fields, emit } = entry;
  switch (fields.type) {
    case "session":
      readHeader(entry);
      return;
    case "message":
      if (!isFields(fields.message)) emit(malformed("message"));
      else if (!readMessage(entry)) emit(unknownType(fields.message.role, "message"));
      return;
    case "compaction":
    case "branch_summary":
      entry.say({ role: "summary", part: "text", text: (textOf(fields.summary) ?? "").trim() });
      entry.count(fields.usage, undefined);
      return;
    case "custom_message":
      readCustom(entry, fields);
      return;
    case "usage":
    case "model_usage":
      entry.count(fields.usage, fields.model);
      return;
    case "label":
      entry.notice(textOf(fields.label) === undefined ? "" : `Label: ${String(fields.label)}`);
      return;
    case "reset_boundary":
      entry.notice("Context cleared");
      return;
    case "session_info":
      tellTitle(entry, fields.name, "user");
      return;
    case "title":
    case "title_change":
      tellTitle(entry, fields.title, fields.source);
      return;
    default:
      if (!SILENT.has(fields.type)) emit(unknownType(fields.type));
  }
}

/** Settings, and state of extensions. */
const SILENT = new Set<unknown>([
  "context_edit",
  "credential_pin",
  "custom",
  "mode_change",
  "model_change",
  "service_tier_change",
  "session_init",
  "thinking_level_change",
  "ttsr_injection",
]);

function readHeader(entry: Entry): void {
  const { fields, place, memory, emit } = entry;
  const cwd = textOf(fields.cwd);
  const startedAt = timeOf(fields.timestamp);
  const origin = textOf(fields.parentSession) ?? textOf(fields.branchedFrom);
  const parent = origin === undefined || place.parent !== undefined ? undefined : nameOf(sessionName(origin));
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(parent !== undefined && parent !== memory.session && { parent: { session: parent, relation: "fork" } }),
  });
  tellTitle(entry, fields.title, fields.titleSource);
}

function tellTitle({ emit }: Entry, title: unknown, source: unknown): void {
  const text = textOf(title)?.trim() ?? "";
  if (text !== "") emit({ kind: "title", title: source === "user" ? "custom" : "generated", text });
}
