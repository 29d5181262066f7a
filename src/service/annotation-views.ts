import { type Memory, parseMemory } from "../core/memory.ts";
import type { Store, StoredChange, StoredEdit } from "../store/store.ts";
import { sessionRef } from "./views.ts";
import { type AnnotationChange, type AnnotationEdit, VIAS } from "./yore.ts";

/** A change as surfaces show it, with the sessions as they are called now. */
export async function changeView(store: Store, change: StoredChange): Promise<AnnotationChange> {
  const { number, at, by, via, undoes, undoneBy } = change;
  const edits = new Map<string, AnnotationEdit>();
  for (const edit of change.edits) {
    const view = await editView(store, edit);
    // A tag can be taken off what a person and what the agent put there at once.
    edits.set(JSON.stringify(view), view);
  }
  return {
    number,
    at,
    by,
    via: VIAS.find((one) => one === via) ?? "cli",
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
    edits: [...edits.values()],
  };
}

async function editView(store: Store, edit: StoredEdit): Promise<AnnotationEdit> {
  const { kind, session, key, was, became } = edit;
  if (kind === "memory") return memoryEdit(edit);
  const known = await store.sessions.byKey(session);
  const ref = known === undefined ? { id: session.nativeId, title: "" } : sessionRef(known);
  const shown = (value: string | undefined) => (value === undefined || key === "" ? value : key);
  // That a tag is marked as removed means that it is gone.
  const [before, after] = kind === "untag" ? [became, was] : [was, became];
  const [wasShown, becameShown] = [shown(before), shown(after)];
  return {
    kind: kind === "untag" ? "tag" : kind,
    session: { ...ref, agent: session.agent },
    ...(wasShown !== undefined && { was: wasShown }),
    ...(becameShown !== undefined && { became: becameShown }),
  };
}

function memoryEdit({ session, was, became }: StoredEdit): AnnotationEdit {
  const [before, after] = [was, became].map((text) => (text === undefined ? undefined : parseMemory(text)));
  const [wasShown, becameShown] = [before, after].map((memory) => (memory === undefined ? undefined : shown(memory)));
  return {
    kind: "memory",
    session: { id: session.nativeId, title: (after ?? before)?.title ?? "", agent: session.agent },
    ...(wasShown !== undefined && { was: wasShown }),
    ...(becameShown !== undefined && { became: becameShown }),
  };
}

function shown({ title, superseded }: Memory): string {
  return superseded === undefined ? title : `${title} (superseded by ${superseded.by})`;
}
