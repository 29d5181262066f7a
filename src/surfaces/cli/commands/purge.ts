import type { Command } from "commander";
import type { PurgePlan, PurgeReport, PurgeRequest, Yore } from "../../../service/yore.ts";
import { checkCanAsk } from "../ask.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted } from "../figures.ts";
import { oneLine } from "../text.ts";
import { formatUncovered, uncoveredJson } from "./redact.ts";

interface PurgeOptions {
  readonly project?: string;
  readonly yes?: true;
}

/** What has to be typed. */
const WORD = "purge";
/** How many titles and paths are shown. */
const SHOWN = 10;

export function definePurge(command: Command, context: Context): void {
  command
    .description(
      "Remove sessions for good: from the store, the mirror, the archive and the record of calls, with their subagents. They are not read again from the agent's own files, which stay. Shows what would go, and asks. It cannot be undone; `yore forget` can.",
    )
    .argument("[sessions...]", "ids, the first 8 or more characters of them, or aliases; none finishes what was begun")
    .option("--project <project>", "all sessions of a project: its name, path or id")
    .option("--yes", "do not ask");
  addOutputOptions(command);
  addExamples(command, [
    ["yore purge 7f3a9c2e", "one session"],
    ["yore purge --project old-client", "all that was worked in one project"],
    ["yore purge 7f3a9c2e --yes --json", "from a script"],
  ]);
  command.action((sessions: readonly string[], { project, yes }: PurgeOptions) => {
    if (yes !== true) checkCanAsk(context, "Look at what would go on a terminal; with --yes nothing is asked.");
    const request = { sessions, ...(project !== undefined && { project }) };
    return context.withYore((yore) => purge(yore, request, yes === true, context));
  });
}

async function purge(yore: Yore, request: PurgeRequest, isSure: boolean, context: Context): Promise<ExitCode> {
  const { screen, json } = context;
  if (!isSure && !(await isWanted(await yore.planPurge(request), context))) {
    screen.note("nothing was removed");
    return EXIT.failed;
  }
  const report = await yore.purge({ ...request, onProgress: screen.reportProgress });
  if (json) screen.printJson(reportJson(report));
  else screen.print(...formatReport(report));
  return EXIT.done;
}

async function isWanted(plan: PurgePlan, { io, screen }: Context): Promise<boolean> {
  for (const line of formatPlan(plan)) screen.note(line);
  const answer = await io.ask?.(`Type ${WORD} to remove this for good: `);
  return answer?.trim() === WORD;
}

function formatPlan(plan: PurgePlan): readonly string[] {
  const { sessions, further, messages, observations, annotations, projects, relatives, unfinished } = plan;
  const titles = sessions.slice(0, SHOWN).map(({ id, title }) => `  ${oneLine(id)}  ${oneLine(title)}`);
  const parts = [
    counted(messages, "message"),
    counted(observations, "observation"),
    counted(annotations, "annotation"),
    counted(projects, "project"),
  ];
  return [
    `${counted(sessions.length, "session")}${further > 0 ? `, and ${further} more that belong with ${sessions.length === 1 ? "it" : "them"}, such as subagents` : ""}:`,
    ...titles,
    ...(sessions.length > SHOWN ? [`  and ${sessions.length - SHOWN} more`] : []),
    `With ${parts.join(", ")}, and all that is archived of them.`,
    ...(unfinished.length > 0 ? [`Begun before, and finished now: ${unfinished.map(oneLine).join(", ")}`] : []),
    ...(relatives.length > 0
      ? [`These stay, and may hold some of the same words: ${relatives.slice(0, SHOWN).map(oneLine).join(", ")}`]
      : []),
  ];
}

function reportJson(report: PurgeReport): Record<string, unknown> {
  const { removed, messages, observations, annotations, projects, checked, agentFiles, relatives, left } = report;
  return {
    removed,
    messages,
    observations,
    annotations,
    projects,
    checked: { files: checked.files, strings: checked.strings },
    left: uncoveredJson(left),
    agentFiles,
    relatives,
  };
}

function formatReport({ removed, messages, checked, left, agentFiles }: PurgeReport): readonly string[] {
  const files = agentFiles.slice(0, SHOWN).map((path) => `  ${oneLine(path)}`);
  return [
    `Removed ${counted(removed.length, "session")} with ${counted(messages, "message")}.`,
    `Looked into ${counted(checked.files, "file")} for ${counted(checked.strings, "string")} of it: ${left.length === 0 ? "nothing was found." : "something is left."}`,
    ...formatUncovered(left),
    ...(agentFiles.length > 0
      ? [
          "",
          "The agent still has its own files. Yore never changes them, and does not read them again:",
          ...files,
          ...(agentFiles.length > SHOWN ? [`  and ${agentFiles.length - SHOWN} more`] : []),
        ]
      : []),
  ];
}
