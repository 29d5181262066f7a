import { normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { MEMORY_AGENT } from "../core/memory.ts";
import type {
  AnnotationReader,
  ChangeNote,
  HistoryTransaction,
  SessionKey,
  Store,
  StoredChange,
  StoredEdit,
  StoredSession,
} from "../store/store.ts";
import { AnnotationDraft } from "./annotation-draft.ts";
import { type Task, tasksOf } from "./annotation-plan.ts";
import { changeView } from "./annotation-views.ts";
import { noteOf } from "./author.ts";
import { findAnySession, findSession, requireObservation } from "./find.ts";
import { findMemory, memoriesIn } from "./memory-views.ts";
import { sessionRef } from "./views.ts";
import type { Workbench } from "./workbench.ts";
import type { AnnotateRequest, AnnotationOutcome, SessionRef, Yore } from "./yore.ts";

/** A session's whole id, or the beginning of one, is at least this long. */
const PREFIX_CHARS = 8;

/** Changes to what stands on sessions. */
export function annotating(bench: Workbench): Pick<Yore, "annotate" | "undoAnnotation"> {
  const { store, keeper, annotationMirror } = bench;
  return {
    async annotate(request) {
      await keeper.refresh();
      const settled = await settleRequest(store, request);
      const found = await findTargets(namesIn(settled), (name) => findTarget(store, settled, name));
      const { number, outcomes } = await annotationMirror.write(async (tx) => {
        const draft = new AnnotationDraft(tx.annotations);
        const tasks = await tasksOf(settled, tx.annotations);
        if (tasks.length === 0) throw new YoreError("bad-input", "No session was named, or nothing to put on it.");
        const isOne = namesIn(settled).size <= 1;
        const told: AnnotationOutcome[] = [];
        for (const task of tasks) told.push(await outcomeOf(task, draft, found, isOne));
        return { number: await tx.annotate(draft.steps, noteOf(bench, request)), outcomes: told };
      });
      return { ...(number !== undefined && { number }), outcomes, warnings: annotationMirror.problems };
    },

    async undoAnnotation(request = {}) {
      await keeper.refresh();
      const note = noteOf(bench, request);
      const { undone, made, kept } = await annotationMirror.write((tx) => takeBack(tx, request.number, note));
      return {
        undone: await changeView(store, { ...undone, undoneBy: made.number }),
        change: await changeView(store, made),
        kept: (await changeView(store, { ...undone, edits: kept })).edits,
        warnings: annotationMirror.problems,
      };
    },
  };
}

/** What was changed again since is kept. */
async function takeBack(tx: HistoryTransaction, asked: number | undefined, note: ChangeNote) {
  const reader = tx.annotations;
  const number = asked ?? (await reader.latestStanding());
  const undone = number === undefined ? undefined : await reader.change(number);
  if (undone === undefined) {
    const message = asked === undefined ? "There is no change to undo." : "There is no such change.";
    throw new YoreError("not-found", message, { hint: "`yore log` lists the changes and their numbers." });
  }
  if (undone.undoneBy !== undefined) {
    throw new YoreError("bad-input", `Change ${undone.number} was taken back already.`, {
      hint: `\`yore undo ${undone.undoneBy}\` makes it again.`,
    });
  }
  const draft = new AnnotationDraft(reader);
  await requireLatest(reader, undone, draft);
  const kept: StoredEdit[] = [];
  for (const edit of undone.edits.toReversed()) {
    if (await canTakeBack(edit, draft)) draft.set(edit, edit.was);
    else kept.push(edit);
  }
  const added = await tx.annotate(draft.steps, { ...note, undoes: undone.number });
  const made = added === undefined ? undefined : await reader.change(added);
  if (made !== undefined) return { undone, made, kept };
  throw new YoreError("bad-input", "What that change did was changed again since.", {
    hint: "`yore log` lists the changes; undo the later ones first.",
  });
}

/** A memory and what it took the place of belong together: where one was changed again since, none is taken back. */
async function requireLatest(reader: AnnotationReader, change: StoredChange, draft: AnnotationDraft): Promise<void> {
  for (const edit of change.edits.filter(({ kind }) => kind === "memory")) {
    if ((await draft.value(edit.kind, edit.session, edit.key)) === edit.became) continue;
    const { items } = await reader.changes({ session: edit.session }, { offset: 0, limit: 1 });
    throw new YoreError("bad-input", "What that change did was changed again since.", {
      hint: `Take that back first: \`yore undo ${items[0]?.number}\`. \`yore log ${edit.session.nativeId}\` lists all of it.`,
    });
  }
}

async function canTakeBack({ kind, session, key, was, became }: StoredEdit, draft: AnnotationDraft): Promise<boolean> {
  if ((await draft.value(kind, session, key)) !== became) return false;
  return kind !== "alias" || was === undefined || (await draft.isFree(was, session));
}

/** Looks up the decision of a pin, and refuses an alias that would hide another session. */
async function settleRequest(store: Store, request: AnnotateRequest): Promise<AnnotateRequest> {
  if (request.kind === "pin" && request.decision !== undefined) {
    return { ...request, decision: (await requireObservation(store, request.decision)).publicId };
  }
  const alias = request.kind === "alias" ? (normaliseName(request.alias) ?? "") : "";
  if (alias.length >= PREFIX_CHARS && (await store.sessions.byPrefix(alias, 1)).length > 0) {
    throw new YoreError("bad-input", "That is the beginning of a session's id.", { hint: "Give another alias." });
  }
  return request;
}

function namesIn(request: AnnotateRequest): ReadonlySet<string> {
  if (request.kind === "tags") return new Set(request.items.map(({ session }) => session));
  if ("sessions" in request) return new Set(request.sessions);
  return new Set("session" in request ? [request.session] : []);
}

type Found = ReadonlyMap<string, StoredSession | YoreError>;

/** What is forgotten can only be forgotten and taken back. That can be said of memories too. */
async function findTarget(store: Store, { kind }: AnnotateRequest, name: string): Promise<StoredSession> {
  if (kind !== "forget" && kind !== "unforget") return findSession(store, name);
  const memory = findMemory(await memoriesIn(store.annotations), name);
  const key = memory === undefined ? undefined : { agent: MEMORY_AGENT, nativeId: memory.id };
  if (key === undefined) return findSessionOrMemory(store, name, kind === "forget" ? "seen" : "hidden");
  const { items } = await store.sessions.hidden({ prefix: key.nativeId }, { offset: 0, limit: 1 });
  return items[0] ?? (await store.sessions.byKey(key)) ?? findAnySession(store, name, "seen");
}

/** Where no session is called so, the hint tells of memories too. */
async function findSessionOrMemory(store: Store, name: string, first: "seen" | "hidden"): Promise<StoredSession> {
  try {
    return await findAnySession(store, name, first);
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== "not-found") throw error;
    const hint = `${error.hint ?? ""} \`yore memories --all\` lists memories.`.trim();
    throw new YoreError("not-found", error.message, { hint, cause: error });
  }
}

