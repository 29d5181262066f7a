import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatMinute } from "../../../core/time.ts";
import {
  type AskedQuestion,
  type EvaluateRequest,
  type Evaluation,
  type EvaluationComparison,
  type MeasuredFigure,
  type MeasuredFigures,
  type MeasuredFinder,
  SEARCH_SETTINGS,
  type SearchSetting,
} from "../../../service/evaluation-api.ts";
import type { Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted, grouped } from "../figures.ts";
import { interruptible } from "../interrupt.ts";
import { isoTime, toJson } from "../json.ts";
import { parsePositive } from "../options.ts";
import { OutputFile } from "../output-file.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface EvalOptions {
  readonly questions: number;
  readonly compare?: string;
  readonly save?: string;
  readonly misses?: true;
  readonly show?: true;
  readonly baselines: boolean;
}

const SETTINGS = Object.entries(SEARCH_SETTINGS).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));

export function defineEval(command: Command, context: Context): void {
  command
    .description(
      "Measure how well search finds things in your own history, beside plain BM25 and a plain search of the transcripts. Questions are found in the history, together with their answers; what quotes a question may not help to answer it. Nothing is sent anywhere, and nothing in the store is changed. Texts of sessions are printed only where you ask for them.",
    )
    .option("-n, --questions <count>", "at most so many questions", parsePositive, 200)
    .option("--compare <what>", `with an earlier run that was saved, or with a setting: ${SETTINGS.join(", ")}`)
    .option("--save <file>", "write the figures as JSON, for --compare")
    .option("--misses", "list the questions that search found no answer to among its first five")
    .option("--show", "list all questions, and where each was found")
    .option("--no-baselines", "ask search alone");
  addOutputOptions(command);
  addExamples(command, [
    ["yore eval", "how well does search do here?"],
    ["yore eval --save before.json", "keep the figures, without texts"],
    ["yore eval --compare before.json --no-baselines", "what has changed since?"],
    ["yore eval --misses -n 50", "what is not found?"],
  ]);
  command.action(async (options: EvalOptions) => {
    const against = options.compare === undefined ? undefined : readAgainst(options.compare);
    const { questions, baselines } = options;
    const request = { questions, baselines, ...(against !== undefined && { against }) };
    await interruptible(context, (signal) =>
      context.withYore((yore) => evaluate(yore, { ...request, signal }, options, context)),
    );
  });
}

async function evaluate(
  yore: Yore,
  request: EvaluateRequest & { readonly signal: AbortSignal },
  options: EvalOptions,
  context: Context,
): Promise<ExitCode> {
  const { screen, json } = context;
  // Before anything is asked: it takes a while, and would be lost where the file cannot be written.
  const file = options.save === undefined ? undefined : new OutputFile(options.save);
  let evaluation: Evaluation;
  try {
    evaluation = await yore.evaluate({ ...request, onProgress: screen.reportProgress });
  } catch (error) {
    file?.discard();
    if (!request.signal.aborted) throw error;
    screen.note("stopped; nothing was kept");
    return EXIT.failed;
  }
  file?.write(`${toJson(evaluationJson(evaluation, {}), 1)}\n`);
  file?.end();
  if (json) screen.printJson(evaluationJson(evaluation, options));
  else screen.print(...formatEvaluation(evaluation, options, context));
  return EXIT.done;
}

/** A setting where one is called that; else a file. */
function readAgainst(what: string): NonNullable<EvaluateRequest["against"]> {
  const setting = settingOf(what);
  if (setting !== undefined) return { setting };
  if (!existsSync(what)) {
    throw new YoreError("bad-input", `--compare expects a file or a setting, got '${oneLine(what)}'.`, {
      hint: `Save a run with --save, or give one of ${SETTINGS.join(", ")}.`,
    });
  }
  return { ranks: readRanks(what) };
}

function settingOf(what: string): SearchSetting | undefined {
  const [name, value = ""] = what.split("=");
  return SETTINGS.includes(what) && name === "subagents" ? { name, value } : undefined;
}

