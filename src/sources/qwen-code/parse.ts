import { basename, dirname } from "node:path";
import { type Fields, fieldsOf, isFields, nameOf, textOf, timeOf } from "../fields.ts";
import { createDocumentReader } from "../gemini-format/document.ts";
import { type Emit, openScribe } from "../gemini-format/scribe.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Reader, SessionItem, Sidecars } from "../source.ts";
import { loadMemory, type Memory } from "./memory.ts";
import { SUBAGENTS } from "./paths.ts";
import { readRecord } from "./record.ts";

/** Reads a transcript: lines, or in the first versions a document as Gemini CLI wrote it. */
export function createReader(file: FoundFile, state: unknown, sidecars: Sidecars): Reader {
  return file.unit === "document"
    ? createDocumentReader(file, sidecars)
    : new TranscriptReader(file.path, state, sidecars);
}

/** Reads the lines of a session or of a subagent. */
class TranscriptReader implements Reader {
  readonly session: string;
  readonly #path: string;
  /** Native id of the session that started the subagent whose transcript this is. */
  readonly #root: string | undefined;
  readonly #memory: Memory;
  readonly #sidecars: Sidecars;
  #isIntroduced = false;

  constructor(path: string, state: unknown, sidecars: Sidecars) {
    this.#sidecars = sidecars;
    const stem = basename(path).replace(/\.jsonl$/, "");
    const folder = dirname(path);
    this.#path = path;
    this.#root = basename(dirname(folder)) === SUBAGENTS ? basename(folder) : undefined;
    this.session = this.#root === undefined ? stem : `${this.#root}/${stem}`;
    this.#memory = loadMemory(state);
  }

  read(record: unknown, emit: Emit): void {
    this.#memory.records += 1;
    if (!isFields(record)) {
      emit(malformed("not an object"));
      return;
    }
    if (!this.#isIntroduced) this.#introduce(emit);
    this.#learn(record, emit);
    this.#readLine(record, emit);
  }

  state(): unknown {
    return { ...this.#memory };
  }

  /** Hangs a subagent under its spawner. What stands beside its file may be written after its first lines. */
  #introduce(emit: Emit): void {
    this.#isIntroduced = true;
    const memory = this.#memory;
    if (this.#root === undefined || memory.hasMeta) return;
    const meta = this.#sidecars.json(this.#path.replace(/\.jsonl$/, ".meta.json"));
    if (meta === undefined && memory.hasParent) return;
    memory.hasParent = true;
    memory.hasMeta = meta !== undefined;
    const spawner = nameOf(meta?.parentAgentId);
    const session = spawner === undefined ? this.#root : `${this.#root}/agent-${inFileName(spawner)}`;
    emit({ kind: "session", parent: { session, relation: "subagent" } });
    const title = textOf(meta?.description)?.trim();
    if (title) emit({ kind: "title", title: "generated", text: title });
  }

  /** Folder, branch and version stand on every line. */
  #learn(record: Fields, emit: Emit): void {
    const memory = this.#memory;
    const version = nameOf(record.version);
    const opening = memory.isOpened ? {} : openingOf(record);
    memory.isOpened ||= Object.keys(opening).length > 0;
    const facts: SessionItem = {
      kind: "session",
      ...opening,
      ...(version !== undefined && version !== memory.version && { agentVersion: version }),
      ...this.#forkedFrom(record),
    };
    memory.version = version ?? memory.version;
    if (Object.keys(facts).length > 1) emit(facts);
  }

  /** A branch is a copy of the session up to some line; the copied lines name the original. */
  #forkedFrom(record: Fields): Pick<SessionItem, "parent"> {
    const session = nameOf(fieldsOf(record.forkedFrom).sessionId);
    if (session === undefined || this.#memory.hasParent) return {};
    this.#memory.hasParent = true;
    return { parent: { session, relation: "fork" } };
  }

  #readLine(record: Fields, emit: Emit): void {
    const memory = this.#memory;
    const uuid = nameOf(record.uuid);
    memory.repeats = uuid !== undefined && uuid === memory.uuid ? memory.repeats + 1 : 0;
    memory.uuid = uuid;
    const name = uuid ?? `${this.session}/${memory.records}`;
    const scribe = openScribe({
      // Lines in a row with one uuid are pieces of one message.
      id: memory.repeats === 0 ? name : `${name}~${memory.repeats}`,
      usageKey: name,
      at: timeOf(record.timestamp),
      isSubagent: this.#root !== undefined || record.isSidechain === true,
      place: placeOf(record),
      emit,
    });
    readRecord(record, scribe, memory, emit);
  }
}

function openingOf(record: Fields): Pick<SessionItem, "cwd" | "branch" | "startedAt"> {
  const startedAt = timeOf(record.timestamp);
  return { ...placeOf(record), ...(startedAt !== undefined && { startedAt }) };
}

function placeOf(record: Fields): Pick<SessionItem, "cwd" | "branch"> {
  const cwd = textOf(record.cwd);
  const branch = textOf(record.gitBranch);
  return { ...(cwd !== undefined && { cwd }), ...(branch !== undefined && branch !== "HEAD" && { branch }) };
}

/** As Qwen Code makes a file's name of an agent's id. */
function inFileName(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_");
}
