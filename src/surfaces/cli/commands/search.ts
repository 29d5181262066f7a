import { type Command, Option } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { OBSERVATION_TYPES, type ObservationType, ROLES, type Role } from "../../../core/session.ts";
import type { Trace, TraceCandidate } from "../../../core/trace.ts";
import type { Hit, SearchReply, SearchRequest, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { factsPage } from "../facts.ts";
import { describeSearch, formatHit } from "../hits.ts";
import { isoTime } from "../json.ts";
import {
  addNameFilters,
  addPageOptions,
  describePage,
  type FilterOptions,
  type PageOptions,
  readDate,
} from "../options.ts";
import { describeStaleness } from "../screen.ts";
import { oneLine } from "../text.ts";
import { formatCandidates, formatSignals, traceFacts, traceJson } from "../traces.ts";

interface SearchOptions extends FilterOptions, PageOptions {
  readonly type?: ObservationType;
  readonly role?: Role;
  readonly file?: string;
  readonly collection?: string;
  readonly on?: string;
  readonly asOf?: string;
  readonly subagents: boolean;
  readonly anywhere?: boolean;
  readonly explain?: boolean;
}

export function defineSearch(command: Command, context: Context): void {
  command
    .description(
      "Find what was said, done or decided in any session. All words must occur; if they never do together, the " +
        'answer says so and shows what comes close. "Quotes" make a phrase, -word leaves out what has the word.',
    )
    .argument("[query...]", "words, phrases and filters such as project:yore or since:yesterday");
  addPageOptions(command, 10);
  addNameFilters(command)
    .addOption(new Option("--type <type>", "kind of observation").choices(OBSERVATION_TYPES))
    .addOption(new Option("--role <role>", "who said it").choices(ROLES))
    .option("--file <path>", "about this file")
    .option("--collection <path>", "in sessions of this collection, and of those below it")
    .option("--since <date>", 'from then on, such as 2026-11-30 or "last month"')
    .option("--until <date>", "up to then")
    .option("--on <date>", "on that day")
    .option("--as-of <date>", "from what was held true then")
    .option("--no-subagents", "leave out what subagents did")
    .option("--anywhere", "give no preference to the project and branch of this folder")
    .option("--explain", "say how the query was understood, what placed each hit, and what was left out");
  addOutputOptions(command);
  addExamples(command, [
    ["yore search connection reset", "both words"],
    ["yore search '\"connection reset\" -docker'", "a phrase, and a word that must not occur"],
    ["yore search migration --project shop --since 'last month'", "in one project, lately"],
    ["yore search upload retry --explain", "why these hits, and why in this order"],
    ['yore search -- "--error-on-warnings"', "words that begin with two dashes go behind --"],
  ]);
  command.action(async (words: string[], options: SearchOptions) => {
    for (const name of DATE_OPTIONS) {
      const option = name === "asOf" ? "--as-of" : `--${name}`;
      if (options[name] !== undefined) await readDate(option, options[name], context);
    }
    const request = readRequest(words, options, context);
    return context.withYore((yore) => search(yore, request, context));
  });
}

async function search(yore: Yore, request: SearchRequest, context: Context): Promise<ExitCode> {
  const reply = await yore.search(request);
  const { screen, json } = context;
  const exit = reply.hits.length > 0 ? EXIT.done : EXIT.nothingFound;
  if (json) screen.printJson(searchJson(reply));
  else if (reply.trace === undefined) printHits(reply, context);
  else printExplained(reply, reply.trace, context);
  for (const warning of reply.warnings) screen.warn(oneLine(warning));
  const staleness = describeStaleness(reply.freshness);
  if (staleness !== undefined) screen.note(staleness);
  if (!json) screen.advise(adviseNext(reply.hits[0]));
  return exit;
}

function printHits(reply: SearchReply, context: Context): void {
  const { screen } = context;
  for (const [at, hit] of reply.hits.entries()) screen.print(...(at > 0 ? [""] : []), ...formatHit(hit, context));
  for (const note of describeSearch(reply)) screen.note(note);
}

/** What the notes say otherwise stands among what was understood. */
function printExplained({ hits, total }: SearchReply, trace: Trace, context: Context): void {
  const { screen } = context;
  screen.print(...factsPage("How it was understood", context, traceFacts(trace, context)));
  const { shown, below, leftOut } = fatesOf(trace.candidates);
  for (const hit of hits) {
    const placed = shown.find(({ id }) => id === hit.id);
    screen.print("", ...formatHit(hit, context), ...(placed === undefined ? [] : formatSignals(placed, context)));
  }
  const further = [
    ...formatCandidates("Just below", below.slice(0, MOST_BELOW), context),
    ...formatCandidates("Left out", leftOut.slice(0, MOST_LEFT_OUT), context),
  ];
  if (further.length > 0) screen.print(...further);
  const page = hits.length > 0 ? describePage(hits.length, total) : undefined;
  if (page !== undefined) screen.note(page);
}

/** What has no rank was left out. */
function fatesOf(candidates: readonly TraceCandidate[]) {
  const shown = candidates.filter(({ outcome }) => outcome === "shown");
  const cut = candidates.filter(({ outcome }) => outcome === "cut");
  const last = shown.at(-1);
  return {
    shown,
    below: cut
      .filter((one) => last !== undefined && rankOf(one) > rankOf(last))
      .map(({ why: _, ...one }): TraceCandidate => one),
    leftOut: cut.filter(({ signals }) => signals.rank === undefined),
  };
}

function rankOf({ signals: { rank } }: TraceCandidate): number {
  return typeof rank === "number" ? rank : 0;
}

/** Enough to see how near it was. `--json` has more. */
const MOST_BELOW = 3;
const MOST_LEFT_OUT = 5;

function readRequest(words: readonly string[], options: SearchOptions, { io }: Context): SearchRequest {
  const { project, agent, tag, branch, worktree, type, role, file, collection } = options;
  // Dates go into the text of the query, because that is where words such as "last month" are understood.
  const dates = DATE_OPTIONS.flatMap((name) =>
    options[name] === undefined ? [] : `${name.toLowerCase()}:"${options[name].replaceAll('"', " ")}"`,
  );
  const filter = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
    ...(branch !== undefined && { branch }),
    ...(worktree !== undefined && { worktree }),
    ...(type !== undefined && { type }),
    ...(role !== undefined && { role }),
    ...(file !== undefined && { file }),
    ...(collection !== undefined && { collection }),
  };
  const query = [...words, ...dates].join(" ").trim();
  if (query === "" && Object.keys(filter).length === 0) {
    throw new YoreError("bad-input", "search needs words or a filter.", {
      hint: "For example: `yore search connection reset` or `yore search --project shop --since yesterday`.",
    });
  }
  return {
    query,
    limit: options.limit,
    offset: options.offset,
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(!options.subagents && { includeSubagents: false }),
    ...(options.anywhere !== true && { here: io.folder }),
    ...(options.explain === true && { trace: true }),
  };
}

const DATE_OPTIONS = ["since", "until", "on", "asOf"] as const;

function searchJson(reply: SearchReply): Record<string, unknown> {
  return {
    query: reply.query,
    tier: reply.tier,
    total: reply.total,
    readings: reply.readings.map(({ typed, as }) => ({ typed, as })),
    hits: reply.hits.map((hit) => ({
      id: hit.id,
      session: hit.session.id,
      agent: hit.agent,
      project: hit.project.name,
      at: isoTime(hit.at),
      type: hit.type,
      title: hit.title,
      snippet: hit.snippet,
      score: hit.score,
    })),
    ...(reply.trace !== undefined && { explain: traceJson(reply.trace) }),
  };
}

function adviseNext(first: Hit | undefined): string {
  if (first === undefined) return "Fewer or other words may find it; `yore sessions` lists what there is.";
  return `\`yore show ${oneLine(first.id)}\` prints the first of them, \`yore show ${oneLine(first.session.id)}\` its session.`;
}
