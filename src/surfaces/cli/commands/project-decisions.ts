import { type Command, InvalidArgumentError } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { ProjectDecisionRecord, ProjectDecisionReply, ProjectRef, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted } from "../figures.ts";
import { isoTime, projectJson } from "../json.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

/** What a person says about projects: `yore projects merge` and its like. */
export function defineProjectDecisions(projects: Command, context: Context): void {
  const define = (
    usage: string,
    summary: string,
    description: string,
    examples: Parameters<typeof addExamples>[1],
  ): Command => {
    const command = projects.command(usage).summary(summary).description(description);
    addOutputOptions(command);
    addExamples(command, examples);
    return command;
  };
  const decide = (work: (yore: Yore) => Promise<ProjectDecisionReply>) =>
    context.withYore(async (yore) => printReply(await work(yore), context));

  define(
    "merge <project> <into>",
    "say that two are one",
    "Say that two projects are one. What is worked in either later belongs to it too.",
    [
      ["yore projects merge shop-old shop", "the sessions of shop-old become sessions of shop"],
      ["yore projects merge 7b2k9xqa 3f8m1c0d", "by id, where names are alike"],
    ],
  ).action((project: string, into: string) =>
    decide((yore) => yore.decideProject({ kind: "merge", project, into, by: BY })),
  );
  define(
    "split <project> <folder>",
    "make a folder of one a project of its own",
    "Make what was worked in a folder, and below it, a project of its own.",
    [
      ["yore projects split shop packages/api", "by the end of the folder's path"],
      ["yore projects split shop /home/me/shop/packages/api", "by the whole of it"],
    ],
  ).action((project: string, folder: string) =>
    decide((yore) => yore.decideProject({ kind: "split", project, folder, by: BY })),
  );
  define("rename <project> <name>", "call one something else", "Call a project something else.", [
    ["yore projects rename api 'shop API'", "shown and found by that name"],
  ]).action((project: string, name: string) =>
    decide((yore) => yore.decideProject({ kind: "rename", project, name, by: BY })),
  );
  const undo = define(
    "undo",
    "take back the last of these, or one by its number",
    "Take back the last merge, split or rename, or the one of that number. What was decided since stays.",
    [
      ["yore projects undo", "the last one"],
      ["yore projects undo 3", "one of before, as `yore projects history` lists it"],
    ],
  );
  undo
    .argument("[number]", "as `yore projects history` lists it", readNumber)
    .action((number: number | undefined) =>
      decide((yore) => yore.undoProjectDecision({ ...(number !== undefined && { number }), by: BY })),
    );
  define("history", "list what was decided", "List what was decided about projects, oldest first.", [
    ["yore projects history", "merges, splits and renames, and which of them were undone"],
  ]).action(() => context.withYore(async (yore) => printHistory(await yore.projectDecisions(), context)));
}

const BY = "cli";

function readNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected the number of a decision.");
}

function printReply({ decision, sessions, project, warnings }: ProjectDecisionReply, context: Context): ExitCode {
  const { screen, json } = context;
  if (json) {
    screen.printJson({
      decision: decisionJson(decision),
      sessions,
      project: project === undefined ? null : projectJson(project),
    });
  } else {
    const moved = decision.kind === "rename" ? "" : ` ${counted(sessions, "session")} moved.`;
    screen.print(`${decision.undoneAt === undefined ? "" : "Undone: "}${describeDecision(decision)}.${moved}`);
    if (decision.undoneAt === undefined) screen.advise(`undo: yore projects undo ${decision.number}`);
  }
  for (const warning of warnings) screen.warn(oneLine(warning));
  return EXIT.done;
}

function printHistory(decisions: readonly ProjectDecisionRecord[], { screen, json, io }: Context): ExitCode {
  const columns: readonly Column<ProjectDecisionRecord>[] = [
    { header: "NUMBER", value: ({ number }) => String(number), align: "right", paint: screen.paint.yellow },
    { header: "WHEN", value: ({ at }) => formatMinute(at, io.timeZone), leaves: 2 },
    { header: "BY", value: ({ by }) => oneLine(by), leaves: 1 },
    { header: "DECISION", value: describeDecision, min: 20 },
    { header: "UNDONE", value: ({ undoneAt }) => (undoneAt === undefined ? "" : formatMinute(undoneAt, io.timeZone)) },
  ];
  if (json) screen.printJson({ decisions: decisions.map(decisionJson) });
  else if (decisions.length > 0) screen.print(...formatTable(decisions, columns, screen.width, screen.paint.dim));
  else screen.note("nothing was decided about projects");
  return decisions.length > 0 ? EXIT.done : EXIT.nothingFound;
}

function describeDecision({ kind, project, into, folder = "", name = "" }: ProjectDecisionRecord): string {
  const [from, to] = [nameOf(project), into === undefined ? "" : nameOf(into)];
  if (kind === "merge") return `${from} is ${to}`;
  if (kind === "split") return `${oneLine(folder)} of ${from} is ${to}`;
  return `${from} is called ${oneLine(name)}`;
}

function nameOf({ id, name }: ProjectRef): string {
  return `${oneLine(name)} (${oneLine(id)})`;
}

function decisionJson(decision: ProjectDecisionRecord): Record<string, unknown> {
  return {
    number: decision.number,
    kind: decision.kind,
    at: isoTime(decision.at),
    by: decision.by,
    project: decision.project,
    into: decision.into ?? null,
    folder: decision.folder ?? null,
    name: decision.name ?? null,
    undoneAt: isoTime(decision.undoneAt),
  };
}
