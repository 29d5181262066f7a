import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import type { AgentPlan, FilePlan, Installer, Outcome, Plan } from "../../../install/installer.ts";
import { checkCanAsk, isWanted } from "../ask.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted } from "../figures.ts";
import { block, oneLine } from "../text.ts";

interface InstallFlags {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly toolRecall?: true;
  readonly print?: true;
}

export function defineInstall(command: Command, context: Context): void {
  command
    .description(
      "Connect agents: the tools over MCP, and where the agent has them, hooks that give a session its start and read what was said. Without names, all agents that are found on this machine. Shows what would change, and asks. What was there before is kept, and `yore uninstall` puts it back.",
    )
    .argument(
      "[agents...]",
      "such as claude-code, codex or gemini-cli; one that is named is connected even if it is not found",
    )
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "do not ask")
    .option("--tool-recall", "recall also before a tool edits a file or runs a command")
    .option("--print", "print a block of JSON for an agent that is not known here, and change nothing");
  addOutputOptions(command);
  addExamples(command, [
    ["yore install --dry-run", "what would change, for every agent that is found"],
    ["yore install", "the same, and asks whether to do it"],
    ["yore install claude-code codex", "these two only"],
    ["yore install --print", "what to copy into the settings of any other agent"],
  ]);
  command.action(async (agents: readonly string[], { dryRun, yes, toolRecall, print }: InstallFlags) => {
    const installer = await context.io.installer();
    if (print === true) {
      context.screen.print(installer.print().trimEnd());
      return;
    }
    checkAnswer(dryRun === true || yes === true, context);
    const plan = installer.planInstall(agents, { toolRecall: toolRecall === true });
    if (plan.agents.length === 0) {
      throw new YoreError("not-found", "No agent was found that can be connected.", {
        hint: `Name one: ${installer.agents.map(({ agent }) => agent).join(", ")}.`,
      });
    }
    context.exit(await carryOut(plan, installer, { isTrial: dryRun === true, isSure: yes === true }, context));
  });
}

export function defineUninstall(command: Command, context: Context): void {
  command
    .description(
      "Take out of agents' settings what `yore install` put in. A file that nobody changed since gets every byte back that it had; of others only our part goes. The store stays as it is.",
    )
    .argument("[agents...]", "without names, all agents that are connected")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "do not ask");
  addOutputOptions(command);
  addExamples(command, [
    ["yore uninstall --dry-run", "what would be taken out"],
    ["yore uninstall cursor", "one agent"],
  ]);
  command.action(async (agents: readonly string[], { dryRun, yes }: InstallFlags) => {
    checkAnswer(dryRun === true || yes === true, context);
    const installer = await context.io.installer();
    const plan = installer.planUninstall(agents);
    context.exit(await carryOut(plan, installer, { isTrial: dryRun === true, isSure: yes === true }, context));
  });
}

function checkAnswer(isGiven: boolean, context: Context): void {
  if (!isGiven) checkCanAsk(context, "Look at what would change with --dry-run; with --yes nothing is asked.");
}

async function carryOut(
  plan: Plan,
  installer: Installer,
  { isTrial, isSure }: { readonly isTrial: boolean; readonly isSure: boolean },
  context: Context,
): Promise<ExitCode> {
  const { screen, json } = context;
  const isNeeded = plan.agents.some(({ files }) => files.some(isChange));
  if (!json) for (const line of formatPlan(plan, isSure && !isTrial, context)) screen.print(line);
  if (!json) for (const warning of plan.warnings) screen.warn(warning);
  if (!isTrial && isNeeded && !isSure && !(await isWanted(context, "Make these changes?"))) {
    screen.note("nothing was changed");
    return EXIT.failed;
  }
  const outcome = isTrial ? { files: [] } : installer.apply(plan);
  if (json) screen.printJson(planJson(plan, outcome, isTrial));
  else if (!isTrial) for (const line of formatOutcome(plan, outcome)) screen.print(line);
  const isRefused = plan.agents.some(({ files }) => files.some(({ change }) => change === "refused"));
  return isRefused || outcome.files.some(({ failure }) => failure !== undefined) ? EXIT.failed : EXIT.done;
}

