import { type Command, Option } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { VECTOR_ENGINES, type VectorChoice } from "../../../core/vector-choice.ts";
import type { VectorPlan, VectorRequest, VectorRun, VectorState, VectorStates } from "../../../service/vectors-api.ts";
import type { Yore } from "../../../service/yore.ts";
import { checkCanAsk, isWanted } from "../ask.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { bytes, counted, grouped } from "../figures.ts";
import { interruptible } from "../interrupt.ts";
import { vectorsJson } from "../json.ts";
import { parsePositive, parseTokens } from "../options.ts";
import { formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

type EngineName = (typeof VECTOR_ENGINES)[number];

interface VectorsOptions {
  readonly engine?: EngineName;
  readonly model?: string;
  readonly url?: string;
  readonly keyEnv?: string;
  readonly limit?: number;
  readonly budget?: number;
  readonly timeout?: number;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly use?: EngineName | "off";
  readonly drop?: string | true;
}

export function defineVectors(command: Command, context: Context): void {
  command
    .description(
      "Have another engine make the vectors by which search finds other words for the same, the latest sessions first: a sentence model on this machine, or an endpoint that you name. It works while this command runs, can be stopped at any time, and goes on the next time; searches are answered by it from then on. Without an engine: what is covered.",
    )
    .addOption(
      new Option("--engine <engine>", "what makes vectors; static: the table that comes with Yore").choices(
        VECTOR_ENGINES,
      ),
    )
    .option("--model <model>", "of openai-compatible: its name, as the API calls it")
    .option("--url <address>", "address of the API, such as http://127.0.0.1:11434/v1")
    .option("--key-env <name>", "variable that holds the key of the API")
    .option("-n, --limit <count>", "at most so many observations", parsePositive)
    .option("--budget <tokens>", "send no more to an endpoint (estimated)", parseTokens)
    .option("--timeout <seconds>", "how long to wait for one answer (default: 120)", parsePositive)
    .option("--dry-run", "make none, and say how many would be made")
    .option("--yes", "do not ask before texts are sent")
    .addOption(
      new Option("--use <engine>", "have searches answered by an engine that made vectors before").choices([
        ...VECTOR_ENGINES,
        "off",
      ]),
    )
    .option("--drop [engine]", "remove the vectors of an engine, or all");
  addOutputOptions(command);
  addExamples(command, [
    ["yore vectors", "what is covered"],
    ["yore vectors --engine minilm", "says what to install, where it is not"],
    [
      "yore vectors --engine openai-compatible --url http://127.0.0.1:11434/v1 --model nomic-embed-text",
      "such as Ollama",
    ],
    ["yore vectors --use static", "as it was before"],
  ]);
  command.action(async (options: VectorsOptions) => {
    const { drop, use } = options;
    checkOne(options);
    if (drop !== undefined) return context.withYore((yore) => dropped(yore, drop, context));
    if (use !== undefined) return context.withYore((yore) => used(yore, choiceOf(use, options), context));
    if (options.engine === undefined) return context.withYore((yore) => tell(yore, context));
    const request = readRequest(options.engine, options);
    if (request.engine.engine === "openai-compatible" && !options.dryRun && !options.yes)
      checkCanAsk(context, "Look at what would be sent with --dry-run; with --yes nothing is asked.");
    await interruptible(context, (signal) =>
      context.withYore((yore) => make(yore, { ...request, signal }, options, context)),
    );
  });
}

function checkOne({ engine, use, drop, ...others }: VectorsOptions): void {
  const given = [engine, use, drop].filter((one) => one !== undefined);
  if (given.length > 1) throw new YoreError("bad-input", "One of --engine, --use and --drop makes sense at a time.");
  const stray = Object.keys(others).filter((name) => ["limit", "budget", "timeout", "dryRun", "yes"].includes(name));
  if (engine === undefined && stray.length > 0)
    throw new YoreError("bad-input", "This means something with --engine only.", {
      hint: `Name one: ${VECTOR_ENGINES.join(", ")}.`,
    });
}

function readRequest(engine: EngineName, options: VectorsOptions): VectorRequest {
  const { limit, budget, timeout } = options;
  return {
    engine: choiceOf(engine, options),
    ...(limit !== undefined && { limit }),
    ...(budget !== undefined && { budget }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
  };
}

function choiceOf<E extends EngineName | "off">(
  engine: E,
  options: VectorsOptions,
): Extract<VectorChoice, { readonly engine: E }>;
function choiceOf(engine: EngineName | "off", { model, url, keyEnv }: VectorsOptions): VectorChoice {
  if (engine !== "openai-compatible") {
    if (model !== undefined || url !== undefined || keyEnv !== undefined)
      throw new YoreError("bad-input", "--model, --url and --key-env are for --engine openai-compatible.");
    return { engine };
  }
  if (model === undefined)
    throw new YoreError("bad-input", "No model was named.", { hint: "Name one with --model, as the API calls it." });
  if (url === undefined)
    throw new YoreError("bad-input", "The address of the API is not given.", {
      hint: "Give it with --url, such as http://127.0.0.1:11434/v1 for Ollama or https://api.openai.com/v1.",
    });
  return { engine, model, url, ...(keyEnv !== undefined && { keyVariable: keyEnv }) };
}

async function make(
  yore: Yore,
  request: VectorRequest & { readonly signal: AbortSignal },
  { dryRun, yes }: VectorsOptions,
  context: Context,
): Promise<ExitCode> {
  const { screen, json } = context;
  const plan = await yore.planVectors(request);
  if (dryRun && json) screen.printJson(planJson(plan));
  else if (dryRun) screen.print(...formatPlan(plan));
  else for (const line of formatPlan(plan)) screen.note(line);
  if (dryRun) return EXIT.done;
  if (plan.isSent && plan.observations > 0 && !yes && !(await isWanted(context, "Send them?"))) {
    screen.note("nothing was sent");
    return EXIT.failed;
  }
  const report = await yore.makeVectors({ ...request, onProgress: screen.reportProgress });
  if (json) screen.printJson(reportJson(report));
  else screen.print(...formatReport(report));
  return report.outcome === "failed" || report.outcome === "stopped" ? EXIT.failed : EXIT.done;
}

async function used(yore: Yore, choice: VectorChoice, { screen, json }: Context): Promise<ExitCode> {
  await yore.useVectors(choice);
  if (json) screen.printJson({ chosen: choice.engine });
  else if (choice.engine === "off") screen.print("Searches go by words alone from now on.");
  else screen.print(`Searches are answered by ${choice.engine} from now on.`);
  return EXIT.done;
}

async function dropped(yore: Yore, drop: string | true, { screen, json }: Context): Promise<ExitCode> {
  const { observations } = await yore.dropVectors(drop === true ? {} : { engine: drop });
  if (json) screen.printJson({ dropped: observations });
  else screen.print(`Removed the vectors of ${counted(observations, "observation")}.`);
  return EXIT.done;
}

async function tell(yore: Yore, { screen, json }: Context): Promise<ExitCode> {
  const states = await yore.vectors();
  if (states.problem !== undefined) screen.warn(oneLine(states.problem));
  if (json) {
    screen.printJson(vectorsJson(states));
    return EXIT.done;
  }
  const isOff = states.chosen === "off";
  if (states.engines.length > 0) screen.print(...formatStates(states, screen));
  else if (!isOff) screen.note("no vectors were made yet: `yore index` makes those of the table");
  if (isOff) screen.note("searches go by words alone: `yore vectors --use static` changes that");
  return EXIT.done;
}

function formatStates({ engines, observations }: VectorStates, { width, paint }: Context["screen"]): string[] {
  const right = "right" as const;
  const share = ({ covered }: VectorState): string =>
    observations === 0 ? "" : `${Math.floor((100 * Math.min(covered, observations)) / observations)} %`;
  const columns = [
    { header: "ENGINE", value: ({ engine }: VectorState) => oneLine(engine), min: 8 },
    { header: "OBSERVATIONS", value: ({ covered }: VectorState) => grouped(covered), align: right },
    { header: "OF ALL", value: share, align: right },
    { header: "NUMBERS", value: ({ dims }: VectorState) => grouped(dims), align: right },
    { header: "SIZE", value: ({ bytes: size }: VectorState) => bytes(size), align: right },
    { header: "ANSWERS", value: ({ isAsked }: VectorState) => (isAsked ? "yes" : "") },
  ];
  return formatTable(engines, columns, width, paint.dim);
}

function formatPlan({ to, observations, tokens, isSent, isAll }: VectorPlan): readonly string[] {
  if (observations === 0 && isAll) return ["No observation is left to embed."];
  if (observations === 0) return ["The next observation alone is more than the budget."];
  return [
    isSent
      ? `${counted(observations, "observation")}, about ${grouped(tokens)} tokens, to ${oneLine(to)}.`
      : `${counted(observations, "observation")}, by ${oneLine(to)}.`,
    ...(isAll ? [] : ["More are left for another run."]),
    ...(isSent ? ["From then on the words of every search go there too, until `yore vectors --use static`."] : []),
  ];
}

function formatReport({ engine, outcome, embedded, left, seconds, problem }: VectorRun): string[] {
  const rate = embedded === 0 || seconds === 0 ? "" : `, ${grouped(Math.round((60 * embedded) / seconds))} a minute`;
  const reasons: Partial<Record<VectorRun["outcome"], string>> = {
    limit: "Stopped at the limit.",
    budget: "Stopped before the budget could be exceeded.",
    stopped: "Stopped; the same command goes on from here.",
  };
  const reason = reasons[outcome];
  return [
    `${oneLine(engine)} embedded ${counted(embedded, "observation")}${rate}; ${left === 0 ? "none is" : `${grouped(left)} are`} left.`,
    ...(reason === undefined ? [] : [reason]),
    ...(problem === undefined ? [] : [`Stopped: ${oneLine(problem.message)} ${oneLine(problem.hint)}`]),
  ];
}

function planJson({ engine, to, isSent, observations, tokens, isAll }: VectorPlan): Record<string, unknown> {
  return { engine, to, sent: isSent, observations, tokens, all: isAll };
}

function reportJson({
  engine,
  to,
  outcome,
  embedded,
  left,
  seconds,
  tokens,
  problem,
}: VectorRun): Record<string, unknown> {
  return {
    engine,
    to,
    outcome,
    embedded,
    left,
    seconds,
    tokens,
    problem: problem === undefined ? null : { message: problem.message, hint: problem.hint },
  };
}
