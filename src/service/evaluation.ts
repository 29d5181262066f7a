import { YoreError } from "../core/errors.ts";
import { estimateTokens } from "../core/text.ts";
import { formatDay } from "../core/time.ts";
import { compareRanks, type Ranks } from "../eval/compare.ts";
import { controlsFrom } from "../eval/controls.ts";
import { any5, figure, figuresOf, mean, type Score, scoreOf } from "../eval/figures.ts";
import { type Answer, eachOnce, type Finder, PAGE, RANKED } from "../eval/finder.ts";
import { grepInProcess, transcriptsIn } from "../eval/finders/grep.ts";
import { plainBm25 } from "../eval/finders/plain-bm25.ts";
import { LineTurns } from "../eval/line-turns.ts";
import { type Control, QUESTION_KINDS, type Question } from "../eval/question.ts";
import { drawQuestions, Pool, type Sample } from "../eval/sample.ts";
import { type Conversations, conversationsIn, survey } from "../eval/survey.ts";
import { withoutQuotes } from "../eval/without-quotes.ts";
import type { EvaluateRequest, Evaluation, MeasuredFinder, SearchSetting } from "./evaluation-api.ts";
import { recall } from "./recall.ts";
import type { Workbench } from "./workbench.ts";
import type { Freshness, Hit, SearchRequest } from "./yore.ts";

const QUESTIONS = 200;
/** For so many questions, one that has no answer. */
const PER_CONTROL = 4;
/** Hits that are looked through for enough conversations. */
const HITS = 50;

/** Throws what the signal says once it comes. `freshness` is told with every answer. */
export function evaluate(bench: Workbench, freshness: Freshness, request: EvaluateRequest): Promise<Evaluation> {
  return new Run(bench, freshness, request).report();
}

class Run {
  readonly #bench: Workbench;
  readonly #freshness: Freshness;
  readonly #request: EvaluateRequest;
  readonly #signal: AbortSignal;

  constructor(bench: Workbench, freshness: Freshness, request: EvaluateRequest) {
    this.#bench = bench;
    this.#freshness = freshness;
    this.#request = request;
    this.#signal = request.signal ?? new AbortController().signal;
  }

