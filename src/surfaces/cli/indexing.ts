import type { AgentIndexReport, IndexProgress, IndexReport, Yore } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import { bytes, counted, grouped, seconds } from "./figures.ts";
import type { OpenRequest } from "./io.ts";
import { describeStaleness } from "./screen.ts";
import { formatTable } from "./table.ts";
import { oneLine } from "./text.ts";

export interface Watched {
  readonly onProgress: (progress: IndexProgress) => void;
  readonly signal: AbortSignal;
}

/** Runs what reads history: with progress, a summary of what came of it, and a soft end at Ctrl-C. */
export async function runIndexing(
  context: Context,
  work: (yore: Yore, watched: Watched) => Promise<IndexReport>,
  options: OpenRequest = {},
): Promise<void> {
  // From before the store is opened, so that there is no moment at which Ctrl-C ends it without a word.
  const interrupt = new AbortController();
  const stopListening = context.io.onInterrupt(() => {
    interrupt.abort();
    context.screen.note("stopping; Ctrl-C again ends at once");
  });
  try {
    await context.withYore((yore) => report(yore, work, context, interrupt.signal, options), options);
  } finally {
    stopListening();
  }
}

async function report(
  yore: Yore,
  work: (yore: Yore, watched: Watched) => Promise<IndexReport>,
  context: Context,
  signal: AbortSignal,
  options: OpenRequest,
): Promise<ExitCode> {
  const { screen, json } = context;
  let hasFailed = false;
  try {
    const report = await work(yore, { onProgress: screen.reportProgress, signal });
    if (json)
      screen.printJson(
        options.repair === true ? { ...indexJson(report), restored: report.restored } : indexJson(report),
      );
    else screen.print(...formatReport(report, context));
    printProblems(report, context);
    if (report.lost > 0) screen.warn("something in the archive could not be read; `yore doctor` says what is lost");
    hasFailed = report.freshness.stale === "disk-full" || report.lost > 0;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) return hasFailed ? EXIT.failed : EXIT.done;
  screen.note("stopped before the end; what was read is kept, and the next run goes on from there");
  return EXIT.failed;
}

function formatReport(report: IndexReport, { screen }: Context): string[] {
  const files = `${grouped(report.filesRead)} of ${counted(report.files, "file")}`;
  const archived = report.restored > 0 ? ` and ${counted(report.restored, "transcript")} of the archive` : "";
  const read = `Read ${files}${archived} (${bytes(report.bytes)}) in ${seconds(report.seconds)}`;
  const agents = Object.entries(report.agents)
    .map(([agent, counts]) => ({ agent, ...counts }))
    .filter((row) => row.files > 0 || row.sessions > 0);
  return [
    `${read}: ${counted(report.newMessages, "new message")}.`,
    `The store has ${counted(report.sessions, "session")}, ${counted(report.messages, "message")} and ${counted(report.observations, "observation")}.`,
    ...(agents.length > 0 ? ["", ...formatAgents(agents, screen)] : []),
  ];
}

function formatAgents(agents: readonly ({ agent: string } & AgentIndexReport)[], screen: Context["screen"]): string[] {
  const number = (header: string, value: (row: AgentIndexReport) => number) => ({
    header,
    value: (row: AgentIndexReport) => grouped(value(row)),
    align: "right" as const,
  });
  return formatTable(
    agents,
    [
      { header: "AGENT", value: ({ agent }) => oneLine(agent), min: 8 },
      number("FILES", (row) => row.files),
      number("SESSIONS", (row) => row.sessions),
      number("MESSAGES", (row) => row.messages),
      number("SKIPPED LINES", (row) => row.skippedLines),
    ],
    screen.width,
    screen.paint.dim,
  );
}

function printProblems(report: IndexReport, { screen, json }: Context): void {
  for (const { path, problem } of report.problems.slice(0, PROBLEMS_SHOWN))
    screen.warn(`${oneLine(path)}: ${oneLine(problem)}`);
  const more = report.problems.length - PROBLEMS_SHOWN;
  if (more > 0) screen.warn(`and ${counted(more, "problem")} more; \`yore doctor\` sums them up`);
  if (!json && report.files === 0)
    screen.note("no history of an agent was found; `yore doctor` names the folders that were looked in");
  if (!json && report.skippedLines > 0) {
    screen.note(`${counted(report.skippedLines, "line")} could not be read; \`yore doctor\` says why`);
  }
  const staleness = describeStaleness(report.freshness);
  if (staleness !== undefined) screen.note(staleness);
}

const PROBLEMS_SHOWN = 5;

function indexJson(report: IndexReport): Record<string, unknown> {
  const agents = Object.entries(report.agents).map(([agent, { files, sessions, messages, skippedLines }]) => [
    agent,
    { files, sessions, messages, skippedLines },
  ]);
  return {
    files: report.files,
    sessions: report.sessions,
    messages: report.messages,
    observations: report.observations,
    skippedLines: report.skippedLines,
    bytes: report.bytes,
    seconds: report.seconds,
    agents: Object.fromEntries(agents),
  };
}