function isChange({ change }: FilePlan): boolean {
  return change === "create" || change === "edit" || change === "remove";
}

/** With `isBrief` without the lines of the changes. */
function formatPlan(plan: Plan, isBrief: boolean, context: Context): readonly string[] {
  if (plan.agents.length === 0) return ["Nothing is installed."];
  return plan.agents.flatMap((agent, at) => [
    ...(at === 0 || isBrief ? [] : [""]),
    ...formatAgent(plan, agent, isBrief, context),
  ]);
}

function formatAgent(
  { kind }: Plan,
  { name, isFound, files }: AgentPlan,
  isBrief: boolean,
  { screen: { paint } }: Context,
): readonly string[] {
  const shown = files.filter(({ change }) => change !== "none");
  const state = kind === "install" && !isFound ? ", not found on this machine" : "";
  const done = kind === "install" ? "connected already" : "not connected";
  const head = `${paint.bold(oneLine(name))}${state}${shown.length === 0 ? `: ${done}` : ""}`;
  const paintLine = (line: string) =>
    line.startsWith("+") ? paint.green(line) : line.startsWith("-") ? paint.red(line) : paint.dim(line);
  return [
    head,
    ...shown.flatMap(({ path, change, reason, diff }) => [
      `  ${VERBS[change]} ${oneLine(path)}${reason === undefined ? "" : `: ${oneLine(reason)}`}`,
      // Of a file that goes whole, which lines go says nothing.
      ...(change === "remove" || isBrief ? [] : diff.map((line) => `    ${paintLine(block(line))}`)),
    ]),
  ];
}

const VERBS: Readonly<Record<FilePlan["change"], string>> = {
  create: "create",
  edit: "edit",
  remove: "remove",
  none: "keep",
  refused: "left alone:",
};

function formatOutcome({ kind, agents }: Plan, { files }: Outcome): readonly string[] {
  const failed = files.filter(({ failure }) => failure !== undefined);
  const changed = files.length - failed.length;
  const touched = agents.filter(({ agent }) =>
    files.some((file) => file.agent === agent && file.failure === undefined),
  );
  const notes = touched.flatMap(({ name, notes: own }) => own.map((note) => `${oneLine(name)}: ${oneLine(note)}`));
  const refused = agents.flatMap((one) => one.files.filter(({ change }) => change === "refused"));
  return [
    "",
    ...failed.map(({ path, failure = "" }) => `Not changed: ${oneLine(path)}: ${oneLine(failure)}`),
    changed === 0 ? "Nothing was changed." : `Changed ${counted(changed, "file")}.`,
    ...(refused.length === 0 ? [] : [`Left alone: ${refused.map(({ path }) => oneLine(path)).join(", ")}`]),
    ...(kind === "install" ? notes : []),
    ...(kind === "install" && changed > 0
      ? ["`yore doctor` says whether it works, `yore uninstall` takes it out again."]
      : []),
  ];
}

function planJson(plan: Plan, { files }: Outcome, isTrial: boolean): Record<string, unknown> {
  const failureOf = (path: string) => files.find((file) => file.path === path)?.failure;
  return {
    dryRun: isTrial,
    warnings: [...plan.warnings],
    agents: plan.agents.map(({ agent, name, isFound, files: own, notes }) => ({
      agent,
      name,
      found: isFound,
      files: own.map(({ path, change, reason, diff }) => ({
        path,
        change,
        reason: reason ?? failureOf(path) ?? null,
        done: !isTrial && change !== "none" && change !== "refused" && failureOf(path) === undefined,
        diff: [...diff],
      })),
      notes: [...notes],
    })),
  };
}