function readRanks(path: string): ReadonlyMap<string, number | undefined> {
  const ranks = new Map<string, number | undefined>();
  try {
    const saved: unknown = JSON.parse(readFileSync(path, "utf8"));
    for (const question of listIn(saved, "questions")) {
      const id = fieldOf(question, "id");
      const rank = fieldOf(fieldOf(question, "ranks"), "yore");
      if (typeof id === "string") ranks.set(id, typeof rank === "number" ? rank : undefined);
    }
  } catch {
    // Told below.
  }
  if (ranks.size > 0) return ranks;
  throw new YoreError("bad-input", `${path} holds no run of \`yore eval\`.`, {
    hint: "Make one with `yore eval --save <file>`.",
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

function formatEvaluation(evaluation: Evaluation, { misses, show }: EvalOptions, context: Context): string[] {
  const { questions, finders } = evaluation;
  const missed = questions.filter(({ ranks }) => (ranks.yore ?? Number.POSITIVE_INFINITY) > 5);
  return [
    ...formatHead(evaluation, context),
    "",
    ...formatTable(
      finders.map(({ name, all }) => ({ name, figures: all })),
      [{ header: "FINDER", value: ({ name }) => oneLine(name) }, ...figureColumns()],
      context.screen.width,
      context.screen.paint.dim,
    ),
    ...finders.map(({ name, about }) => context.screen.paint.dim(oneLine(`${name}: ${about}`))),
    "",
    ...formatKinds(evaluation, context),
    ...(evaluation.controls === 0 ? [] : ["", ...formatControls(evaluation, context)]),
    ...(evaluation.misses === undefined ? [] : ["", formatMisses(evaluation.misses)]),
    ...(evaluation.comparison === undefined ? [] : ["", ...formatComparison(evaluation.comparison)]),
    ...(show ? ["", ...formatQuestions(questions, evaluation, context)] : []),
    ...(misses && !show ? ["", ...formatQuestions(missed, evaluation, context)] : []),
  ];
}

function formatHead({ questions, controls, surveyed, asOf, unusable }: Evaluation, { io }: Context): string[] {
  const { sessions, ofSessions, messages } = surveyed;
  const left = Object.entries(unusable).map(([why, count]) => `${grouped(count)} ${why}`);
  return [
    `${counted(questions.length, "question")} with an answer and ${grouped(controls)} without, from ${grouped(sessions)} of ${counted(ofSessions, "session")} (${counted(messages, "message")})${asOf === undefined ? "" : `, asked as of ${formatMinute(asOf, io.timeZone)}`}.`,
    ...(left.length === 0 ? [] : [`Not asked: ${left.join(", ")}.`]),
  ];
}

interface Row {
  readonly name: string;
  readonly figures: MeasuredFigures;
}

function figureColumns<R extends Row>(): readonly Column<R>[] {
  const column = (header: string, leaves: number, value: (figures: MeasuredFigures) => string): Column<R> => ({
    header,
    value: ({ figures }) => value(figures),
    align: "right",
    leaves,
  });
  return [
    column("HIT@1", 9, ({ hit1 }) => share(hit1)),
    column("ANY@5", 10, ({ any5 }) => share(any5)),
    column("ALL@5", 5, ({ all5 }) => share(all5)),
    column("MRR@10", 8, ({ mrr10 }) => share(mrr10)),
    column("SESSION@5", 6, ({ session5 }) => share(session5)),
    column("TOKENS", 7, ({ tokens }) => amount(tokens)),
    column("MS P50", 4, ({ ms50 }) => (ms50 === undefined ? "" : amount(ms50))),
    column("P95", 3, ({ ms95 }) => (ms95 === undefined ? "" : amount(ms95))),
  ];
}

function formatKinds({ finders }: Evaluation, { screen }: Context): string[] {
  const [own] = finders;
  const rows = Object.keys(own?.kinds ?? {}).flatMap((kind) =>
    finders.flatMap(({ name, kinds }, at) => {
      const figures = kinds[kind];
      return figures === undefined ? [] : [{ kind: at === 0 ? kind : "", name, figures }];
    }),
  );
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { header: "KIND", value: ({ kind }) => oneLine(kind) },
    { header: "ASKED", value: ({ kind, figures }) => (kind === "" ? "" : grouped(figures.questions)), align: "right" },
    { header: "FINDER", value: ({ name }) => oneLine(name) },
    ...figureColumns<(typeof rows)[number]>(),
  ];
  return formatTable(rows, columns, screen.width, screen.paint.dim);
}

function formatControls({ finders }: Evaluation, { screen }: Context): string[] {
  const columns: readonly Column<MeasuredFinder>[] = [
    { header: "WITHOUT AN ANSWER", value: ({ name }) => oneLine(name) },
    { header: "FINDS SOMETHING", value: ({ controls }) => share(controls.answered), align: "right" },
    {
      header: "CLAIMS TO HAVE ALL",
      value: ({ controls }) => (controls.sure === undefined ? "never" : share(controls.sure)),
      align: "right",
    },
  ];
  return formatTable(finders, columns, screen.width, screen.paint.dim);
}

function formatMisses({ ofBm25, found, lost }: NonNullable<Evaluation["misses"]>): string {
  const part = ofBm25 === 0 ? "" : ` (${Math.round((100 * found) / ofBm25)} %)`;
  return `Plain BM25 has no right answer among its first five to ${counted(ofBm25, "question")}; search has one to ${grouped(found)} of them${part}, and none to ${grouped(lost)} that plain BM25 has.`;
}

function formatComparison({ questions, hit1, any5, mrr10, won, lost }: EvaluationComparison): string[] {
  return [
    `Compared by ${counted(questions, "question")}: hit@1 ${change(hit1)}, any@5 ${change(any5)}, MRR@10 ${change(mrr10)}.`,
    `Won: ${oneLine(won.join(" ")) || "none"}`,
    `Lost: ${oneLine(lost.join(" ")) || "none"}`,
  ];
}

function formatQuestions(questions: readonly AskedQuestion[], { finders }: Evaluation, { screen }: Context): string[] {
  const columns: readonly Column<AskedQuestion>[] = [
    { header: "QUESTION", value: ({ id }) => oneLine(id), paint: screen.paint.yellow },
    { header: "KIND", value: ({ kind }) => oneLine(kind) },
    ...finders.map(
      ({ name }): Column<AskedQuestion> => ({
        header: oneLine(name).toUpperCase(),
        value: ({ ranks }) => String(ranks[name] ?? "-"),
        align: "right",
      }),
    ),
    { header: "SESSION", value: ({ sessions }) => oneLine(sessions[0] ?? "").slice(0, 13) },
    { header: "ASKED", value: ({ query }) => oneLine(query), min: 20 },
  ];
  return formatTable(questions, columns, screen.width, screen.paint.dim);
}

/** `61 % (54-68)`. */
function share({ value, low, high }: MeasuredFigure): string {
  return `${percent(value)} % (${percent(low)}-${percent(high)})`;
}

function percent(value: number): string {
  return String(Math.round(value * 100));
}

function amount({ value, low, high }: MeasuredFigure): string {
  const digits = high < 10 ? 1 : 0;
  return `${value.toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}

function change({ value, low, high }: MeasuredFigure): string {
  const points = (part: number): string => `${part > 0 ? "+" : ""}${(part * 100).toFixed(1)}`;
  return `${points(value)} points (${points(low)} to ${points(high)})`;
}

function evaluationJson(evaluation: Evaluation, { misses, show }: Partial<EvalOptions>): Record<string, unknown> {
  const { asOf, surveyed, found, unusable, controls, finders, questions, comparison } = evaluation;
  const isShown = ({ ranks }: AskedQuestion): boolean => show === true || (misses === true && (ranks.yore ?? 6) > 5);
  return {
    asOf: isoTime(asOf),
    surveyed: { sessions: surveyed.sessions, ofSessions: surveyed.ofSessions, messages: surveyed.messages },
    found,
    unusable: Object.entries(unusable).map(([why, count]) => ({ why, count })),
    controls,
    finders: finders.map(({ name, about, all, kinds, controls: { answered, sure } }) => ({
      name,
      about,
      all: figuresJson(all),
      kinds: Object.entries(kinds).map(([kind, figures]) => ({ kind, ...figuresJson(figures) })),
      controls: { answered: figureJson(answered), sure: figureJson(sure) },
    })),
    misses: evaluation.misses ?? null,
    comparison: comparison === undefined ? null : comparisonJson(comparison),
    questions: questions.map((question) => ({
      id: question.id,
      kind: question.kind,
      query: isShown(question) ? question.query : null,
      sessions: question.sessions,
      observations: question.observations,
      ranks: Object.fromEntries(finders.map(({ name }) => [name, question.ranks[name] ?? null])),
    })),
  };
}

function figuresJson(figures: MeasuredFigures): Record<string, unknown> {
  return {
    questions: figures.questions,
    "hit@1": figureJson(figures.hit1),
    "any@5": figureJson(figures.any5),
    "all@5": figureJson(figures.all5),
    "mrr@10": figureJson(figures.mrr10),
    "session@5": figureJson(figures.session5),
    tokens: figureJson(figures.tokens),
    ms: { p50: figureJson(figures.ms50), p95: figureJson(figures.ms95) },
  };
}

function comparisonJson({ questions, hit1, any5, mrr10, won, lost }: EvaluationComparison): Record<string, unknown> {
  return {
    questions,
    "hit@1": figureJson(hit1),
    "any@5": figureJson(any5),
    "mrr@10": figureJson(mrr10),
    won,
    lost,
  };
}

function figureJson(figure: MeasuredFigure | undefined): Record<string, number> | null {
  if (figure === undefined) return null;
  const { value, low, high } = figure;
  return { value: round(value), low: round(low), high: round(high) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