  async report(): Promise<Evaluation> {
    const { store } = this.#bench;
    const { questions: limit = QUESTIONS, against } = this.#request;
    const conversations = await conversationsIn(store);
    const { pool, surveyed } = await this.#survey(conversations);
    const sample = await drawQuestions(pool, store, conversations.of, limit);
    const controls = await controlsFrom(pool, store, Math.ceil(limit / PER_CONTROL));
    if (sample.questions.length === 0) throw nothingToAsk(conversations);
    const { lastAt: asOf } = await store.figures.totals({});
    const asked = [...sample.questions, ...controls];
    const finders: (() => Promise<Finder>)[] = [async () => this.#search(conversations, asOf)];
    if (against !== undefined && "setting" in against)
      finders.push(async () => this.#search(conversations, asOf, against.setting));
    if (this.#request.baselines !== false) {
      const turns = new LineTurns();
      finders.push(() => this.#plainBm25(conversations, turns));
      finders.push(() => this.#grep(conversations, turns, asked));
    }
    const runs: FinderRun[] = [];
    for (const open of finders) runs.push(await this.#ask(open, sample.questions, controls));
    return this.#evaluation({ asOf, surveyed, sample, controls, runs, conversations });
  }

  async #survey(conversations: Conversations): Promise<{ pool: Pool; surveyed: Evaluation["surveyed"] }> {
    const pool = new Pool();
    let sessions = 0;
    let messages = 0;
    const onMessages = (seen: number): void => {
      messages = seen;
      this.#tell("looking for questions, messages read", seen, 0);
    };
    for await (const surveyed of survey(this.#bench.store, conversations, onMessages)) {
      this.#signal.throwIfAborted();
      pool.add(surveyed);
      sessions += 1;
    }
    return { pool, surveyed: { sessions, ofSessions: conversations.sessions.length, messages } };
  }

  /** Asks one finder everything. */
  async #ask(
    open: () => Promise<Finder>,
    questions: readonly Question[],
    controls: readonly Control[],
  ): Promise<FinderRun> {
    const finder = await open();
    try {
      const scores = new Map<string, Score>();
      for (const question of questions) {
        this.#signal.throwIfAborted();
        scores.set(question.id, scoreOf(question, await finder.answer(question)));
        this.#tell(`asking ${finder.name}`, scores.size, questions.length);
      }
      const controlled: Answer[] = [];
      for (const control of controls) {
        this.#signal.throwIfAborted();
        controlled.push(await finder.answer(control));
      }
      return { name: finder.name, about: finder.about, scores, controlled };
    } finally {
      await finder.close();
    }
  }

  #search(conversations: Conversations, asOf: number | undefined, setting?: SearchSetting): Finder {
    const { clock } = this.#bench;
    const now = asOf ?? clock();
    return {
      name: setting === undefined ? "yore" : `yore ${setting.name}=${setting.value}`,
      about: "search, as it answers",
      answer: async (question) => {
        const store = "leftOut" in question ? withoutQuotes(this.#bench.store, question.leftOut) : this.#bench.store;
        // Nothing is read meanwhile, so that all are asked of the same history.
        const keeper = { refresh: async () => this.#freshness };
        const { search } = recall({ ...this.#bench, store, keeper, clock: () => now });
        const request: SearchRequest = { query: question.query, limit: RANKED, ...requestOf(setting) };
        const started = performance.now();
        const { hits, tier } = await search(request);
        const ms = performance.now() - started;
        const more = hits.length < RANKED ? [] : (await search({ ...request, offset: RANKED, limit: HITS })).hits;
        return {
          conversations: eachOnce([...hits, ...more].flatMap((hit) => conversationOf(hit, conversations))),
          observations: hits.map(({ id }) => id),
          isSure: tier === "all",
          tokens: hits.slice(0, PAGE).reduce((sum, hit) => sum + estimateTokens(textOf(hit)), 0),
          ms,
        };
      },
      close: async () => {},
    };
  }

  #plainBm25(conversations: Conversations, turns: LineTurns): Promise<Finder> {
    const onMessages = (seen: number): void => this.#tell("indexing for plain BM25, messages", seen, 0);
    return plainBm25(this.#bench.store, conversations, turns, { onMessages, signal: this.#signal });
  }

  async #grep(conversations: Conversations, turns: LineTurns, asked: readonly (Question | Control)[]): Promise<Finder> {
    const onFiles = (done: number, total: number): void => this.#tell("reading transcripts", done, total);
    const transcripts = transcriptsIn(await this.#bench.store.files.all(), conversations);
    return grepInProcess(transcripts, turns, asked, { onFiles, signal: this.#signal });
  }

  #evaluation({ asOf, surveyed, sample, controls, runs, conversations }: Results): Evaluation {
    const { against } = this.#request;
    const [own, ...others] = runs.map(ranksOf);
    const names = new Map(conversations.sessions.map(({ id, nativeId }) => [id, nativeId]));
    const before = against === undefined ? undefined : "ranks" in against ? against.ranks : others[0];
    const bm25 = runs.find(({ name }) => name === "bm25");
    const isMissed = ({ id }: Question): boolean => bm25 !== undefined && any5(scoreIn(bm25, id)) === 0;
    const missed = sample.questions.filter(isMissed);
    const met = sample.questions.filter((question) => !isMissed(question));
    const finds = ({ id }: Question): boolean => any5({ rank: own?.get(id) }) === 1;
    return {
      asOf,
      surveyed,
      found: sample.found,
      unusable: sample.unusable,
      controls: controls.length,
      finders: runs.map((run) => measured(run, sample.questions)),
      questions: sample.questions.map(({ id, kind, query, gold }) => ({
        id,
        kind,
        query,
        sessions: gold.conversations.map((conversation) => names.get(conversation) ?? ""),
        observations: gold.turns.flat(),
        ranks: Object.fromEntries(runs.map((run) => [run.name, scoreIn(run, id).rank])),
      })),
      ...(bm25 !== undefined && {
        misses: {
          ofBm25: missed.length,
          found: missed.filter(finds).length,
          lost: met.filter((one) => !finds(one)).length,
        },
      }),
      ...(before !== undefined &&
        own !== undefined && {
          comparison:
            against !== undefined && "ranks" in against ? compareRanks(before, own) : compareRanks(own, before),
        }),
    };
  }

  #tell(what: string, done: number, total: number): void {
    this.#request.onProgress?.({ phase: "working", what, done, total });
  }
}

interface FinderRun {
  readonly name: string;
  readonly about: string;
  readonly scores: ReadonlyMap<string, Score>;
  readonly controlled: readonly Answer[];
}

interface Results {
  readonly asOf: number | undefined;
  readonly surveyed: Evaluation["surveyed"];
  readonly sample: Sample;
  readonly controls: readonly Control[];
  readonly runs: readonly FinderRun[];
  readonly conversations: Conversations;
}

const UNSCORED: Score = { rank: undefined, hasAll: false, sessionRank: undefined, tokens: 0, ms: undefined };

function scoreIn({ scores }: FinderRun, id: string): Score {
  return scores.get(id) ?? UNSCORED;
}

function ranksOf({ scores }: FinderRun): Ranks {
  return new Map([...scores].map(([id, { rank }]) => [id, rank]));
}

function measured(run: FinderRun, questions: readonly Question[]): MeasuredFinder {
  const scoresOf = (asked: readonly Question[]): Score[] => asked.map(({ id }) => scoreIn(run, id));
  const kinds = QUESTION_KINDS.map((kind) => [kind, questions.filter((question) => question.kind === kind)] as const);
  const sure = run.controlled.flatMap(({ isSure }) => (isSure === undefined ? [] : [Number(isSure)]));
  return {
    name: run.name,
    about: run.about,
    all: figuresOf(scoresOf(questions)),
    kinds: Object.fromEntries(
      kinds.filter(([, asked]) => asked.length > 0).map(([kind, asked]) => [kind, figuresOf(scoresOf(asked))]),
    ),
    controls: {
      answered: figure(
        run.controlled.map(({ conversations }) => Number(conversations.length > 0)),
        mean,
      ),
      sure: sure.length === 0 ? undefined : figure(sure, mean),
    },
  };
}

function requestOf(setting: SearchSetting | undefined): Partial<SearchRequest> {
  return setting === undefined ? {} : { includeSubagents: setting.value !== "off" };
}

/** None of a memory. */
function conversationOf({ agent, session }: Hit, conversations: Conversations): readonly number[] {
  const conversation = conversations.named(agent, session.id);
  return conversation === undefined ? [] : [conversation];
}

/** What is read of a hit, in one form for all surfaces. */
function textOf({ id, title, at, agent, project, session, snippet }: Hit): string {
  return [id, formatDay(at, "UTC"), agent, project.name, session.title, title, snippet].join(" ");
}

function nothingToAsk({ sessions }: Conversations): YoreError {
  return new YoreError("not-found", "The history has nothing to ask for yet.", {
    hint:
      sessions.length === 0
        ? "Nothing is indexed: run `yore index`."
        : "Questions come from titles, errors that were fixed, decisions, commits and names of code: they come with use.",
  });
}
