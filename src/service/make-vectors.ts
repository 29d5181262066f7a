import { YoreError } from "../core/errors.ts";
import { estimateTokens } from "../core/text.ts";
import { refreshRedaction } from "../ingest/prepare.ts";
import type { EmbeddableObservation, VectorEntry } from "../store/vectors.ts";
import type { VectorEngine } from "../vectors/engine.ts";
import { modelsFolderIn } from "../vectors/minilm/packages.ts";
import { together } from "../vectors/static-embedder.ts";
import { tokenTable } from "../vectors/token-table.ts";
import { EmbeddingStop, type EngineFailure, MOST_EMBEDDED_CHARS } from "./engines/engine.ts";
import type { ClosedEngine, OtherEngine } from "./engines/open-vectors.ts";
import { patiently } from "./patience.ts";
import { idOf, isMeant, vectorStates } from "./vector-states.ts";
import { Vectors } from "./vectors.ts";
import type { Vectoring, VectorRequest, VectorRun } from "./vectors-api.ts";
import type { Workbench } from "./workbench.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const SESSIONS_AT_ONCE = 50;
/** What is made is stored after so long, so that whoever ends the process at once loses no more. */
const STORED_EVERY_MS = 2_000;
const EVERY_SESSION = 1_000_000;
const EVERY_OBSERVATION = 100_000;

/** Makes vectors by an engine that a person names. */
export function vectoring(bench: Workbench): Vectoring {
  const { store, keeper, clock, vectorSetting, vectors: table } = bench;
  return {
    async vectors() {
      await keeper.refresh();
      return vectorStates(bench);
    },

    async planVectors(request) {
      await keeper.refresh();
      if (request.engine.engine === "static") return planStatic(bench, request);
      const engine = await closedEngine(bench, request, request.engine);
      const { id, to, isSent } = engine;
      const plan = { engine: id, to, isSent };
      const { limit = Number.POSITIVE_INFINITY } = request;
      if (!isSent) {
        const { covered, observations } = await store.vectors.coverage(id);
        const left = observations - covered;
        return { ...plan, observations: Math.min(left, limit), tokens: 0, isAll: left <= limit };
      }
      return { ...plan, ...(await countSent(bench, id, request)) };
    },

    async makeVectors({ onProgress, signal = new AbortController().signal, ...request }) {
      await keeper.refresh();
      const started = clock();
      const report = (done: number, total: number): void => {
        const minutes = (clock() - started) / 60_000;
        onProgress?.({
          phase: "working",
          what: "observations embedded",
          done,
          total,
          ...(minutes > 0 && { perMinute: done / minutes }),
        });
      };
      const { engine: choice } = request;
      if (choice.engine === "static") {
        vectorSetting.write(choice);
        const made = await (table ?? new Vectors(store, clock, tokenTable)).embed({
          signal,
          onProgress: ({ done, total }) => report(done, total),
          waitMs: DEFAULT_TIMEOUT_MS,
        });
        const { id: engine = "static", left } = await staticLeft(bench);
        const outcome = signal.aborted ? "stopped" : "done";
        return {
          engine,
          to: TABLE,
          outcome,
          embedded: made?.embedded ?? 0,
          left,
          ...spent(started, clock()),
          tokens: 0,
        };
      }
      const engine = await closedEngine(bench, request, choice);
      const run = new Run(bench, engine, request, signal, report);
      const outcome = await run.through(() => vectorSetting.write(choice));
      const { covered, observations } = await store.vectors.coverage(engine.id);
      return {
        engine: engine.id,
        to: engine.to,
        ...outcome,
        embedded: run.embedded,
        left: observations - covered,
        ...spent(started, clock()),
        tokens: run.tokens,
      };
    },

    async useVectors(choice) {
      const { given = choice.engine } = vectorSetting;
      if (given !== choice.engine)
        throw new YoreError("bad-input", `YORE_VECTORS is ${given}, and goes before what is chosen.`, {
          hint: "Leave it unset.",
        });
      if (choice.engine !== "off" && choice.engine !== "static") {
        const wanted = idOf(choice);
        const known = await store.vectors.engines();
        if (!known.some(({ id, covered }) => covered > 0 && id === wanted))
          throw new YoreError("not-found", `${choice.engine} has made no vectors yet.`, {
            hint: `Have it make some with \`yore vectors --engine ${choice.engine}\`.`,
          });
      }
      vectorSetting.write(choice);
    },

    async dropVectors({ engine } = {}) {
      const known = await store.vectors.engines();
      const meant = known.filter(({ id }) => engine === undefined || isMeant(id, engine));
      if (engine !== undefined && meant.length === 0)
        throw new YoreError("not-found", "There is no such engine's.", {
          hint:
            known.length === 0
              ? "There are no vectors."
              : `There are those of ${known.map(({ id }) => id).join(", ")}.`,
        });
      const writer = await store.writer();
      let observations = 0;
      for (const { id } of meant) observations += await patiently(() => writer.transaction((tx) => tx.dropVectors(id)));
      return { observations };
    },
  };
}

