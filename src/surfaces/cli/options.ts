import { type Command, InvalidArgumentError, Option } from "commander";
import { DATE_FORMS, type DateRange, parseDateRange } from "../../core/dates.ts";
import { YoreError } from "../../core/errors.ts";
import type { Filter } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { oneLine } from "./text.ts";

export interface FilterOptions {
  readonly project?: string;
  readonly agent?: string;
  readonly tag?: string;
  readonly branch?: string;
  readonly worktree?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface PageOptions {
  readonly limit: number;
  readonly offset: number;
}

export function addFilterOptions(command: Command): void {
  addNameFilters(command)
    .option("--since <date>", "from then on, such as 2026-11-30, 7d or 'last week'")
    .option("--until <date>", "up to and including that day or minute");
}

export function addNameFilters(command: Command): Command {
  return command
    .option("--project <project>", "name, path or id of a project")
    .option("--agent <agent>", "such as claude-code or codex")
    .option("--tag <tag>", "sessions with this tag")
    .option("--branch <branch>", "sessions on this Git branch")
    .option("--worktree <name>", "sessions in this worktree: its path, or the last part of it");
}

export function addPageOptions(command: Command, limit: number): void {
  command
    .addOption(new Option("-n, --limit <count>", "how many to list").argParser(parsePositive).default(limit))
    .addOption(new Option("--offset <count>", "how many to pass over first").argParser(parseCount).default(0));
}

export async function readFilter(options: FilterOptions, context: Context): Promise<Filter> {
  const { project, agent, tag, branch, worktree, since, until } = options;
  return {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
    ...(branch !== undefined && { branch }),
    ...(worktree !== undefined && { worktree }),
    ...(since !== undefined && { since: (await readDate("--since", since, context)).from }),
    ...(until !== undefined && { until: (await readDate("--until", until, context)).to }),
  };
}

export async function readDate(option: string, text: string, { io }: Context): Promise<DateRange> {
  const range = await parseDateRange(text, io.now(), io.timeZone);
  if (range !== undefined) return range;
  throw new YoreError("bad-input", `${option} expects a date, got '${oneLine(text)}'.`, {
    hint: `Give ${DATE_FORMS}.`,
  });
}

export function parsePositive(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("Expected a whole number above 0.");
}

export function parseTokens(text: string): number {
  const digits = text.replace(/(?<=\d)[,_](?=\d{3})/g, "");
  if (/^\d{1,9}$/.test(digits) && Number(digits) > 0) return Number(digits);
  throw new InvalidArgumentError("Expected a whole number above 0.");
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

/** `showing 20 of 143; --limit, --offset`, if there is more than is shown. */
export function describePage(shown: number, total: number): string | undefined {
  return shown < total ? `showing ${shown} of ${total}; --limit, --offset` : undefined;
}
