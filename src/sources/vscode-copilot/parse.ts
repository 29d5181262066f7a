import { asFields, isFields } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { sessionIn, tellChat } from "./chat.ts";
import { MutationLog } from "./mutation-log.ts";
import { type Place, placeOf } from "./paths.ts";
import { createTranscriptReader } from "./transcript.ts";

export function createReader(file: FoundFile, _state: unknown, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  if (place.isTranscript) return createTranscriptReader(place, sidecars);
  return file.unit === "document" ? createDocumentReader(place, sidecars) : createLogReader(place, sidecars);
}

/** A chat as it was written until 1.108: `{sessionId, requests}`, whole each time. */
function createDocumentReader(place: Place, sidecars: Sidecars): Reader {
  let { session } = place;
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const chat = asFields(record);
      if (chat === undefined || !Array.isArray(chat.requests)) {
        emit(malformed("not a chat"));
        return;
      }
      session = sessionIn(place, chat);
      tellChat(chat, place, sidecars, emit);
    },
    state: () => undefined,
  };
}

/** A chat as it is written since: what changed in it, one change a line. Told as it stands at the end. */
function createLogReader(place: Place, sidecars: Sidecars): Reader {
  const log = new MutationLog();
  return {
    get session() {
      return sessionIn(place, log.chat);
    },
    read(record, emit) {
      const skip = isFields(record) ? log.apply(record) : malformed("not an object");
      if (skip !== undefined) emit(skip);
    },
    finish: (emit) => tellChat(log.chat, place, sidecars, emit),
    state: () => undefined,
  };
}
