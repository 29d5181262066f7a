import { levelsOf } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { MEMORY_AGENT } from "../core/memory.ts";
import type { SessionKey, Store, StoredAnnotation, StoredSession } from "../store/store.ts";
import { changeView } from "./annotation-views.ts";
import { findSession, resolveFilter } from "./find.ts";
import { findMemory, memoriesIn } from "./memory-views.ts";
import { sessionRef, sessionSummary } from "./views.ts";
import { sliceOf, type Workbench } from "./workbench.ts";
import type {
  Annotation,
  CollectionSummary,
  ForgottenSession,
  PinnedSession,
  SessionAnnotations,
  SessionRef,
  Yore,
} from "./yore.ts";

const ALL = { offset: 0, limit: 100_000 };

/** What stands on sessions, and how it came about. */
export function annotationLists({
  store,
  sources,
  keeper,
  annotationMirror,
}: Workbench): Pick<Yore, "annotations" | "annotationLog" | "forgotten" | "pins" | "collections"> {
  return {
    async annotations(request) {
      await keeper.refresh();
      return annotationsOn(store, await findSession(store, request.session));
    },

    async annotationLog(request = {}) {
      const freshness = await keeper.refresh();
      const session = request.session === undefined ? undefined : await findSubject(store, request.session);
      const slice = sliceOf(request);
      const { items, total } = await store.annotations.changes({ ...(session !== undefined && { session }) }, slice);
      const changes = await Promise.all(items.map((change) => changeView(store, change)));
      return { items: changes, total, offset: slice.offset, freshness, warnings: annotationMirror.problems };
    },

    async forgotten(request = {}) {
      const freshness = await keeper.refresh();
      const all = (await store.annotations.all("forgotten")).toSorted(
        (a, b) => b.at - a.at || (a.session.nativeId < b.session.nativeId ? -1 : 1),
      );
      const stored = new Map<string, SessionRef>();
      for (const session of (await store.sessions.hidden({ reason: "forgotten" }, ALL)).items) {
        stored.set(idOf(session), sessionRef(session));
      }
      const { offset, limit } = sliceOf(request);
      const items = all.slice(offset, offset + limit).map(
        ({ session: { agent, nativeId }, at, by, value }): ForgottenSession => ({
          session: { id: nativeId, title: "", ...stored.get(idOf({ agent, nativeId })), agent },
          at,
          by,
          ...(value !== "" && { reason: value }),
        }),
      );
      return { items, total: all.length, offset, freshness, warnings: annotationMirror.problems };
    },

    async pins(request = {}) {
      const freshness = await keeper.refresh();
      const { filter, warnings } = await resolveFilter(store, sources, request.filter);
      const { items } = await store.sessions.list({ ...filter, pinned: true }, { subagents: true }, ALL);
      const pins = new Map((await store.annotations.all("pin")).map((pin) => [idOf(pin.session), pin]));
      const pinned = items
        .flatMap((session) => {
          const pin = pins.get(idOf(session));
          return pin === undefined ? [] : [{ session, pin }];
        })
        .sort((a, b) => b.pin.at - a.pin.at || (a.session.nativeId < b.session.nativeId ? -1 : 1));
      const slice = sliceOf(request);
      const page = pinned.slice(slice.offset, slice.offset + slice.limit);
      const shown = await Promise.all(page.map(({ session, pin }) => pinnedSession(store, session, pin)));
      return { items: shown, total: pinned.length, offset: slice.offset, freshness, warnings };
    },

    async collections(request = {}) {
      const freshness = await keeper.refresh();
      const all = collectionsOf(await store.annotations.seen("collection"));
      const { offset, limit } = sliceOf(request);
      return { items: all.slice(offset, offset + limit), total: all.length, offset, freshness };
    },
  };
}

/** A session, or failing that a memory, whose history stands under its id. */
async function findSubject(store: Store, name: string): Promise<SessionKey> {
  try {
    return await findSession(store, name);
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== "not-found") throw error;
    const memory = findMemory(await memoriesIn(store.annotations), name);
    if (memory === undefined) throw error;
    return { agent: MEMORY_AGENT, nativeId: memory.id };
  }
}

async function annotationsOn(store: Store, session: StoredSession): Promise<SessionAnnotations> {
  const all = await store.annotations.of(session);
  const one = (kind: "alias" | "note" | "pin") => all.find((annotation) => annotation.kind === kind);
  const [alias, note, pin] = [one("alias"), one("note"), one("pin")];
  const tags = new Map(all.filter(({ kind }) => kind === "tag").map((tag) => [tag.key, tag]));
  return {
    session: sessionSummary(session),
    tags: session.tags.map((value) => ({ ...datedIn(tags.get(value)), value })),
    collections: all.filter(({ kind }) => kind === "collection").map((one) => ({ ...datedIn(one), value: one.key })),
    ...(alias !== undefined && { alias: { ...datedIn(alias), value: alias.value } }),
    ...(note !== undefined && { note: { ...datedIn(note), value: note.value } }),
    ...(pin !== undefined && { pin: { ...datedIn(pin), value: pin.value } }),
  };
}

function datedIn(annotation: StoredAnnotation | undefined): Omit<Annotation, "value"> {
  return annotation === undefined ? {} : { at: annotation.at, by: annotation.by };
}

async function pinnedSession(store: Store, session: StoredSession, pin: StoredAnnotation): Promise<PinnedSession> {
  const decision = pin.value === "" ? undefined : (await store.observations.byPrefix(pin.value, 1))[0];
  return {
    session: sessionSummary(session),
    at: pin.at,
    by: pin.by,
    ...(pin.value !== "" && {
      decision: { id: pin.value, ...(decision !== undefined && { title: decision.title }) },
    }),
  };
}

function collectionsOf(members: readonly StoredAnnotation[]): CollectionSummary[] {
  const sums = new Map<string, { own: Set<string>; below: Set<string> }>();
  for (const { key, session } of members) {
    for (const level of levelsOf(key)) {
      const sum = sums.get(level) ?? { own: new Set<string>(), below: new Set<string>() };
      if (level === key) sum.own.add(idOf(session));
      sum.below.add(idOf(session));
      sums.set(level, sum);
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([collection, { own, below }]) => ({ collection, sessions: own.size, sessionsBelow: below.size }));
}

function idOf({ agent, nativeId }: { readonly agent: string; readonly nativeId: string }): string {
  return `${agent} ${nativeId}`;
}
