import { basename } from "node:path";
import { fieldsOf, hashOf, isFields, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { contentText } from "./content.ts";
import { type Emit, type Line, openLine } from "./line.ts";
import { dumpMemory, loadMemory, type Memory } from "./memory.ts";
import { readMessage } from "./message.ts";
import { readSessionStart, readSettings, type Settings, sayTokens, settleOrigin } from "./session-start.ts";
import { todoText } from "./tools.ts";

/** Reads the transcript of one session. */
export function createReader(file: FoundFile, state: unknown, sidecars: Sidecars): Reader {
  const memory = loadMemory(state);
  const stem = basename(file.path, ".jsonl");
  let settings: Settings | undefined;
  return {
    get session() {
      return memory.session ?? stem;
    },
    read(record, emit) {
      const fields = fieldsOf(record);
      memory.session ??= (fields.type === "session_start" ? textOf(fields.id) : undefined) ?? stem;
      if (settings === undefined) {
        settings = readSettings(file.path, sidecars);
        sayTokens(settings, memory.session, memory, emit);
      }
      if (!isFields(record)) {
        emit(malformed("not an object"));
        return;
      }
      if (record.type === "session_start") {
        readSessionStart(record, memory, emit);
        return;
      }
      settleOrigin(record, memory, emit);
      readRecord(openLine(record, memory, memory.session, emit), memory, settings, emit);
    },
    state: () => dumpMemory(memory),
  };
}

function readRecord(line: Line, memory: Memory, { model }: Settings, emit: Emit): void {
  const { fields } = line;
  switch (fields.type) {
    case "message":
      if (!readMessage(line, memory, model)) emit(malformed("message"));
      return;
    case "todo_state":
      sayTodos(line, memory);
      return;
    case "compaction_state":
    case "compaction":
      sayCompaction(line);
      return;
    case "agent_turn_outcome":
      if (fields.reason !== "completed") line.say(notice(`Turn ended: ${textOf(fields.reason) ?? "unknown reason"}`));
      return;
    default:
      if (!SILENT.has(fields.type)) emit(unknownType(fields.type));
  }
}

const SILENT = new Set<unknown>(["session_end", "session_settings"]);

/** The list follows each `TodoWrite`, which told it already. */
function sayTodos(line: Line, memory: Memory): void {
  const text = todoText(line.fields.todos);
  if (text === undefined || hashOf(text) === memory.todos) return;
  memory.todos = hashOf(text);
  line.say(notice(text));
}

/** What a model wrote is a summary; a list of what was said, made for another provider, is not. */
function sayCompaction(line: Line): void {
  const { fields } = line;
  const summary = fieldsOf(fields.summary);
  const titled = [summary.title, summary.body].filter((text) => textOf(text) !== undefined).join("\n");
  const text = (textOf(fields.summaryText) ?? (titled || contentText(fields.summary))).trim();
  const byModel = fields.summaryKind === undefined || fields.summaryKind === "llm_summary";
  line.say(byModel && text !== "" ? { role: "summary", part: "text", text } : notice("Context compacted"));
}

function notice(text: string): { readonly role: "system"; readonly part: "notice"; readonly text: string } {
  return { role: "system", part: "notice", text };
}
