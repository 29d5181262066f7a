import type { Command } from "commander";
import { formatAge, formatMinute } from "../../../core/time.ts";
import type { Status, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted, grouped } from "../figures.ts";
import { freshnessJson, isoTime, sessionJson } from "../json.ts";
import { describeStaleness } from "../screen.ts";
import { formatSessions, shortIdLength } from "../session-table.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

/** `yore` without a command: its help, and the state of memory unless something that is no command was given. */
export function defineProgram(program: Command, context: Context, isCommandGiven: boolean): void {
  program.usage("[command] [options]");
  addOutputOptions(program);
  addExamples(program, [
    ["yore", "the state of memory, and what to do next"],
    ["yore search connection reset", "find what was said or done"],
    ["yore show 7f3a9c2e", "read a session"],
    ["yore help search", "options and examples of a command"],
  ]);
  program.addHelpText("after", `\n${describeEnvironment(context)}\n\n${EXIT_CODES}`);
  if (!isCommandGiven) program.action(() => context.withYore((yore) => printStatus(yore, context)));
}

const EXIT_CODES = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found.";

function describeEnvironment({ io }: Context): string {
  const settings = [...io.settings, { name: "NO_COLOR", help: "Set to anything to print without colours." }];
  const width = Math.max(...settings.map(({ name }) => name.length));
  return ["Environment:", ...settings.map(({ name, help }) => `  ${name.padEnd(width)}  ${help}`)].join("\n");
}

async function printStatus(yore: Yore, context: Context): Promise<ExitCode> {
  const status = await yore.status();
  const { screen, json } = context;
  if (json) screen.printJson(statusJson(status));
  else if (status.sessions === 0) screen.print(...(await formatEmpty(yore, status, context)));
  else screen.print(...formatStatus(status, context));
  const staleness = describeStaleness(status.freshness);
  if (staleness !== undefined) screen.note(staleness);
  return EXIT.done;
}

function formatStatus(status: Status, context: Context): string[] {
  const { io, screen } = context;
  const { paint } = screen;
  const { indexedAt } = status.freshness;
  const size = `${counted(status.sessions, "session")} in ${counted(status.projects, "project")}`;
  const parts = `${counted(status.messages, "message")}, ${counted(status.observations, "observation")}`;
  return [
    `${paint.bold(size)} (${parts})`,
    ...(indexedAt === undefined
      ? []
      : [`Read up to ${formatMinute(indexedAt, io.timeZone)}, kept in ${oneLine(status.home)}`]),
    "",
    ...formatAgents(status, context),
    ...(status.recent.length > 0 ? ["", ...formatSessions(status.recent, context)] : []),
    "",
    ...formatNextSteps(status, paint.bold),
  ];
}

function formatAgents(status: Status, { io, screen }: Context): string[] {
  type Row = Status["agents"][number];
  const last = ({ lastAt }: Row) =>
    lastAt === undefined ? "" : `${formatMinute(lastAt, io.timeZone)} (${formatAge(lastAt, io.now(), io.timeZone)})`;
  const columns: readonly Column<Row>[] = [
    { header: "AGENT", value: (agent) => oneLine(agent.name), min: 8 },
    { header: "SESSIONS", value: (agent) => grouped(agent.sessions), align: "right" },
    { header: "LAST ACTIVE", value: last, min: 10 },
  ];
  return formatTable(status.agents, columns, screen.width, screen.paint.dim);
}

function formatNextSteps(status: Status, bold: (text: string) => string): string[] {
  const example = oneLine(status.recent[0]?.id.slice(0, shortIdLength(status.recent)) ?? "") || "SESSION";
  return [
    bold("What to do next"),
    ...aligned([
      ["yore search connection reset", "find what was said or done, in any session"],
      [`yore show ${example}`, "read a session"],
      [`claude "$(yore context ${example})"`, "start a fresh agent where it ended"],
      ["yore doctor", "see what is at risk of being deleted"],
    ]),
    "",
    ...formatConnecting(bold),
  ];
}

function formatConnecting(bold: (text: string) => string): string[] {
  return [
    bold("Let an agent search by itself"),
    ...aligned([
      ["claude mcp add yore -- yore mcp", "Claude Code"],
      ["codex mcp add yore -- yore mcp", "Codex"],
    ]),
  ];
}

async function formatEmpty(yore: Yore, { freshness }: Status, { screen }: Context): Promise<string[]> {
  if (freshness.stale !== undefined) return [screen.paint.bold("No sessions yet: history is still to be read.")];
  const { agents } = await yore.doctor();
  const roots = agents.map(({ name, roots: all }) => {
    const root = all.find((one) => one.exists) ?? all[0];
    const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
    const state = root?.exists === true ? "no sessions in it" : "not there";
    return [`${oneLine(name)}: ${oneLine(root?.path ?? "")}${more}`, state] as const;
  });
  return [
    screen.paint.bold("No sessions yet: no history of an agent was found."),
    ...(roots.length > 0 ? ["", "Looked in", ...aligned(roots)] : []),
    "",
    "Work with an agent once, then run `yore` again. If an agent keeps its history",
    "elsewhere, set the variable that tells it so for Yore too, such as",
    "CLAUDE_CONFIG_DIR or CODEX_HOME. `yore doctor` says what else may be wrong.",
    "",
    ...formatConnecting(screen.paint.bold),
  ];
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function statusJson(status: Status): Record<string, unknown> {
  return {
    home: status.home,
    sessions: status.sessions,
    messages: status.messages,
    observations: status.observations,
    projects: status.projects,
    agents: status.agents.map(({ agent, name, sessions, lastAt }) => ({
      agent,
      name,
      sessions,
      lastAt: isoTime(lastAt),
    })),
    recent: status.recent.map(sessionJson),
    freshness: freshnessJson(status.freshness),
  };
}
