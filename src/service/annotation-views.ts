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

async function editView(store: Store, { kind, session, key, was, became }: StoredEdit): Promise<AnnotationEdit> {
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
