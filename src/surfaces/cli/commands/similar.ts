import { type Command, Option } from "commander";
import { MEMORY_AGENT } from "../../../core/memory.ts";
import { OBSERVATION_TYPES, type ObservationType } from "../../../core/session.ts";
import { formatAge, formatDay } from "../../../core/time.ts";
import type { SimilarHit, SimilarReply, SimilarRequest } from "../../../service/similar-api.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { isoTime } from "../json.ts";
import { addFilterOptions, type FilterOptions, parsePositive, readFilter } from "../options.ts";
import { describeStaleness } from "../screen.ts";
import { nameSession } from "../session-table.ts";
import { oneLine } from "../text.ts";

interface SimilarOptions extends FilterOptions {
  readonly limit: number;
  readonly all?: true;
  readonly type?: ObservationType;
  readonly file?: string;
  readonly collection?: string;
  readonly subagents: boolean;
}

export function defineSimilar(command: Command, context: Context): void {
  command
    .description(
      "Find what means nearly the same, whatever words it is said in: observations like an observation, sessions like " +
        "a session. Each has the cosine between both: 1 for the same, about 0 for what has nothing to do with it.",
    )
    .argument("<session>", "id, the first 8 or more characters of it, or alias; or the id of an observation or memory")
    .addOption(new Option("-n, --limit <count>", "how many to list").argParser(parsePositive).default(10))
    .option("--all", "as many of other projects too, after those of its own");
  addFilterOptions(command);
  command
    .addOption(new Option("--type <type>", "kind of observation").choices(OBSERVATION_TYPES))
    .option("--file <path>", "about this file")
    .option("--collection <path>", "in sessions of this collection, and of those below it")
    .option("--no-subagents", "leave out what subagents did");
  addOutputOptions(command);
  addExamples(command, [
    ["yore similar 3fk2m9", "observations like one that search has found"],
    ["yore similar 7f3a9c2e --all", "sessions like this one, of other projects too"],
    ["yore similar 3fk2m9 --type bugfix --since 'last month'", "only what was mended lately"],
  ]);
  command.action(async (id: string, options: SimilarOptions) => {
    const request = await readRequest(id, options, context);
    return context.withYore(async (yore) => printSimilar(await yore.similar(request), context));
  });
}

async function readRequest(id: string, options: SimilarOptions, context: Context): Promise<SimilarRequest> {
  const { limit, all, type, file, collection, subagents } = options;
  const filter = await readFilter(options, context);
  return {
    id,
    limit,
    filter: { ...filter, ...(collection !== undefined && { collection }) },
    ...(all === true && { everywhere: true }),
    ...(type !== undefined && { type }),
    ...(file !== undefined && { file }),
    ...(!subagents && { includeSubagents: false }),
  };
}

function printSimilar(reply: SimilarReply, context: Context): ExitCode {
  const { screen, json } = context;
  if (json) screen.printJson(similarJson(reply));
  else {
    for (const [at, hit] of reply.hits.entries()) screen.print(...(at > 0 ? [""] : []), ...formatSimilar(hit, context));
    if (reply.hits.length === 0) screen.note("nothing found");
  }
  for (const warning of reply.warnings) screen.warn(oneLine(warning));
  const staleness = describeStaleness(reply.freshness);
  if (staleness !== undefined) screen.note(staleness);
  return reply.hits.length > 0 ? EXIT.done : EXIT.nothingFound;
}

function formatSimilar(hit: SimilarHit, { io, screen }: Context): string[] {
  const { paint } = screen;
  const isMemory = hit.agent === MEMORY_AGENT;
  return [
    [
      hit.cosine.toFixed(2),
      paint.yellow(oneLine(hit.id)),
      `${formatDay(hit.at, io.timeZone)} (${formatAge(hit.at, io.now(), io.timeZone)})`,
      isMemory ? "memory" : oneLine(hit.agent),
      paint.cyan(oneLine(hit.project.name)),
      ...(isMemory ? [] : [nameSession(hit.session)]),
    ].join("  "),
    `      ${paint.dim(`${hit.type}:`)} ${paint.bold(oneLine(hit.title))}`,
  ];
}

function similarJson({ of, hits }: SimilarReply): Record<string, unknown> {
  return {
    of: { kind: of.kind, id: of.id, title: of.title },
    hits: hits.map((hit) => ({
      id: hit.id,
      session: hit.session.id,
      agent: hit.agent,
      project: hit.project.name,
      at: isoTime(hit.at),
      type: hit.type,
      title: hit.title,
      cosine: hit.cosine,
    })),
  };
}
