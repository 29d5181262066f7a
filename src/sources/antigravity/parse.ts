import { asFields, fieldsOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, Reader, Sidecars } from "../source.ts";
import { documentOf, documentsIn, headingOf, tellDocument, type WrittenDocument } from "./documents.ts";
import { Fold } from "./fold.ts";
import { placeOf } from "./paths.ts";
import { tellSteps } from "./steps.ts";
import { workFolderOf } from "./work-folder.ts";

/** Reads a conversation: its transcript and documents, or its documents alone. */
export function createReader(file: FoundFile, _state: unknown, sidecars: Sidecars): Reader {
  return file.unit === "container" ? createDocumentsReader(file) : createLogReader(file, sidecars);
}

/** A step stands in the log again when it comes to its end, so that all is told at the end. */
function createLogReader(file: FoundFile, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  const fold = new Fold();
  return {
    session: place.session,
    read(record, emit) {
      const fields = asFields(record);
      if (fields === undefined) emit(malformed("not an object"));
      else fold.add(fields);
    },
    finish(emit) {
      const items: Item[] = [];
      tellSteps(fold.steps(), place.session, (item) => items.push(item));
      for (const document of documentsIn(place.folder, sidecars))
        tellDocument(document, place.session, (item) => items.push(item));
      if (items.some(({ kind }) => kind !== "skip")) {
        const cwd = workFolderOf(fold.steps(), place, sidecars);
        emit({ kind: "session", ...(cwd !== undefined && { cwd }) });
      }
      for (const item of items) emit(item);
    },
    state: () => undefined,
  };
}

function createDocumentsReader(file: FoundFile): Reader {
  const { session } = placeOf(file.path);
  const documents: WrittenDocument[] = [];
  return {
    session,
    read(record, emit) {
      const fields = fieldsOf(record);
      const document = fields.type === "document" ? documentOf(fields) : undefined;
      if (document !== undefined) documents.push(document);
      else emit(fields.type === "document" ? malformed("document") : unknownType(fields.type));
    },
    finish(emit) {
      // What was typed is not known, so that the plan has to tell what it was about.
      const title = documents.map(headingOf).find((heading) => heading !== undefined);
      if (title !== undefined) emit({ kind: "title", title: "generated", text: title });
      for (const document of documents) tellDocument(document, session, emit);
    },
    state: () => undefined,
  };
}
