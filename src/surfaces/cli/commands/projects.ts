import type { Command } from "commander";
import { formatDay } from "../../../core/time.ts";
import type { ProjectSummary } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { grouped } from "../figures.ts";
import { projectJson } from "../json.ts";
import { printListing } from "../listing.ts";
import { addFilterOptions, addPageOptions, type FilterOptions, type PageOptions, readFilter } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

export function defineProjects(command: Command, context: Context): void {
  command.description("List projects, the latest first. Worktrees and clones of one repository are one project.");
  addPageOptions(command, 20);
  addFilterOptions(command);
  addOutputOptions(command);
  addExamples(command, [
    ["yore projects", "the latest 20"],
    ["yore projects --agent codex --since 2026-01-01", "where Codex worked this year"],
  ]);
  command.action(async (options: FilterOptions & PageOptions) => {
    const filter = await readFilter(options, context);
    return context.withYore(async (yore) => {
      const page = await yore.projects({ filter, limit: options.limit, offset: options.offset });
      const toLines = (projects: typeof page.items) => formatProjects(projects, context);
      return printListing(page, { name: "projects", toJson: projectJson, toLines }, context);
    });
  });
}

function formatProjects(projects: readonly ProjectSummary[], { io, screen }: Context): string[] {
  const lastActive = ({ lastAt }: ProjectSummary) => (lastAt === undefined ? "" : formatDay(lastAt, io.timeZone));
  const columns: readonly Column<ProjectSummary>[] = [
    { header: "PROJECT", value: (project) => oneLine(project.name), min: 16, paint: screen.paint.cyan },
    { header: "LAST ACTIVE", value: lastActive, leaves: 4 },
    { header: "SESSIONS", value: (project) => grouped(project.sessions), align: "right", leaves: 3 },
    { header: "MESSAGES", value: (project) => grouped(project.messages), align: "right", leaves: 1 },
    { header: "AGENTS", value: (project) => oneLine(project.agents.join(", ")), min: 12, leaves: 2 },
    { header: "FOLDER", value: (project) => oneLine(project.folders[0] ?? ""), min: 16 },
  ];
  return formatTable(projects, columns, screen.width, screen.paint.dim);
}