async function findTargets(names: ReadonlySet<string>, find: (name: string) => Promise<StoredSession>): Promise<Found> {
  const found = new Map<string, StoredSession | YoreError>();
  for (const name of names) {
    try {
      found.set(name, await find(name));
    } catch (error) {
      if (!(error instanceof YoreError) || names.size === 1) throw error;
      found.set(name, error);
    }
  }
  return found;
}

async function outcomeOf(task: Task, draft: AnnotationDraft, found: Found, isOne: boolean): Promise<AnnotationOutcome> {
  const { target, kind, name } = task;
  const asked = typeof target === "string" ? target : target.nativeId;
  const session = typeof target === "string" ? found.get(target) : undefined;
  if (session instanceof YoreError) return { asked, kind, name, outcome: "failed", problem: problemOf(session) };
  const key: SessionKey | undefined = typeof target === "string" ? session : target;
  if (key === undefined) throw new YoreError("bad-input", "No session was named.");
  const ref: SessionRef = session === undefined ? { id: key.nativeId, title: "" } : sessionRef(session);
  try {
    const done = await task.run(draft, key);
    const { alias: _, ...rest } = ref;
    const alias = await draft.value("alias", key);
    return { asked, session: { ...rest, ...(alias !== undefined && { alias }) }, kind, ...done };
  } catch (error) {
    if (isOne || !(error instanceof YoreError) || error.code === "internal") throw error;
    return { asked, session: ref, kind, name, outcome: "failed", problem: problemOf(error) };
  }
}

function problemOf({ code, message, hint }: YoreError): NonNullable<AnnotationOutcome["problem"]> {
  return { code, message, ...(hint !== undefined && { hint }) };
}
