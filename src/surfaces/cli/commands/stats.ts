import type { Command } from "commander";
import type { TokenUsage } from "../../../core/session.ts";
import { formatDay } from "../../../core/time.ts";
import type { Stats } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT } from "../errors.ts";
import { counted, grouped, rounded } from "../figures.ts";
import { isoTime, projectJson } from "../json.ts";
import { addFilterOptions, type FilterOptions, readFilter } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

export function defineStats(command: Command, context: Context): void {
  command.description("Count sessions, messages and tokens, by agent, model, day, project and file.");
  addFilterOptions(command);
  addOutputOptions(command);
  addExamples(command, [
    ["yore stats", "everything"],
    ["yore stats --since 2026-11-01 --agent codex", "Codex in November"],
    ["yore stats --project shop --json", "for a script"],
  ]);
  command.action(async (options: FilterOptions) => {
    const filter = await readFilter(options, context);
    return context.withYore(async (yore) => {
      const stats = await yore.stats({ filter });
      if (context.json) context.screen.printJson(statsJson(stats));
      else if (stats.sessions + stats.subagents > 0) context.screen.print(...formatStats(stats, context));
      else context.screen.note("no sessions found");
      return stats.sessions + stats.subagents > 0 ? EXIT.done : EXIT.nothingFound;
    });
  });
}

function formatStats(stats: Stats, context: Context): string[] {
  const { io } = context;
  const day = (at: number) => formatDay(at, io.timeZone);
  const { firstAt, lastAt } = stats;
  const span = firstAt === undefined || lastAt === undefined ? "" : `, ${day(firstAt)} to ${day(lastAt)}`;
  const sections: readonly (readonly string[])[] = [
    [
      `${counted(stats.sessions, "session")} and ${counted(stats.subagents, "subagent")} in ${counted(stats.projects, "project")}${span}`,
      `${counted(stats.messages, "message")}, ${counted(stats.prompts, "prompt")} among them; ${counted(stats.observations, "observation")}`,
    ],
    tableOf(stats.agents, context, [
      { header: "AGENT", value: (row) => oneLine(row.agent), min: 8 },
      { header: "SESSIONS", value: (row) => grouped(row.sessions), align: "right" },
      { header: "MESSAGES", value: (row) => grouped(row.messages), align: "right", leaves: 3 },
      ...tokenColumns<Stats["agents"][number]>(),
    ]),
    tableOf(stats.models, context, [
      { header: "MODEL", value: (row) => oneLine(row.model), min: 12 },
      { header: "CALLS", value: (row) => grouped(row.calls), align: "right" },
      ...tokenColumns<Stats["models"][number]>(),
    ]),
    formatBusiestDays(stats, context),
    tableOf(stats.topProjects, context, [
      { header: "PROJECT", value: (row) => oneLine(row.name), min: 12 },
      { header: "SESSIONS", value: (row) => grouped(row.sessions), align: "right" },
      { header: "MESSAGES", value: (row) => grouped(row.messages), align: "right" },
    ]),
    tableOf(stats.topFiles, context, [
      { header: "FILE", value: (row) => oneLine(row.path), min: 16 },
      { header: "TOUCHES", value: (row) => grouped(row.touches), align: "right" },
    ]),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, at) => [...(at > 0 ? [""] : []), ...section]);
}

function tableOf<Row>(rows: readonly Row[], { screen }: Context, columns: readonly Column<Row>[]): string[] {
  return rows.length === 0 ? [] : formatTable(rows, columns, screen.width, screen.paint.dim);
}

function tokenColumns<Row extends { readonly usage: TokenUsage }>(): readonly Column<Row>[] {
  const column = (header: string, leaves: number, count: (usage: TokenUsage) => number): Column<Row> => ({
    header,
    value: ({ usage }) => rounded(count(usage)),
    align: "right",
    leaves,
  });
  return [
    column("INPUT", 5, (usage) => usage.input),
    column("OUTPUT", 6, (usage) => usage.output),
    column("CACHE READ", 2, (usage) => usage.cacheRead),
    column("CACHE WRITE", 1, (usage) => usage.cacheWrite),
  ];
}

function formatBusiestDays({ days }: Stats, { screen }: Context): string[] {
  const busiest = [...days].sort((a, b) => b.messages - a.messages || compare(a.day, b.day)).slice(0, DAYS_SHOWN);
  if (busiest.length === 0) return [];
  const most = Math.max(...busiest.map((day) => day.messages));
  const room = Math.max(4, Math.min(BAR_WIDTH, screen.width - 28));
  const bar = (messages: number) => "█".repeat(Math.max(1, Math.round((messages / Math.max(1, most)) * room)));
  return [
    screen.paint.dim("BUSIEST DAYS"),
    ...busiest
      .sort((a, b) => compare(a.day, b.day))
      .map((day) => `${day.day}  ${screen.paint.cyan(bar(day.messages))} ${counted(day.messages, "message")}`),
  ];
}

const DAYS_SHOWN = 10;
const BAR_WIDTH = 30;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function statsJson(stats: Stats): Record<string, unknown> {
  return {
    sessions: stats.sessions,
    subagents: stats.subagents,
    messages: stats.messages,
    prompts: stats.prompts,
    observations: stats.observations,
    projects: stats.projects,
    firstAt: isoTime(stats.firstAt),
    lastAt: isoTime(stats.lastAt),
    usage: usageJson(stats.usage),
    agents: stats.agents.map(({ agent, sessions, messages, usage }) => ({
      agent,
      sessions,
      messages,
      usage: usageJson(usage),
    })),
    models: stats.models.map(({ model, calls, usage }) => ({ model, calls, usage: usageJson(usage) })),
    days: stats.days.map(({ day, sessions, messages }) => ({ day, sessions, messages })),
    topProjects: stats.topProjects.map(projectJson),
    topFiles: stats.topFiles.map(({ path, touches }) => ({ path, touches })),
  };
}

function usageJson({ input, output, cacheRead, cacheWrite }: TokenUsage): Record<string, number> {
  return { input, output, cacheRead, cacheWrite };
}
