import type { Command } from "commander";
import type { AgentIndexReport, IndexReport, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { bytes, counted, grouped, seconds } from "../figures.ts";
import { describeStaleness } from "../screen.ts";
import { formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface IndexOptions {
  readonly rebuild?: true;
}

export function defineIndex(command: Command, context: Context): void {
  command
    .description("Read new history now. Not needed as a rule: every command that reads catches up first.")
    .option("--rebuild", "read everything again; what the agents have deleted since is kept");
  addOutputOptions(command);
  addExamples(command, [
    ["yore index", "read what is new"],
    ["yore index --rebuild", "read everything again; nothing is lost by it"],
  ]);
  command.action(async (options: IndexOptions) => {
    // From before the store is opened, so that there is no moment at which Ctrl-C ends it without a word.
    const interrupt = new AbortController();
    const stopListening = context.io.onInterrupt(() => {
      interrupt.abort();
      context.screen.note("stopping; Ctrl-C again ends at once");
    });
    try {
      await context.withYore((yore) => index(yore, options, context, interrupt.signal));
    } finally {
      stopListening();
    }
  });
}

async function index(yore: Yore, options: IndexOptions, context: Context, signal: AbortSignal): Promise<ExitCode> {
  const { screen, json } = context;
  let isFull = false;
  try {
    const report = await yore.index({
      rebuild: options.rebuild ?? false,
      onProgress: screen.reportProgress,
      signal,
    });
    if (json) screen.printJson(indexJson(report));
    else screen.print(...formatReport(report, context));
    printProblems(report, context);
    isFull = report.freshness.stale === "disk-full";
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) return isFull ? EXIT.failed : EXIT.done;
  screen.note("stopped before the end; what was read is kept, and the next run goes on from there");
  return EXIT.failed;
}

function formatReport(report: IndexReport, { screen }: Context): string[] {
  const read = `Read ${grouped(report.filesRead)} of ${counted(report.files, "file")} (${bytes(report.bytes)}) in ${seconds(report.seconds)}`;
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
