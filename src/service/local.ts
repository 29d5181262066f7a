import { join } from "node:path";
import { YoreError } from "../core/errors.ts";
import type { Part } from "../core/session.ts";
import { clipLine } from "../core/text.ts";
import { type Clock, formatDay } from "../core/time.ts";
import type { CatchUpOptions, CatchUpReport } from "../ingest/catch-up.ts";
import { packContext } from "../memory/context.ts";
import { search } from "../search/search.ts";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import type {
  FigureReader,
  ObservationFilter,
  Slice,
  Store,
  StoredMessage,
  StoredObservation,
} from "../store/store.ts";
import { examine } from "./doctor.ts";
import { findObservation, findSession, requireObservation, resolveFilter } from "./find.ts";
import { Keeper } from "./keeper.ts";
import { MAX_LIMIT, understand } from "./search-request.ts";
import { messageRecord, projectOf, projectSummary, sessionOf, sessionSummary, tokensOf } from "./views.ts";
import type {
  Freshness,
  Hit,
  IndexReport,
  ObservationRecord,
  PageRequest,
  TimelineEntry,
  TimelineRequest,
  Yore,
} from "./yore.ts";

export interface LocalOptions {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly environment: SourceEnvironment;
  readonly clock: Clock;
  readonly timeZone: string | undefined;
  readonly yoreHome: string;
  readonly storePath: string;
  readonly catchUpMs: number;
  /** Whether the first question waits until all history was read once. */
  readonly firstPassWhole: boolean;
  readonly onProgress?: CatchUpOptions["onProgress"];
}

const READABLE: readonly Part[] = ["text", "call", "result"];
const LEAST_BUDGET = 200;

