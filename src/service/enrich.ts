import { randomBytes } from "node:crypto";
import { YoreError } from "../core/errors.ts";
import { fence } from "../core/fence.ts";
import { estimateTokens } from "../core/text.ts";
import { refreshRedaction } from "../ingest/prepare.ts";
import type { StoredSession, StoreFilter } from "../store/store.ts";
import { askAgain } from "./engines/ask-again.ts";
import type { Engine, EngineFailure, Reply, ReportedTokens } from "./engines/engine.ts";
import { promptHash, readAnswer, TASK, textOf } from "./enrich-prompt.ts";
import type { Enriching, EnrichReport, EnrichRequest } from "./enrichment-api.ts";
import { resolveFilter } from "./find.ts";
import { insideFolderIn } from "./inside.ts";
import { patiently } from "./patience.ts";
import type { Workbench } from "./workbench.ts";

const DEFAULT_BUDGET = 100_000;
const DEFAULT_TIMEOUT_MS = 120_000;
/** What an answer may cost, of a model that thinks before it answers too; and what it does as a rule. */
const MOST_ANSWER_TOKENS = 1_500;
const USUAL_ANSWER_TOKENS = 150;
/** How far estimates may be off until an endpoint has reported what it counted. */
const CAUTION = 1.25;
/** So many answers in a row that cannot be used, and no other will do better. */
const MOST_UNUSABLE = 3;
const PAGE = 200;

/** Has a model that a person names write titles and summaries. Nothing else in the program asks one. */
export function enriching(bench: Workbench): Enriching {
  const { store, sources, keeper } = bench;
  return {
    async enrichments() {
      await keeper.refresh();
      const models = await store.enrichments.perModel();
      return {
        models: models.map(({ model, sessions, input, output }) => ({ model, sessions, tokens: { input, output } })),
      };
    },

    async planEnrichment(request) {
      const engine = await engineFor(bench, request);
      await keeper.refresh();
      const { limit = Number.POSITIVE_INFINITY, budget = DEFAULT_BUDGET } = request;
      let sessions = 0;
      let tokens = 0;
      const { warnings } = await resolveFilter(store, sources, request.filter);
      const plan = { model: engine.model, to: engine.to, budget, warnings };
      for await (const { question } of questionsFor(bench, request)) {
        const cost = question.tokens + USUAL_ANSWER_TOKENS;
        if (sessions >= limit || tokens + cost > budget) return { ...plan, sessions, tokens, isAll: false };
        sessions += 1;
        tokens += cost;
      }
      return { ...plan, sessions, tokens, isAll: true };
    },

    async enrich({ onProgress, signal = new AbortController().signal, ...request }) {
      const engine = await engineFor(bench, request);
      await keeper.refresh();
      const run = new Run(bench, engine, request, signal);
      return run.through((done) => onProgress?.({ phase: "working", what: "sessions enriched", done, total: 0 }));
    },

    async dropEnrichments({ model } = {}) {
      const writer = await store.writer();
      const sessions = await patiently(() =>
        writer.transaction(async (tx) => {
          const count = await tx.dropEnrichments(model);
          await tx.settleTitles();
          return count;
        }),
      );
      return { sessions };
    },
  };
}

