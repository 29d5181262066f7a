import { YoreError } from "../core/errors.ts";
import { formatDay } from "../core/time.ts";
import type { CatchUpReport } from "../ingest/catch-up.ts";
import type { Candidate } from "../ingest/discover.ts";
import type { EmbedProgress } from "../ingest/embed.ts";
import type { Source } from "../sources/source.ts";
import type { FigureReader, Store } from "../store/store.ts";
import { annotationProblems, examineAnnotations } from "./annotation-health.ts";
import { examine } from "./doctor.ts";
import { resolveFilter } from "./find.ts";
import { beforePass, hookFindings } from "./hook-health.ts";
import { type IndexOptions, importing } from "./import-exports.ts";
import { purgeFindings } from "./purge.ts";
import { chosenHealth, vectorFindings, vectorStates } from "./vector-states.ts";
import { projectSummary, sessionSummary } from "./views.ts";
import { watchHistory } from "./watch.ts";
import type { Workbench } from "./workbench.ts";
import type { Freshness, IndexReport, WatchTurn, Yore } from "./yore.ts";

interface Embedded {
  readonly report?: Pick<IndexReport, "vectors">;
  readonly problems?: IndexReport["problems"];
}

/** How long `index` waits for another process that is writing. */
const WAIT_MS = 60_000;

/** Indexing, figures and health. */
export function upkeep(bench: Workbench): Pick<Yore, "stats" | "doctor" | "index" | "import" | "watch" | "status"> {
  const { store, sources, keeper, timeZone } = bench;
  const index = async (options: IndexOptions): Promise<IndexReport> => {
    const started = performance.now();
    const before = await kept(store);
    const pass = await keeper.index({ ...options, retryArchive: true, waitMs: WAIT_MS });
    const problems = [...pass.problems, ...bench.mirror.problems(), ...annotationProblems(bench.annotationMirror)];
    const embedded = pass.stale === undefined ? await embed(options) : {};
    const report = { ...pass, problems: [...problems, ...(embedded.problems ?? [])] };
    const after = await kept(store);
    const mirrored = {
      annotations: Math.max(0, after.annotations - before.annotations),
      decisions: Math.max(0, after.decisions - before.decisions),
    };
    const freshness = await keeper.freshness(report);
    return {
      ...(await indexReport(store, sources, report, freshness, performance.now() - started)),
      mirrored,
      ...embedded.report,
    };
  };
  const embed = async ({ signal, onProgress }: IndexOptions): Promise<Embedded> => {
    const told =
      onProgress &&
      ((progress: EmbedProgress) => onProgress({ phase: "working", what: "making vectors", ...progress }));
    try {
      const vectors = await bench.vectors?.embed({
        waitMs: WAIT_MS,
        ...(signal !== undefined && { signal }),
        ...(told !== undefined && { onProgress: told }),
      });
      return vectors === undefined ? {} : { report: { vectors } };
    } catch (error) {
      // What was read is there to be searched by its words.
      if (!(error instanceof YoreError)) throw error;
      return { problems: [{ path: "vectors", problem: error.message }] };
    }
  };
  return {
    async stats(request = {}) {
      await keeper.refresh();
      const { filter } = await resolveFilter(store, sources, request.filter);
      const { figures } = store;
      const { items } = await store.sessions.projects(filter, { offset: 0, limit: 10_000 });
      const largest = items.toSorted((a, b) => b.messages - a.messages || (a.key < b.key ? -1 : 1));
      return {
        ...(await figures.totals(filter)),
        agents: await figures.perAgent(filter),
        models: await figures.perModel(filter),
        days: byDay(await figures.activity(filter), timeZone),
        topProjects: largest.slice(0, 10).map(projectSummary),
        topFiles: await figures.busiestFiles(filter, 10),
      };
    },

    async doctor() {
      const before = await beforePass(store);
      const report = await keeper.index({ retryArchive: true });
      const freshness = await keeper.freshness(report);
      const { environment, storePath, archivePath } = bench;
      const now = bench.clock();
      const vectors = await vectorStates(bench);
      const further = [
        ...(bench.found ?? []),
        ...bench.mirror.findings(),
        ...bench.exclusions.findings(),
        ...(await examineAnnotations(store, bench.annotationMirror, now)),
        ...(await purgeFindings(store)),
        ...hookFindings(before, report),
        ...(await vectorFindings(bench, vectors)),
      ];
      return examine({
        store,
        storePath,
        archivePath,
        sources,
        environment,
        freshness,
        report,
        now,
        timeZone,
        further,
        hookRuns: before.runs,
        ...(bench.vectors !== undefined && { vectors: chosenHealth(vectors) ?? (await bench.vectors.health()) }),
      });
    },

    index: (request = {}) => index(request),
    ...importing(bench, index),

    watch: (request) => {
      const onTurn = (turn: WatchTurn): void => {
        if (turn.kind === "pass") bench.vectors?.behind();
        request.onTurn?.(turn);
      };
      return watchHistory({ ...bench.watching, ...request, onTurn, keeper, store, clock: bench.clock });
    },

    async status() {
      const freshness = await keeper.refresh();
      const { items } = await store.sessions.list({}, { subagents: false }, { offset: 0, limit: 5 });
      const perAgent = await store.figures.perAgent({});
      return {
        home: bench.yoreHome,
        ...(await store.figures.totals({})),
        agents: perAgent.map(({ agent, sessions, lastAt }) => ({
          agent,
          name: sources.find((source) => source.agent === agent)?.name ?? agent,
          sessions,
          ...(lastAt !== undefined && { lastAt }),
        })),
        recent: items.map(sessionSummary),
        freshness,
      };
    },
  };
}

async function kept({ annotations, decisions }: Store): Promise<{ annotations: number; decisions: number }> {
  return { annotations: (await annotations.all()).length, decisions: (await decisions.standing()).length };
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
): Promise<Omit<IndexReport, "mirrored">> {
  const files = await store.files.all();
  const perAgent = await store.figures.perAgent({});
  const totals = await store.figures.totals({});
  const skippedOf = (agent?: string): number =>
    files
      .filter((file) => agent === undefined || file.agent === agent)
      .reduce((sum, file) => sum + Object.values(file.skipped).reduce((lines, count) => lines + count, 0), 0);
  return {
    files: physicalFiles(report).length,
    filesRead: report.filesRead,
    sessions: totals.sessions,
    messages: totals.messages,
    observations: totals.observations,
    newMessages: report.newMessages,
    restored: report.restored,
    lost: report.lost,
    skippedLines: skippedOf(),
    bytes: report.bytesRead,
    seconds: Math.round(elapsedMs) / 1_000,
    problems: report.problems,
    freshness,
    agents: Object.fromEntries(
      sources.map(({ agent }) => {
        const own = perAgent.find((one) => one.agent === agent);
        const count = physicalFiles(report).filter((candidate) => candidate.source.agent === agent).length;
        return [
          agent,
          { files: count, sessions: own?.sessions ?? 0, messages: own?.messages ?? 0, skippedLines: skippedOf(agent) },
        ];
      }),
    ),
  };
}

/** Containers once, in place of their parts; what came from the archive is no file of an agent's. */
function physicalFiles({ discovery, containers }: CatchUpReport): readonly Candidate[] {
  const plain = discovery.candidates.filter(({ file, archived }) => file.part === undefined && archived === undefined);
  return [...plain, ...containers];
}