const TABLE = "the table that comes with yore";

async function staticLeft({ store, vectors }: Workbench): Promise<{ readonly id?: string; left: number }> {
  const engine = await vectors?.asking();
  const { covered, observations } = await store.vectors.coverage(engine?.id ?? "");
  return { ...(engine !== undefined && { id: engine.id }), left: observations - covered };
}

async function planStatic(bench: Workbench, { limit, budget }: VectorRequest) {
  if (limit !== undefined || budget !== undefined)
    throw new YoreError("bad-input", "The table embeds everything, in seconds: there is nothing to limit.");
  const { id = "static", left } = await staticLeft(bench);
  return { engine: id, to: TABLE, isSent: false, observations: left, tokens: 0, isAll: true };
}

/** Loaded when needed, since nothing else runs a model or opens a connection for it. */
async function closedEngine(
  { yoreHome, environment }: Workbench,
  { timeoutMs = DEFAULT_TIMEOUT_MS, budget }: VectorRequest,
  choice: OtherEngine,
): Promise<ClosedEngine> {
  const { vectorEngine } = await import("./engines/open-vectors.ts");
  const { variables, home } = environment;
  const engine = vectorEngine(choice, { variables, home, models: modelsFolderIn(yoreHome), timeoutMs });
  if (budget !== undefined && !engine.isSent)
    throw new YoreError("bad-input", "A budget is for what is sent to an endpoint.", { hint: "Use --limit." });
  return engine;
}

/** What would be sent of the observations that are not embedded yet, as far as the limits go. */
async function countSent({ store }: Workbench, engine: string, { limit, budget }: VectorRequest) {
  let observations = 0;
  let tokens = 0;
  for (const session of await store.vectors.pending(engine, EVERY_SESSION)) {
    for (const one of await store.vectors.toEmbed(session, engine, EVERY_OBSERVATION)) {
      const cost = tokensOf(one);
      if (observations === limit || (budget !== undefined && tokens + cost > budget))
        return { observations, tokens, isAll: false };
      observations += 1;
      tokens += cost;
    }
  }
  return { observations, tokens, isAll: true };
}

function tokensOf({ asked, answered }: EmbeddableObservation): number {
  return estimateTokens(asked.slice(0, MOST_EMBEDDED_CHARS)) + estimateTokens(answered.slice(0, MOST_EMBEDDED_CHARS));
}

function spent(started: number, now: number): { readonly seconds: number } {
  return { seconds: Math.max(0, now - started) / 1_000 };
}

type Ending = Pick<VectorRun, "outcome" | "problem">;

/** One way through what is not embedded yet. Others may write all the while, but for the moments in which some is stored. */
class Run {
  embedded = 0;
  /** Sent, estimated. */
  tokens = 0;
  readonly #bench: Workbench;
  readonly #closed: ClosedEngine;
  readonly #request: VectorRequest;
  readonly #signal: AbortSignal;
  readonly #report: (done: number, total: number) => void;
  #total = 0;

  constructor(
    bench: Workbench,
    closed: ClosedEngine,
    request: VectorRequest,
    signal: AbortSignal,
    report: (done: number, total: number) => void,
  ) {
    this.#bench = bench;
    this.#closed = closed;
    this.#request = request;
    this.#signal = signal;
    this.#report = report;
  }

