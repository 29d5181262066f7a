import { type Fields, fieldsOf, listOf, textOf, timeOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import { pathOf } from "../uri.ts";
import type { Emit } from "./entry.ts";
import { indexFile } from "./paths.ts";

/** Tells what a session says of itself, and what the list beside it says: when it was begun. */
export function tellSession(fields: Fields, session: string, path: string, sidecars: Sidecars, emit: Emit): void {
  const listed = listedSession(session, path, sidecars);
  const cwd = pathOf(fields.workspaceDirectory) ?? pathOf(listed.workspaceDirectory);
  const startedAt = timeOf(listed.dateCreated);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
  });
  const title = (textOf(fields.title) ?? textOf(listed.title) ?? "").trim();
  if (title !== "" && !UNTITLED.has(title)) emit({ kind: "title", title: "generated", text: title });
}

/** What a session is called until it has a title. */
const UNTITLED = new Set(["New Session", "Untitled Session"]);

function listedSession(session: string, path: string, sidecars: Sidecars): Fields {
  const listed = sidecars.entry(indexFile(path), session, (list) =>
    listOf(list)
      .map(fieldsOf)
      .find(({ sessionId }) => sessionId === session),
  );
  return fieldsOf(listed);
}
