import { basename } from "node:path";
import { fieldsOf, isFields, nameOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader } from "../source.ts";
import { introduce, wholeSummary } from "./head.ts";
import { readMessage } from "./message.ts";
import { readOldMessage } from "./old-message.ts";
import { TEXT_THREAD } from "./paths.ts";
import { openThread, say } from "./scribe.ts";
import { readTextThread } from "./text-thread.ts";

export function createReader(file: FoundFile): Reader {
  return file.unit === "container" ? threadReader(file.part ?? "") : textThreadReader(file.path);
}

/** Reads the records of a thread, as `openThreads` gives them. */
function threadReader(session: string): Reader {
  const thread = openThread(session);
  let summary = "";
  return {
    session,
    read(record, emit) {
      if (!isFields(record)) emit(malformed("not an object"));
      else if (record.type === "thread") {
        introduce(record, thread, emit);
        summary = wholeSummary(record);
      } else if (record.type === "message") {
        if (record.version === CURRENT) readMessage(record.message, thread, emit);
        else readOldMessage(record.message, thread, emit);
      } else emit(record.type === "unreadable" ? malformed("thread data") : unknownType(record.type));
    },
    finish(emit) {
      thread.base = session;
      say(thread, { role: "summary", part: "text", text: summary, key: "summary" }, emit);
    },
    state: () => undefined,
  };
}

const CURRENT = "0.3.0";

function textThreadReader(path: string): Reader {
  const thread = openThread(basename(path.replaceAll("\\", "/")).slice(0, -TEXT_THREAD.length));
  return {
    get session() {
      return thread.session;
    },
    read(record, emit) {
      thread.session = nameOf(fieldsOf(record).id) ?? thread.session;
      readTextThread(record, thread, emit);
    },
    state: () => undefined,
  };
}