/** Yore over a store on this machine. */
export function createLocalYore(options: LocalOptions): Yore {
  const { store, sources, clock, timeZone } = options;
  const keeper = new Keeper({
    dependencies: { store, sources, environment: options.environment, clock },
    store,
    clock,
    waitMs: options.catchUpMs,
    firstPassWhole: options.firstPassWhole,
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  });

  return {
    async search(request) {
      const freshness = await keeper.refresh();
      const { input, filters, warnings } = await understand(store, sources, request, { now: clock(), timeZone });
      if (input.terms.length === 0 && filters.length === 0) {
        throw new YoreError("bad-input", "There is nothing to search for.", {
          hint: 'Give a word, a phrase or a filter: "rate limiter", or project:api since:yesterday.',
        });
      }
      const outcome = await search(store, input);
      return {
        query: request.query,
        tier: outcome.tier,
        total: outcome.total,
        totalIsExact: outcome.totalIsExact,
        ignoredWords: outcome.ignoredWords,
        filters,
        warnings,
        offset: input.offset,
        freshness,
        hits: outcome.hits.map(
          ({ observation, message, snippet, score }): Hit => ({
            ...entryOf(observation),
            snippet: snippet.text,
            marks: snippet.marks,
            message: { id: message?.uid ?? "", role: message?.role ?? "human" },
            score: Math.round(score * 1_000) / 1_000,
          }),
        ),
      };
    },

    async timeline(request) {
      const freshness = await keeper.refresh();
      const { anchor, before, after } = await entriesAround(store, sources, request);
      const ordered = [...before.toReversed(), ...after];
      const entries = await Promise.all(ordered.map((observation) => timelineEntry(store, observation)));
      return { entries, freshness, anchor: ordered.findIndex((observation) => observation.id === anchor?.id) };
    },

    async observations({ ids }) {
      await keeper.refresh();
      const observations: ObservationRecord[] = [];
      const missing: { id: string; nearest: readonly string[] }[] = [];
      for (const id of ids) {
        const found = await findObservation(store, id);
        if (found === undefined) missing.push({ id, nearest: await store.observations.nearest(id.toLowerCase(), 3) });
        else observations.push(await observationRecord(store, found));
      }
      return { observations, missing };
    },

    async projects(request = {}) {
      const freshness = await keeper.refresh();
      const { filter } = await resolved(request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.projects(filter, slice);
      return { items: items.map(projectSummary), total, offset: slice.offset, freshness };
    },

    async sessions(request = {}) {
      const freshness = await keeper.refresh();
      const { filter } = await resolved(request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.list(filter, { subagents: request.all ?? false }, slice);
      return { items: items.map(sessionSummary), total, offset: slice.offset, freshness };
    },

    async tags(request = {}) {
      const freshness = await keeper.refresh();
      const { filter } = await resolved(request.filter);
      const slice = sliceOf(request);
      const { items, total } = await store.sessions.tags(filter, slice);
      return { items, total, offset: slice.offset, freshness };
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

    async context(request) {
      await keeper.refresh();
      const budget = request.budget ?? 4_000;
      if (budget < LEAST_BUDGET) {
        throw new YoreError("bad-input", `A budget of ${budget} tokens is too small.`, {
          hint: `Give at least ${LEAST_BUDGET}.`,
        });
      }
      const session = await findSession(store, request.session);
      const { items } = await store.sessions.messages(session.id, {}, { offset: 0, limit: 100_000 });
      const mode = request.mode ?? "condensed";
      const packed = packContext(session, items, { mode, budget, ...(timeZone !== undefined && { timeZone }) });
      return {
        session: sessionSummary(session),
        text: packed.text,
        tokens: packed.tokens,
        messagesShown: packed.shown,
        messagesLeftOut: packed.leftOut,
      };
    },

    async stats(request = {}) {
      await keeper.refresh();
      const { filter } = await resolved(request.filter);
      const { figures } = store;
      const { items } = await store.sessions.projects(filter, { offset: 0, limit: 10 });
      return {
        ...(await figures.totals(filter)),
        agents: await figures.perAgent(filter),
        models: await figures.perModel(filter),
        days: byDay(await figures.activity(filter), timeZone),
        topProjects: items.map(projectSummary),
        topFiles: await figures.busiestFiles(filter, 10),
      };
    },

    async doctor() {
      const report = await keeper.index({});
      const freshness = await keeper.freshness(report);
      const { environment, storePath } = options;
      return examine({ store, storePath, sources, environment, freshness, report });
    },

    async index(request = {}) {
      const started = performance.now();
      const { rebuild = false, onProgress, signal } = request;
      const report = await keeper.index({
        rebuild,
        waitMs: 60_000,
        ...(onProgress !== undefined && { onProgress }),
        ...(signal !== undefined && { signal }),
      });
      return indexReport(store, sources, report, await keeper.freshness(report), performance.now() - started);
    },

    async status() {
      const { items } = await store.sessions.list({}, { subagents: false }, { offset: 0, limit: 5 });
      const perAgent = await store.figures.perAgent({});
      return {
        home: options.yoreHome,
        ...(await store.figures.totals({})),
        agents: perAgent.map(({ agent, sessions, lastAt }) => ({
          agent,
          name: sources.find((source) => source.agent === agent)?.name ?? agent,
          sessions,
          ...(lastAt !== undefined && { lastAt }),
        })),
        recent: items.map(sessionSummary),
        freshness: await keeper.known(),
      };
    },

    async close() {
      await keeper.close();
      await store.close();
    },
  };

  function resolved(filter: Parameters<typeof resolveFilter>[2]): ReturnType<typeof resolveFilter> {
    return resolveFilter(store, sources, filter);
  }
}

export function storePathIn(yoreHome: string): string {
  return join(yoreHome, "yore.db");
}

function entryOf(observation: StoredObservation): Omit<TimelineEntry, "summary" | "files"> {
  return {
    id: observation.publicId,
    session: sessionOf(observation),
    agent: observation.agent,
    project: projectOf(observation),
    at: observation.at,
    type: observation.type,
    title: observation.title,
    tokens: tokensOf(observation),
  };
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
}> {
  const { before = 5, after = 5 } = request;
  const resolved = await resolveFilter(store, sources, request.filter);
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
      return { anchor, before: around.before.slice(0, before), after: [anchor, ...around.after].slice(0, after + 1) };
    return {
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
    return { anchor: all[0], before: [], after: all };
  }
  const at = request.at ?? Number.MAX_SAFE_INTEGER;
  const around = await store.observations.around(at, filter, { before, after: after + 1 });
  return { anchor: around.after[0], ...around };
}

async function observationRecord(store: Store, observation: StoredObservation): Promise<ObservationRecord> {
  const messages = await store.observations.messages(observation);
  return {
    id: observation.publicId,
    session: sessionOf(observation),
    agent: observation.agent,
    project: projectOf(observation),
    at: observation.at,
    endedAt: observation.endedAt,
    type: observation.type,
    title: observation.title,
    files: await store.observations.files(observation.id),
    commands: commandsOf(messages),
    messages: messages.map((message) => messageRecord(message, observation.publicId)),
    ...(observation.branch !== undefined && { branch: observation.branch }),
  };
}

/** Commands with how they ended, which the matching result tells. */
function commandsOf(messages: readonly StoredMessage[]): ObservationRecord["commands"] {
  const results = new Map(
    messages.filter((message) => message.part === "result").map((message) => [message.callId, message]),
  );
  return messages
    .filter((message) => message.part === "call")
    .flatMap((call) => {
      const exitCode = call.exitCode ?? (call.callId === undefined ? undefined : results.get(call.callId)?.exitCode);
      return call.commands.map((command) => ({ command, ...(exitCode !== undefined && { exitCode }) }));
    });
}

function spanOf(spans: Awaited<ReturnType<Store["observations"]["spans"]>>, seq: number): string {
  return spans.find((span) => seq >= span.firstSeq && seq <= span.lastSeq)?.publicId ?? "";
}

function byDay(
  activity: Awaited<ReturnType<FigureReader["activity"]>>,
  timeZone: string | undefined,
): { day: string; sessions: number; messages: number }[] {
  const days = new Map<string, { sessions: Set<number>; messages: number }>();
  for (const { at, session, messages } of activity) {
    const day = formatDay(at, timeZone);
    const sum = days.get(day) ?? { sessions: new Set<number>(), messages: 0 };
    sum.sessions.add(session);
    sum.messages += messages;
    days.set(day, sum);
  }
  return [...days].map(([day, { sessions, messages }]) => ({ day, sessions: sessions.size, messages }));
}

async function indexReport(
  store: Store,
  sources: readonly Source[],
  report: CatchUpReport,
  freshness: Freshness,
  elapsedMs: number,
): Promise<IndexReport> {
  const files = await store.files.all();
  const perAgent = await store.figures.perAgent({});
  const totals = await store.figures.totals({});
  const skippedOf = (agent?: string): number =>
    files
      .filter((file) => agent === undefined || file.agent === agent)
      .reduce((sum, file) => sum + Object.values(file.skipped).reduce((lines, count) => lines + count, 0), 0);
  return {
    files: report.discovery.candidates.length,
    filesRead: report.filesRead,
    sessions: totals.sessions,
    messages: totals.messages,
    observations: totals.observations,
    newMessages: report.newMessages,
    skippedLines: skippedOf(),
    bytes: report.bytesRead,
    seconds: Math.round(elapsedMs) / 1_000,
    problems: report.problems,
    freshness,
    agents: Object.fromEntries(
      sources.map(({ agent }) => {
        const own = perAgent.find((one) => one.agent === agent);
        const count = report.discovery.candidates.filter((candidate) => candidate.source.agent === agent).length;
        return [
          agent,
          { files: count, sessions: own?.sessions ?? 0, messages: own?.messages ?? 0, skippedLines: skippedOf(agent) },
        ];
      }),
    ),
  };
}

function sliceOf({ offset = 0, limit = 50 }: PageRequest): Slice {
  return { offset: Math.max(0, offset), limit: Math.min(Math.max(1, limit), MAX_LIMIT * 50) };
}
