import { asFields, type Fields, fieldsOf, hashOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, Reader } from "../source.ts";

type Emit = (item: Item) => void;

/** Reads the prompts of one session, or of one day. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let isIntroduced = false;
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      if (fields === undefined) emit(malformed("not an object"));
      else if (fields.type === "session") session = nameOf(fields.session) ?? session;
      else if (typeof fields.type === "string") emit(unknownType(fields.type));
      else if (typeof fields.display !== "string") emit(malformed("prompt"));
      else {
        if (!isIntroduced) isIntroduced = introduce(fields, emit);
        readPrompt(fields, session, emit);
      }
    },
    state: () => ({}),
  };
}

/** Commands that say nothing of the work. */
const SILENT =
  /^\/(clear|exit|quit|login|logout|model|config|status|help|resume|doctor|cost|context|usage|mcp|permissions|vim|ide|theme|agents|hooks|plugin|memory|terminal-setup)\s*$/;
/** Stands in the prompt for what was pasted. */
const PASTED = /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g;

/** False where the line says nothing of the session. */
function introduce({ timestamp, project }: Fields, emit: Emit): boolean {
  const at = timeOf(timestamp);
  const cwd = textOf(project);
  if (at === undefined && cwd === undefined) return false;
  emit({ kind: "session", ...(cwd !== undefined && { cwd }), ...(at !== undefined && { startedAt: at }) });
  return true;
}

function readPrompt(fields: Fields, session: string, emit: Emit): void {
  const at = timeOf(fields.timestamp);
  const cwd = textOf(fields.project);
  const text = promptText(fields).trim();
  if (text === "" || SILENT.test(text)) return;
  emit({
    kind: "message",
    nativeId: `${session}:${at ?? ""}:${hashOf(text)}`,
    role: "human",
    part: "text",
    ...(at !== undefined && { at }),
    text,
    ...(cwd !== undefined && { cwd }),
  });
}

/** The prompt with what was pasted into it, as far as the history keeps that: of long pastes it has only a hash. */
function promptText({ display, pastedContents }: Fields): string {
  const pasted = fieldsOf(pastedContents);
  return String(display).replace(PASTED, (mark, n: string) => textOf(fieldsOf(pasted[n]).content) ?? mark);
}
