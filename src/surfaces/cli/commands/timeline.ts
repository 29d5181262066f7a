import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatDay, formatMinute } from "../../../core/time.ts";
import type { TimelineEntry, TimelineReply, TimelineRequest } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { isoTime } from "../json.ts";
import { addFilterOptions, type FilterOptions, parseCount, readDate, readFilter } from "../options.ts";
import { describeStaleness } from "../screen.ts";
import { nameSession } from "../session-table.ts";
import { cut, oneLine } from "../text.ts";

interface TimelineOptions extends FilterOptions {
  readonly around?: string;
  readonly session?: string;
  readonly at?: string;
  readonly before?: number;
  readonly after?: number;
}

export function defineTimeline(command: Command, context: Context): void {
  command
    .description(
      "List what happened around an observation, a session or a date, in the order of time. Without any: the latest.",
    )
    .option("--around <id>", "around this observation, as search names it")
    .option("--session <session>", "around this session: id, the first 8 or more characters of it, or alias")
    .option("--at <date>", "around this day or moment, such as 2026-11-30 or 2026-11-30T14:30")
    .option("--before <count>", "how many before (default: 5; without an anchor 10)", parseCount)
    .option("--after <count>", "how many after (default: 5)", parseCount);
  addFilterOptions(command);
  addOutputOptions(command);
  addExamples(command, [
    ["yore timeline", "the latest observations"],
    ["yore timeline --at 2026-11-30 --project shop", "one project around a day"],
    ["yore timeline --around 3fk2m9 --before 2 --after 10", "what led to it, and what came of it"],
  ]);
  command.action(async (options: TimelineOptions) => {
    const request = await readRequest(options, context);
    return context.withYore(async (yore) => printTimeline(await yore.timeline(request), context));
  });
}

async function readRequest(options: TimelineOptions, context: Context): Promise<TimelineRequest> {
  const { around, session, at, before, after } = options;
  if ([around, session, at].filter((anchor) => anchor !== undefined).length > 1) {
    throw new YoreError("bad-input", "timeline takes one of --around, --session and --at.");
  }
  const range = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  const rest = { ...range, filter: await readFilter(options, context) };
  if (around !== undefined) return { observation: around, ...rest };
  if (session !== undefined) return { session, ...rest };
  if (at !== undefined) return { at: (await readDate("--at", at, context)).from, ...rest };
  return { at: context.io.now(), before: 10, ...rest };
}

function printTimeline(reply: TimelineReply, context: Context): ExitCode {
  const { screen, json } = context;
  if (json) screen.printJson(timelineJson(reply));
  else if (reply.entries.length > 0) screen.print(...formatTimeline(reply, context));
  else screen.note("nothing found");
  for (const warning of reply.warnings ?? []) screen.warn(oneLine(warning));
  const staleness = describeStaleness(reply.freshness);
  if (staleness !== undefined) screen.note(staleness);
  return reply.entries.length > 0 ? EXIT.done : EXIT.nothingFound;
}

function formatTimeline({ entries, anchor }: TimelineReply, context: Context): string[] {
  const { timeZone } = context.io;
  let day = "";
  return entries.flatMap((entry, at) => {
    const own = formatDay(entry.at, timeZone);
    const heading = own === day ? [] : [...(at > 0 ? [""] : []), context.screen.paint.bold(own)];
    day = own;
    return [...heading, ...formatEntry(entry, at === anchor, context)];
  });
}

function formatEntry(entry: TimelineEntry, isAnchor: boolean, { io, screen }: Context): string[] {
  const { paint, width } = screen;
  const time = formatMinute(entry.at, io.timeZone).slice(-5);
  const origin = `${oneLine(entry.project.name)}, ${oneLine(entry.agent)}`;
  const summary = oneLine(entry.summary);
  const indent = " ".repeat(9);
  return [
    `${isAnchor ? ">" : " "} ${time}  ${paint.yellow(oneLine(entry.id))}  ${paint.dim(`${entry.type}:`)} ${paint.bold(oneLine(entry.title))}`,
    `${indent}${paint.dim(cut(`${origin}, ${nameSession(entry.session)}`, width - indent.length))}`,
    ...(summary === "" ? [] : [`${indent}${cut(summary, width - indent.length)}`]),
  ];
}

function timelineJson(reply: TimelineReply): Record<string, unknown> {
  return {
    anchor: reply.entries[reply.anchor]?.id ?? null,
    entries: reply.entries.map((entry) => ({
      id: entry.id,
      session: entry.session.id,
      agent: entry.agent,
      project: entry.project.name,
      at: isoTime(entry.at),
      type: entry.type,
      title: entry.title,
      summary: entry.summary,
      files: entry.files,
      tokens: entry.tokens,
    })),
  };
}
