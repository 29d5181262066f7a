import { YoreError } from "../core/errors.ts";
import { holdsAt, MEMORY_AGENT, type Memory } from "../core/memory.ts";
import { clipLine } from "../core/text.ts";
import { packContext } from "../memory/context.ts";
import type { Ranked } from "../search/rank.ts";
import { search } from "../search/search.ts";
import { traceSearch } from "../search/trace.ts";
import type { Source } from "../sources/source.ts";
import type { ObservationFilter, Store, StoredMessage, StoredObservation, StoredSession } from "../store/store.ts";
import { findObservation, findSession, requireObservation, resolveFilter } from "./find.ts";
import { memoriesIn, memoryRecord, staleAmong, storedMemory } from "./memory-views.ts";
import { digestOf } from "./observation-digest.ts";
import { understand } from "./search-request.ts";
import { headOf, messageRecord, sessionSummary, tokensOf } from "./views.ts";
import type { Workbench } from "./workbench.ts";
import type { Hit, MemoryRecord, ObservationRecord, TimelineEntry, TimelineRequest, Yore } from "./yore.ts";

const LEAST_BUDGET = 200;

/** A workbench, of whose keeper nothing is wanted but what it says of freshness. */
type Bench = Omit<Workbench, "keeper"> & { readonly keeper: Pick<Workbench["keeper"], "refresh"> };

/** The steps of recall: find, look around, read, hand over. */
export function recall(bench: Bench): Pick<Yore, "search" | "timeline" | "observations" | "context"> {
  const { store, sources, keeper, clock, timeZone, environment, embedQuery } = bench;
  return {
    async search(request) {
      const freshness = await keeper.refresh();
      const asking = { now: clock(), timeZone, home: environment.home };
      const { input, filters, warnings } = await understand(store, sources, request, asking);
      if (input.terms.length === 0 && filters.length === 0) {
        throw new YoreError("bad-input", "There is nothing to search for.", {
          hint: 'Give a word, a phrase or a filter: "rate limiter", or project:api since:yesterday.',
        });
      }
      const outcome = await search(store, { ...input, meaningOf: embedQuery });
      const { query } = request;
      const trace = request.trace === true ? await traceSearch(store, input, outcome, { query, filters }) : undefined;
      const stale = await staleAmong(bench, await memoriesAmong(store, outcome.hits));
      return {
        query,
        tier: outcome.tier,
        total: outcome.total,
        totalIsExact: outcome.totalIsExact,
        ignoredWords: outcome.ignoredWords,
        readings: outcome.readings,
        filters,
        warnings,
        offset: input.offset,
        freshness,
        hits: await Promise.all(
          outcome.hits.map(async (hit): Promise<Hit> => {
            const { observation, message, snippet, score } = hit;
            return {
              ...entryOf(observation),
              snippet: snippet.text,
              marks: snippet.marks,
              message: { id: message?.uid ?? "", role: message?.role ?? "human" },
              messages: await messagesOf(store, hit),
              score: round(score),
              ...(stale.has(observation.publicId) && { isStale: true }),
            };
          }),
        ),
        ...(trace !== undefined && { trace }),
      };
    },

    async timeline(request) {
      const freshness = await keeper.refresh();
      const { anchor, before, after, warnings } = await entriesAround(store, sources, request);
      const ordered = [...before.toReversed(), ...after];
      const entries = await Promise.all(ordered.map((observation) => timelineEntry(store, observation)));
      return {
        entries,
        freshness,
        warnings,
        anchor: ordered.findIndex((observation) => observation.id === anchor?.id),
      };
    },

    async observations({ ids }) {
      await keeper.refresh();
      const observations: ObservationRecord[] = [];
      const missing: { id: string; nearest: readonly string[] }[] = [];
      for (const id of ids) {
        const found = await findObservation(store, id);
        if (found === undefined) missing.push({ id, nearest: await store.observations.nearest(id.toLowerCase(), 3) });
        else observations.push(await observationRecord(bench, found));
      }
      return { observations, missing };
    },

    async context(request) {
      await keeper.refresh();
      const budget = request.budget ?? 4_000;
      if (budget < LEAST_BUDGET) {
        throw new YoreError("bad-input", `A budget of ${budget} tokens is too small.`, {
          hint: `Give at least ${LEAST_BUDGET}.`,
        });
      }
      const session = await findSession(store, request.session);
      const { items } = await store.sessions.messages(session.id, {}, EVERY_MESSAGE);
      const packed = packContext(session, await standing(store, session, items), {
        mode: request.mode ?? "condensed",
        budget,
        ...(timeZone !== undefined && { timeZone }),
        ...(await savedOn(store, session, clock())),
      });
      return {
        session: sessionSummary(session),
        text: packed.text,
        tokens: packed.tokens,
        messagesShown: packed.shown,
        messagesLeftOut: packed.leftOut,
      };
    },
  };
}

/** As many of a hit's messages are told. */
const MOST_MESSAGES = 4;

