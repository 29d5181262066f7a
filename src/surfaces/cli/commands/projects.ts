import type { Command } from "commander";
import { formatDay } from "../../../core/time.ts";
import type { ProjectSummary } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { counted, grouped } from "../figures.ts";
import { projectJson } from "../json.ts";
import { printListing } from "../listing.ts";
import { addFilterOptions, addPageOptions, type FilterOptions, type PageOptions, readFilter } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";
import { defineProjectDecisions } from "./project-decisions.ts";
import { defineProjectExclusions } from "./project-exclusions.ts";

interface ProjectsOptions extends FilterOptions, PageOptions {
  readonly long?: true;
}

export function defineProjects(command: Command, context: Context): void {
  command.description("List projects, the latest first. Worktrees and clones of one repository are one project.");
  addPageOptions(command, 20);
  addFilterOptions(command);
  command.option("--long", "all that is known of each, such as its folders");
  addOutputOptions(command);
  addExamples(command, [
    ["yore projects", "the latest 20"],
    ["yore projects --agent codex --since 2026-01-01", "where Codex worked this year"],
    ["yore projects --project shop --long", "how one was identified, and its folders"],
    ["yore projects merge shop-old shop", "say that two are one"],
  ]);
  command.enablePositionalOptions();
  defineProjectDecisions(command, context);
  defineProjectExclusions(command, context);
  command.action(async (options: ProjectsOptions) => {
    const filter = await readFilter(options, context);
    return context.withYore(async (yore) => {
      const page = await yore.projects({ filter, limit: options.limit, offset: options.offset });
      const toLines = (projects: typeof page.items) =>
        options.long
          ? projects.flatMap((project) => describeProject(project, context))
          : formatProjects(projects, context);
      return printListing(page, { name: "projects", toJson: projectJson, toLines }, context);
    });
  });
}

function formatProjects(projects: readonly ProjectSummary[], context: Context): string[] {
  const { screen } = context;
  const columns: readonly Column<ProjectSummary>[] = [
    { header: "ID", value: (project) => oneLine(project.id), leaves: 5, paint: screen.paint.yellow },
    { header: "PROJECT", value: (project) => oneLine(project.name), min: 16, paint: screen.paint.cyan },
    { header: "LAST ACTIVE", value: (project) => lastActive(project, context), leaves: 4 },
    { header: "SESSIONS", value: (project) => grouped(project.sessions), align: "right", leaves: 3 },
    { header: "MESSAGES", value: (project) => grouped(project.messages), align: "right", leaves: 1 },
    { header: "AGENTS", value: (project) => oneLine(project.agents.join(", ")), min: 12, leaves: 2 },
    { header: "IDENTIFIED BY", value: identifiedBy, min: 6, leaves: 6 },
    { header: "FOLDER", value: (project) => oneLine(project.folders[0] ?? ""), min: 16 },
  ];
  return formatTable(projects, columns, screen.width, screen.paint.dim);
}

function describeProject(project: ProjectSummary, context: Context): string[] {
  const { paint } = context.screen;
  const { id, name, key, identifiedName, splitFrom, formerKeys = [], merged = [], folders } = project;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["identified by", identifiedBy(project)],
    ["key", key],
    ["found as", identifiedName],
    ["split from", splitFrom],
    ...merged.map((one) => ["merged", `${one.name} (${one.id}, ${one.key})`] as const),
    ...formerKeys.map((former) => ["formerly", former] as const),
    ...folders.map((folder) => ["folder", folder] as const),
    ["agents", project.agents.join(", ")],
    ["size", `${counted(project.sessions, "session")}, ${counted(project.messages, "message")}`],
    ["last active", lastActive(project, context)],
  ];
  const lines = facts.flatMap(([fact, value = ""]) =>
    value === "" ? [] : [`  ${paint.dim(`${fact}:`)} ${oneLine(value)}`],
  );
  return [`${paint.yellow(oneLine(id))}  ${paint.cyan(oneLine(name))}`, ...lines];
}

/** What told that it is one project: its remote, git directory or folder, or a person. */
function identifiedBy({ identity, splitFrom, merged = [] }: ProjectSummary): string {
  const found = splitFrom === undefined ? identity : "split by hand";
  return merged.length === 0 ? found : `${found}, merged by hand`;
}

function lastActive({ lastAt }: ProjectSummary, { io }: Context): string {
  return lastAt === undefined ? "" : formatDay(lastAt, io.timeZone);
}