/** Loaded when needed, since nothing else opens a connection. */
async function engineFor(bench: Workbench, { engine, timeoutMs }: EnrichRequest): Promise<Engine> {
  const { variables } = bench.environment;
  if (!/^(?:0|false|no|off)?$/i.test((variables.YORE_INSIDE ?? "").trim()))
    throw new YoreError("bad-input", "This was started by a program that yore itself started.", {
      hint: "Run `yore enrich` from your own shell. YORE_INSIDE is set here.",
    });
  const { openEngine } = await import("./engines/open.ts");
  return openEngine(engine, {
    variables,
    folder: insideFolderIn(bench.yoreHome),
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
}

interface Asked {
  readonly session: StoredSession;
  readonly question: SessionQuestion;
}

interface SessionQuestion {
  readonly text: string;
  readonly hash: string;
  /** Estimated. */
  readonly tokens: number;
}

/** Sessions that are to be enriched, the latest first, each as it is when it is asked for. */
async function* questionsFor(bench: Workbench, request: EnrichRequest): AsyncGenerator<Asked> {
  const { store, sources } = bench;
  const { filter } = await resolveFilter(store, sources, request.filter);
  for await (const found of sessionsIn(bench, filter)) {
    if (found.enriched !== undefined && request.refresh !== true) continue;
    const session = await unhidden(bench, found);
    const question = session === undefined ? undefined : await questionOf(bench, session);
    if (session === undefined || question === undefined || question.hash === session.enriched?.promptHash) continue;
    yield { session, question };
  }
}

/** Meanwhile others may be written, so that one may stand on two pages. */
async function* sessionsIn({ store }: Workbench, filter: StoreFilter): AsyncGenerator<StoredSession> {
  const seen = new Set<number>();
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await store.sessions.list(filter, { subagents: false }, { offset, limit: PAGE });
    for (const session of items) {
      if (!seen.has(session.id)) yield session;
      seen.add(session.id);
    }
    if (items.length < PAGE) return;
  }
}

/** As it is now: it may have been forgotten, purged, excluded or redacted while another one was waited for. */
async function unhidden(
  { store, exclusions }: Workbench,
  { agent, nativeId }: StoredSession,
): Promise<StoredSession | undefined> {
  refreshRedaction();
  await store.sessions.hideExcluded(exclusions.current());
  return store.sessions.byKey({ agent, nativeId });
}

async function questionOf(
  { store, environment }: Workbench,
  session: StoredSession,
): Promise<SessionQuestion | undefined> {
  const text = await textOf(store, session, environment.home);
  if (text === undefined) return undefined;
  return { text, hash: promptHash(text), tokens: estimateTokens(TASK) + estimateTokens(text) + FENCE_TOKENS };
}

const FENCE_TOKENS = 40;

/** One way through the sessions, which ends when the budget might be exceeded. */
class Run {
  readonly #bench: Workbench;
  readonly #engine: Engine;
  readonly #request: EnrichRequest;
  readonly #signal: AbortSignal;
  readonly #budget: number;
  #enriched = 0;
  #input = 0;
  #output = 0;
  #isEstimated = false;
  /** What was reported for what was estimated, the most there was. */
  #rate = CAUTION;
  readonly #unusable: { readonly session: string; readonly problem: string }[] = [];

  constructor(bench: Workbench, engine: Engine, request: EnrichRequest, signal: AbortSignal) {
    this.#bench = bench;
    this.#engine = engine;
    this.#request = request;
    this.#signal = signal;
    this.#budget = request.budget ?? DEFAULT_BUDGET;
  }

  async through(onDone: (enriched: number) => void): Promise<EnrichReport> {
    const { limit = Number.POSITIVE_INFINITY } = this.#request;
    let asked = 0;
    let inARow = 0;
    for await (const { session, question } of questionsFor(this.#bench, this.#request)) {
      if (this.#signal.aborted) return this.#report("stopped");
      if (asked >= limit) return this.#report("limit");
      if (!this.#canAfford(question)) return this.#report("budget");
      asked += 1;
      const reply = await this.#ask(question);
      if (reply.kind === "stopped") return this.#report("stopped");
      if (reply.kind === "fatal" || reply.kind === "later") return this.#report("failed", reply);
      this.#count(question, reply);
      const failure = reply.kind === "answer" ? await this.#keep(session, question, reply) : reply;
      onDone(this.#enriched);
      inARow = failure === undefined ? 0 : inARow + 1;
      if (failure === undefined) continue;
      this.#unusable.push({ session: session.nativeId, problem: failure.message });
      if (inARow >= MOST_UNUSABLE) return this.#report("failed", failure);
    }
    return this.#report(this.#signal.aborted ? "stopped" : "done");
  }

  #canAfford({ tokens }: SessionQuestion): boolean {
    return this.#input + this.#output + Math.ceil(tokens * this.#rate) + MOST_ANSWER_TOKENS <= this.#budget;
  }

  async #ask({ text }: SessionQuestion): Promise<Reply> {
    // What is stored cannot know it, and our own fence is recognised where an agent's history tells of it.
    const question = { system: TASK, text: fence(text, randomBytes(8).toString("hex")), maxTokens: MOST_ANSWER_TOKENS };
    return askAgain(() => this.#engine.ask(question, this.#signal), this.#signal);
  }

  /** What an answer cost that cannot be used counts too. */
  #count({ tokens }: SessionQuestion, reply: Extract<Reply, { readonly tokens?: ReportedTokens }>): void {
    const reported = countedIn(reply);
    if (reported === undefined) this.#isEstimated = true;
    else this.#rate = Math.max(this.#rate, reported.input / tokens);
    this.#input += reported?.input ?? tokens;
    this.#output += reported?.output ?? (reply.kind === "answer" ? estimateTokens(reply.text) : 0);
  }

  async #keep(
    { agent, nativeId }: StoredSession,
    { hash, tokens }: SessionQuestion,
    reply: Extract<Reply, { readonly kind: "answer" }>,
  ): Promise<EngineFailure | undefined> {
    refreshRedaction();
    const reported = countedIn(reply);
    const written = readAnswer(reply.text);
    if (written === undefined)
      return { kind: "unusable", message: "The answer is not what was asked for.", hint: "Try another model." };
    const { store, clock } = this.#bench;
    const writer = await store.writer();
    const isKept = await patiently(() =>
      writer.transaction(async (tx) => {
        const enrichment = {
          ...written,
          model: this.#engine.model,
          promptHash: hash,
          input: reported?.input ?? tokens,
          output: reported?.output ?? estimateTokens(reply.text),
          isEstimated: reported === undefined,
          at: clock(),
        };
        const isThere = await tx.enrich({ agent, nativeId }, enrichment);
        await tx.settleTitles();
        return isThere;
      }),
    );
    if (isKept) this.#enriched += 1;
    return undefined;
  }

  #report(outcome: EnrichReport["outcome"], failure?: EngineFailure): EnrichReport {
    return {
      model: this.#engine.model,
      outcome,
      enriched: this.#enriched,
      tokens: { input: this.#input, output: this.#output },
      isEstimated: this.#isEstimated,
      budget: this.#budget,
      unusable: this.#unusable,
      ...(failure !== undefined && { problem: { message: failure.message, hint: failure.hint } }),
    };
  }
}

/** What an endpoint counted. Some report 0 where they count nothing; a budget would never end by that. */
function countedIn({ tokens }: { readonly tokens?: ReportedTokens }): ReportedTokens | undefined {
  return tokens !== undefined && tokens.input > 0 ? tokens : undefined;
}
