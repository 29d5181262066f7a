import type {
  AgentIndexReport,
  ImportReport,
  IndexProgress,
  IndexReport,
  WorkProgress,
  Yore,
} from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import { bytes, counted, grouped, seconds } from "./figures.ts";
import { interruptible } from "./interrupt.ts";
import type { OpenRequest } from "./io.ts";
import { describeStaleness } from "./screen.ts";
import { formatTable } from "./table.ts";
import { oneLine } from "./text.ts";

export interface Watched {
  readonly onProgress: (progress: IndexProgress | WorkProgress) => void;
  readonly signal: AbortSignal;
}

/** Runs what reads history: with progress, a summary of what came of it, and a soft end at Ctrl-C. */
export async function runIndexing(
  context: Context,
  work: (yore: Yore, watched: Watched) => Promise<IndexReport | ImportReport>,
  options: OpenRequest = {},
): Promise<void> {
  await interruptible(context, (signal) =>
    context.withYore((yore) => report(yore, work, context, signal, options), options),
  );
}

async function report(
  yore: Yore,
  work: (yore: Yore, watched: Watched) => Promise<IndexReport | ImportReport>,
  context: Context,
  signal: AbortSignal,
  options: OpenRequest,
): Promise<ExitCode> {
  const { screen, json } = context;
  let hasFailed = false;
  try {
    const report = await work(yore, { onProgress: screen.reportProgress, signal });
    const more = further(report, options);
    if (json) screen.printJson({ ...indexJson(report), ...more.json });
    else screen.print(...formatReport(report, context), ...more.lines);
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

interface Further {
  readonly json: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** What a restore and an import tell beyond what was read. */
function further(report: IndexReport | ImportReport, { repair = false }: OpenRequest): Further {
  if (repair) {
    const { annotations, decisions } = report.mirrored;
    const back = `From the plain-text files came back ${counted(annotations, "annotation")} and ${counted(decisions, "decision")} about projects.`;
    return { json: { restored: report.restored, annotations, decisions }, lines: ["", back] };
  }
  const exported = "exported" in report ? report.exported : undefined;
  return exported === undefined
    ? { json: {}, lines: [] }
    : { json: { exported }, lines: ["", ...formatExported(exported)] };
}

const CONFLICTS_SHOWN = 20;

function formatExported({
  sessions,
  annotations,
  conflicts,
}: NonNullable<ImportReport["exported"]>): readonly string[] {
  const { added, unchanged, refused } = annotations;
  const more = conflicts.length - CONFLICTS_SHOWN;
  return [
    `The export held ${counted(sessions, "session")}; ${counted(added, "annotation")} ${added === 1 ? "was" : "were"} added, ${grouped(unchanged)} were there already.`,
    ...(refused > 0 ? [`${counted(refused, "annotation")} made no sense here and were left out.`] : []),
    ...(conflicts.length > 0 ? [`Kept as they are here, since they differ (${grouped(conflicts.length)}):`] : []),
    ...conflicts
      .slice(0, CONFLICTS_SHOWN)
      .map(({ kind, session, here, there }) =>
        oneLine(`- ${kind} of ${session}: ${here} here, ${there} in the export`),
      ),
    ...(more > 0 ? [`and ${grouped(more)} more; --json lists all`] : []),
  ];
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
    ...formatVectors(report),
    ...(agents.length > 0 ? ["", ...formatAgents(agents, screen)] : []),
  ];
}

function formatVectors({ vectors }: IndexReport): string[] {
  if (vectors === undefined || vectors.embedded === 0) return [];
  return [`Vectors were made of ${counted(vectors.embedded, "observation")}.`];
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
  if (!json && report.files === 0 && !("exported" in report))
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
    vectors: report.vectors === undefined ? null : { engine: report.vectors.engine, embedded: report.vectors.embedded },
    agents: Object.fromEntries(agents),
  };
}
