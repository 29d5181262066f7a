import { type Command, Option } from "commander";
import { YoreError } from "../../../core/errors.ts";
import {
  ENGINES,
  type EngineRequest,
  type Enrichments,
  type EnrichPlan,
  type EnrichReport,
  type EnrichRequest,
} from "../../../service/enrichment-api.ts";
import type { Yore } from "../../../service/yore.ts";
import { checkCanAsk, isWanted } from "../ask.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted, grouped } from "../figures.ts";
import { interruptible } from "../interrupt.ts";
import { addFilterOptions, type FilterOptions, parsePositive, parseTokens, readFilter } from "../options.ts";
import { formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface EnrichOptions extends FilterOptions {
  readonly engine?: EngineRequest["kind"];
  readonly model?: string;
  readonly url?: string;
  readonly keyEnv?: string;
  readonly budget?: number;
  readonly limit?: number;
  readonly timeout?: number;
  readonly refresh?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly drop?: true;
}

/** How many sessions are named whose answer could not be used. */
const SHOWN = 10;

export function defineEnrich(command: Command, context: Context): void {
  command
    .description(
      "Have a model that you name write titles and summaries of sessions, the latest first. Sends what was asked and concluded in them, redacted, to that model and nowhere else; no other command asks a model. What a person or the agent called a session stays. Without an engine: what was written so far.",
    )
    .argument("[program...]", "behind --: what to start with --engine command; it is asked on standard input")
    .addOption(new Option("--engine <engine>", "what answers").choices(ENGINES))
    .option("--model <model>", "its name, as the engine calls it; with --drop: only what this one wrote")
    .option("--url <address>", "address of the API, such as http://127.0.0.1:11434/v1")
    .option("--key-env <name>", "variable that holds the key of the API")
    .option("--budget <tokens>", "stop before more are used, in and out (default: 100,000)", parseTokens)
    .option("-n, --limit <count>", "at most so many sessions", parsePositive);
  addFilterOptions(command);
  command
    .option("--refresh", "also sessions that went on since they were enriched")
    .option("--timeout <seconds>", "how long to wait for one answer (default: 120)", parsePositive)
    .option("--dry-run", "send nothing, and say how much would be sent")
    .option("--yes", "do not ask")
    .option("--drop", "remove all that models wrote");
  addOutputOptions(command);
  addExamples(command, [
    ["yore enrich --engine anthropic --model claude-haiku-4-5 --since 7d", "key in ANTHROPIC_API_KEY"],
    ["yore enrich --engine openai-compatible --url http://127.0.0.1:11434/v1 --model llama3.2", "such as Ollama"],
    ["yore enrich --engine command -- claude -p", "an agent of yours, without its terminal"],
    ["yore enrich --drop", "as if it had never been"],
  ]);
  command.action(async (program: readonly string[], options: EnrichOptions) => {
    if (options.drop) return context.withYore((yore) => drop(yore, options, context));
    if (options.engine === undefined && program.length === 0) return context.withYore((yore) => tell(yore, context));
    const request = await readRequest(program, options, context);
    if (!options.dryRun && !options.yes)
      checkCanAsk(context, "Look at what would be sent with --dry-run; with --yes nothing is asked.");
    await interruptible(context, (signal) =>
      context.withYore((yore) => enrich(yore, { ...request, signal }, options, context)),
    );
  });
}

async function readRequest(
  program: readonly string[],
  options: EnrichOptions,
  context: Context,
): Promise<EnrichRequest> {
  const { budget, limit, timeout, refresh } = options;
  return {
    engine: readEngine(program, options),
    filter: await readFilter(options, context),
    ...(budget !== undefined && { budget }),
    ...(limit !== undefined && { limit }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(refresh && { refresh }),
  };
}

function readEngine(program: readonly string[], { engine, model, url, keyEnv }: EnrichOptions): EngineRequest {
  if (engine === "command") {
    const wrong = url !== undefined ? "--url" : keyEnv !== undefined ? "--key-env" : undefined;
    if (wrong !== undefined) throw new YoreError("bad-input", `${wrong} means nothing to a program.`);
    return { kind: engine, command: program, ...(model !== undefined && { model }) };
  }
  if (engine === undefined || program.length > 0)
    throw new YoreError("bad-input", "A program is started with --engine command only.", {
      hint: "yore enrich --engine command -- claude -p",
    });
  if (model === undefined)
    throw new YoreError("bad-input", "No model was named.", { hint: "Name one with --model, as the API calls it." });
  const key = keyEnv === undefined ? {} : { keyVariable: keyEnv };
  if (engine === "anthropic") return { kind: engine, model, ...(url !== undefined && { url }), ...key };
  if (url === undefined)
    throw new YoreError("bad-input", "The address of the API is not given.", {
      hint: "Give it with --url, such as http://127.0.0.1:11434/v1 for Ollama or https://api.openai.com/v1.",
    });
  return { kind: engine, model, url, ...key };
}

async function enrich(
  yore: Yore,
  request: EnrichRequest & { readonly signal: AbortSignal },
  { dryRun, yes }: EnrichOptions,
  context: Context,
): Promise<ExitCode> {
  const { screen, json } = context;
  const plan = await yore.planEnrichment(request);
  for (const warning of plan.warnings) screen.warn(oneLine(warning));
  if (dryRun && json) screen.printJson(planJson(plan));
  else if (dryRun) screen.print(...formatPlan(plan));
  else for (const line of formatPlan(plan)) screen.note(line);
  if (dryRun) return EXIT.done;
  if (plan.sessions > 0 && !yes && !(await isWanted(context, "Send them?"))) {
    screen.note("nothing was sent");
    return EXIT.failed;
  }
  const report = await yore.enrich({ ...request, onProgress: screen.reportProgress });
  if (json) screen.printJson(reportJson(report));
  else screen.print(...formatReport(report));
  return report.outcome === "failed" || report.outcome === "stopped" ? EXIT.failed : EXIT.done;
}

async function drop(yore: Yore, { model }: EnrichOptions, { screen, json }: Context): Promise<ExitCode> {
  const { sessions } = await yore.dropEnrichments(model === undefined ? {} : { model });
  if (json) screen.printJson({ dropped: sessions });
  else screen.print(`Removed what models wrote of ${counted(sessions, "session")}.`);
  return EXIT.done;
}

async function tell(yore: Yore, { screen, json }: Context): Promise<ExitCode> {
  const { models } = await yore.enrichments();
  if (json) {
    screen.printJson({ models: models.map(({ model, sessions, tokens }) => ({ model, sessions, tokens })) });
    return EXIT.done;
  }
  if (models.length === 0) screen.note("no model wrote anything yet: `yore enrich --help` shows how one does");
  else screen.print(...formatModels(models, screen));
  return EXIT.done;
}

function formatModels(models: Enrichments["models"], { width, paint }: Context["screen"]): string[] {
  type Row = Enrichments["models"][number];
  const right = "right" as const;
  const columns = [
    { header: "MODEL", value: ({ model }: Row) => oneLine(model), min: 8 },
    { header: "SESSIONS", value: ({ sessions }: Row) => grouped(sessions), align: right },
    { header: "TOKENS IN", value: ({ tokens }: Row) => grouped(tokens.input), align: right },
    { header: "OUT", value: ({ tokens }: Row) => grouped(tokens.output), align: right },
  ];
  return formatTable(models, columns, width, paint.dim);
}

function formatPlan({ model, to, sessions, tokens, budget, isAll }: EnrichPlan): readonly string[] {
  if (sessions === 0 && isAll) return ["No session is left to enrich."];
  if (sessions === 0) return [`The next session alone may cost more than the budget of ${grouped(budget)} tokens.`];
  return [
    `${counted(sessions, "session")}, about ${grouped(tokens)} tokens of ${grouped(budget)}, to ${oneLine(model)} at ${oneLine(to)}.`,
    ...(isAll ? [] : ["More are left for another run."]),
  ];
}

function formatReport({
  model,
  outcome,
  enriched,
  tokens,
  isEstimated,
  unusable,
  problem,
  budget,
}: EnrichReport): string[] {
  const estimated = isEstimated ? ", some or all of them estimated" : "";
  const named = unusable.slice(0, SHOWN).map((one) => `  ${oneLine(one.session)}  ${oneLine(one.problem)}`);
  return [
    `${oneLine(model)} wrote of ${counted(enriched, "session")}, for ${grouped(tokens.input)} tokens in and ${grouped(tokens.output)} out${estimated}.`,
    ...(unusable.length > 0
      ? [`Of ${counted(unusable.length, "session")} the answer could not be used:`, ...named]
      : []),
    ...(unusable.length > SHOWN ? [`  and ${unusable.length - SHOWN} more`] : []),
    ...(outcome === "budget" ? [`Stopped before the budget of ${grouped(budget)} tokens could be exceeded.`] : []),
    ...(outcome === "stopped" ? ["Stopped; the same command goes on from here."] : []),
    ...(problem === undefined ? [] : [`Stopped: ${oneLine(problem.message)} ${oneLine(problem.hint)}`]),
  ];
}

function planJson(plan: EnrichPlan): Record<string, unknown> {
  const { model, to, sessions, tokens, budget, isAll } = plan;
  return { model, to, sessions, tokens, budget, all: isAll };
}

function reportJson(report: EnrichReport): Record<string, unknown> {
  return {
    model: report.model,
    outcome: report.outcome,
    enriched: report.enriched,
    tokens: { input: report.tokens.input, output: report.tokens.output },
    estimated: report.isEstimated,
    budget: report.budget,
    unusable: report.unusable.map(({ session, problem }) => ({ session, problem })),
    problem: report.problem === undefined ? null : { message: report.problem.message, hint: report.problem.hint },
  };
}