  /** `onOpen`: the engine answers. */
  async through(onOpen: () => void): Promise<Ending> {
    const { store } = this.#bench;
    const { covered, observations } = await store.vectors.coverage(this.#closed.id);
    this.#total = Math.min(observations - covered, this.#request.limit ?? Number.POSITIVE_INFINITY);
    try {
      const { engine, close } = await this.#closed.open(this.#signal);
      onOpen();
      try {
        return await this.#embed(engine);
      } finally {
        await close();
      }
    } catch (error) {
      if (!(error instanceof EmbeddingStop)) throw error;
      return error.failure === undefined ? { outcome: "stopped" } : failed(error.failure);
    }
  }

  async #embed(engine: VectorEngine): Promise<Ending> {
    const { vectors } = this.#bench.store;
    const seen = new Set<number>();
    for (;;) {
      // One that has grown again meanwhile is for the next time.
      const sessions = (await vectors.pending(engine.id, SESSIONS_AT_ONCE)).filter((session) => !seen.has(session));
      if (sessions.length === 0) return { outcome: "done" };
      for (const session of sessions) {
        seen.add(session);
        const ending = await this.#session(engine, session);
        if (ending !== undefined) return { outcome: ending };
      }
    }
  }

  /** Why the run ends within it. What was made is stored in any case. */
  async #session(engine: VectorEngine, session: number): Promise<VectorRun["outcome"] | undefined> {
    const { store, exclusions } = this.#bench;
    refreshRedaction();
    // It may have been forgotten or excluded while others were embedded.
    await store.sessions.hideExcluded(exclusions.current());
    const made: VectorEntry[] = [];
    let storedAt = performance.now();
    const keep = async (): Promise<void> => {
      await this.#save(engine, session, made.splice(0));
      storedAt = performance.now();
    };
    try {
      const waiting = [...(await store.vectors.toEmbed(session, engine.id, EVERY_OBSERVATION))];
      while (waiting.length > 0) {
        if (this.#signal.aborted) return "stopped";
        const some = this.#affordable(waiting.splice(0, this.#closed.atOnce), made.length);
        if (typeof some === "string") return some;
        made.push(...(await entriesOf(engine, some)));
        if (performance.now() - storedAt > STORED_EVERY_MS) await keep();
        this.#report(this.embedded + made.length, this.#total);
      }
      return undefined;
    } finally {
      await keep();
    }
  }

  /** As many of them as the limits leave, or which one leaves none. */
  #affordable(
    some: readonly EmbeddableObservation[],
    made: number,
  ): readonly EmbeddableObservation[] | "limit" | "budget" {
    const { limit = Number.POSITIVE_INFINITY, budget = Number.POSITIVE_INFINITY } = this.#request;
    const within = some.slice(0, Math.max(0, limit - this.embedded - made));
    if (within.length === 0) return "limit";
    if (!this.#closed.isSent) return within;
    let count = 0;
    for (const one of within) {
      const cost = tokensOf(one);
      if (this.tokens + cost > budget) break;
      this.tokens += cost;
      count += 1;
    }
    return count === 0 ? "budget" : within.slice(0, count);
  }

  async #save(engine: VectorEngine, session: number, entries: readonly VectorEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const writer = await this.#bench.store.writer();
    await patiently(() => writer.transaction((tx) => tx.saveVectors(session, engine, entries)));
    this.embedded += entries.length;
  }
}

function failed({ message, hint }: EngineFailure): Ending {
  return { outcome: "failed", problem: { message, hint } };
}

async function entriesOf(engine: VectorEngine, some: readonly EmbeddableObservation[]): Promise<VectorEntry[]> {
  const embedded = await engine.embed(some.flatMap(({ asked, answered }) => [asked, answered]));
  return some.map(({ observation, lastSeq }, index) => {
    const own = [embedded[index * 2], embedded[index * 2 + 1]];
    const vector = together(own.filter((one) => one !== undefined));
    return { observation, lastSeq, ...(vector !== undefined && { vector }) };
  });
}