async function messagesOf(store: Store, { observation, evidence }: Ranked): Promise<Hit["messages"]> {
  const told = new Map(evidence.slice(0, MOST_MESSAGES).map(({ message, weight }) => [message, weight]));
  return (await store.observations.uidsAt(observation, [...told.keys()]))
    .map(({ index, uid, role }) => ({ id: uid, role, score: round(told.get(index) ?? 0) }))
    .sort((a, b) => b.score - a.score);
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

const EVERY_MESSAGE = { offset: 0, limit: 100_000 };

/** The messages but for those that no longer count, since a memory that stood on them was superseded. */
async function standing(
  store: Store,
  session: StoredSession,
  messages: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const within = { before: 0, after: EVERY_MESSAGE.limit, session: session.id };
  const { after: valid } = await store.observations.around(0, { subagents: true }, within);
  const ids = new Set(valid.map(({ publicId }) => publicId));
  const gone = (await store.observations.spans(session.id)).filter(({ publicId }) => !ids.has(publicId));
  return messages.filter(({ seq }) => !gone.some(({ firstSeq, lastSeq }) => seq >= firstSeq && seq <= lastSeq));
}

/** The note on a session, and what was saved in it and holds, the latest first. */
async function savedOn(store: Store, { agent, nativeId }: StoredSession, now: number) {
  const note = (await store.annotations.of({ agent, nativeId })).find(({ kind }) => kind === "note")?.value;
  const remembered = (await memoriesIn(store.annotations))
    .filter((memory) => memory.session?.agent === agent && memory.session.nativeId === nativeId)
    .filter((memory) => holdsAt(memory, now))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .map(({ type, title }) => `${type}: ${title}`);
  return { remembered, ...(note !== undefined && { note }) };
}

function entryOf(observation: StoredObservation): Omit<TimelineEntry, "summary" | "files"> {
  return { ...headOf(observation), tokens: tokensOf(observation) };
}

async function timelineEntry(store: Store, observation: StoredObservation): Promise<TimelineEntry> {
  const messages = await store.observations.messages(observation);
  const files = await store.observations.files(observation.id);
  const conclusion = messages.findLast((message) => message.role === "assistant" && message.part === "text");
  return {
    ...entryOf(observation),
    summary: clipLine(conclusion?.text ?? "", 280),
    files: files.slice(0, 8).map((file) => file.path),
  };
}

async function entriesAround(
  store: Store,
  sources: readonly Source[],
  request: TimelineRequest,
): Promise<{
  readonly anchor: StoredObservation | undefined;
  readonly before: readonly StoredObservation[];
  readonly after: readonly StoredObservation[];
  readonly warnings: readonly string[];
}> {
  const { before = 5, after = 5 } = request;
  const resolved = await resolveFilter(store, sources, request.filter);
  const { warnings } = resolved;
  const filter: ObservationFilter = { ...resolved.filter, subagents: false };
  if (request.observation !== undefined) {
    const anchor = await requireObservation(store, request.observation);
    const around = await store.observations.around(
      anchor.at,
      { ...filter, subagents: anchor.isSubagent },
      { before: before + 20, after: after + 21 },
    );
    // Others may have begun at the same moment: the anchor is found by its id.
    const all = [...around.before.toReversed(), ...around.after];
    const at = all.findIndex((observation) => observation.id === anchor.id);
    if (at === -1)
      return {
        warnings,
        anchor,
        before: around.before.slice(0, before),
        after: [anchor, ...around.after].slice(0, after + 1),
      };
    return {
      warnings,
      anchor,
      before: all.slice(Math.max(0, at - before), at).toReversed(),
      after: all.slice(at, at + after + 1),
    };
  }
  if (request.session !== undefined) {
    const session = await findSession(store, request.session);
    const within = { subagents: true };
    const { after: all } = await store.observations.around(0, within, {
      before: 0,
      after: before + after + 1,
      session: session.id,
    });
    return { warnings, anchor: all[0], before: [], after: all };
  }
  const at = request.at ?? Number.MAX_SAFE_INTEGER;
  const around = await store.observations.around(at, filter, { before, after: after + 1 });
  return { warnings, anchor: around.after[0], ...around };
}

async function observationRecord(bench: Bench, observation: StoredObservation): Promise<ObservationRecord> {
  const { store, clock } = bench;
  const messages = await store.observations.messages(observation);
  const memory = observation.agent === MEMORY_AGENT ? await memoryOf(bench, observation.publicId) : undefined;
  const withdrawnBy = await successors(store, await store.memories.withdrawing(observation.publicId, clock()));
  return {
    ...headOf(observation),
    endedAt: observation.endedAt,
    files: await store.observations.files(observation.id),
    ...digestOf(messages),
    messages: messages.map((message) => messageRecord(message, observation.publicId)),
    ...(observation.branch !== undefined && { branch: observation.branch }),
    ...(memory !== undefined && { memory }),
    ...(withdrawnBy.length > 0 && { withdrawnBy }),
  };
}

/** What took the place of memories, or of what did; the memories themselves where nothing is known of that. */
async function successors(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const by = new Map((await memoriesIn(store.annotations)).map(({ id, superseded }) => [id, superseded?.by]));
  const last = (id: string, seen: readonly string[] = []): string => {
    const next = by.get(id);
    return next === undefined || seen.includes(next) ? id : last(next, [...seen, id]);
  };
  return [...new Set(ids.map((id) => last(id)))];
}

async function memoryOf(bench: Bench, id: string): Promise<MemoryRecord | undefined> {
  const memory = await storedMemory(bench.store, id);
  return memory === undefined ? undefined : memoryRecord(bench, memory);
}

async function memoriesAmong(
  store: Store,
  hits: readonly { readonly observation: StoredObservation }[],
): Promise<readonly Memory[]> {
  const found = hits.filter(({ observation }) => observation.agent === MEMORY_AGENT);
  const memories = await Promise.all(found.map(({ observation }) => storedMemory(store, observation.publicId)));
  return memories.filter((memory) => memory !== undefined);
}

/** The memory of that whole id. */
