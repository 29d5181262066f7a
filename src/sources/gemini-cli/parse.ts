import { asFields } from "../fields.ts";
import { sessionIn, tellChat } from "../gemini-format/chat.ts";
import { createDocumentReader } from "../gemini-format/document.ts";
import { placeOf } from "../gemini-format/place.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { Fold } from "./fold.ts";

/** Reads a chat: a document of all messages, or in newer versions a log of mutations. */
export function createReader(file: FoundFile, _state: unknown, sidecars: Sidecars): Reader {
  return file.unit === "document" ? createDocumentReader(file, sidecars) : createLogReader(file, sidecars);
}

function createLogReader(file: FoundFile, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  const fold = new Fold();
  let session = sessionIn(place, {});
  let isFresh = true;
  return {
    get session() {
      return session;
    },
    read(record, emit) {
      const fields = asFields(record);
      if (isFresh) session = sessionIn(place, fields ?? {});
      isFresh = false;
      if (fields === undefined) emit(malformed("not an object"));
      else if (!fold.apply(fields)) emit(unknownType("record"));
    },
    finish(emit) {
      tellChat({ place, session, header: fold.header, steps: [...fold.steps()], sidecars }, emit);
    },
    state: () => undefined,
  };
}
