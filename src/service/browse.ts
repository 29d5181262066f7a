import type { Part } from "../core/session.ts";
import { clipLine } from "../core/text.ts";
import type { Store } from "../store/store.ts";
import { findSession, resolveFilter } from "./find.ts";
import { messageRecord, projectSummary, sessionSummary } from "./views.ts";
import { sliceOf, type Workbench } from "./workbench.ts";
import type { Yore } from "./yore.ts";

const READABLE: readonly Part[] = ["text", "call", "result"];

/** Lists, and one session whole. */
export function browse({
  store,
  sources,
  keeper,
  mirror,
}: Workbench): Pick<Yore, "projects" | "sessions" | "tags" | "session"> {
  return {
    async projects(request = {}) {
      const freshness = await keeper.refresh();
      const { filter, warnings } = await resolveFilter(store, sources, request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.projects(filter, slice);
      const problems = mirror.problem === undefined ? warnings : [...warnings, mirror.problem];
      return { items: items.map(projectSummary), total, offset: slice.offset, freshness, warnings: problems };
    },

    async sessions(request = {}) {
      const freshness = await keeper.refresh();
      const { filter, warnings } = await resolveFilter(store, sources, request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.list(filter, { subagents: request.all ?? false }, slice);
      return { items: items.map(sessionSummary), total, offset: slice.offset, freshness, warnings };
    },

    async tags(request = {}) {
      const freshness = await keeper.refresh();
      const { filter, warnings } = await resolveFilter(store, sources, request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.tags(filter, slice);
      return { items, total, offset: slice.offset, freshness, warnings };
    },

    async session(request) {
      await keeper.refresh();
      const session = await findSession(store, request.session);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.messages(
        session.id,
        {
          ...(request.roles !== undefined && { roles: request.roles }),
          ...(request.everything !== true && { parts: READABLE }),
        },
        slice,
      );
      const spans = await store.observations.spans(session.id);
      const related = await store.sessions.related(session);
      return {
        session: sessionSummary(session),
        messages: items.map((message) => messageRecord(message, spanOf(spans, message.seq))),
        total,
        offset: slice.offset,
        related: related.map((one) => ({
          id: one.session.nativeId,
          relation: one.relation,
          title: clipLine(one.session.title, 120),
        })),
      };
    },
  };
}

function spanOf(spans: Awaited<ReturnType<Store["observations"]["spans"]>>, seq: number): string {
  return spans.find((span) => seq >= span.firstSeq && seq <= span.lastSeq)?.publicId ?? "";
}
