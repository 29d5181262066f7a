import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { ROLES, type Role } from "../../../core/session.ts";
import type { MessageRecord, ObservationRecord, SessionReply, SessionRequest, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { formatObservationFacts, formatSessionFacts } from "../facts.ts";
import { isoTime, sessionJson } from "../json.ts";
import { memoryJson } from "../memories.ts";
import { describePage, parseCount, parsePositive } from "../options.ts";
import { createTranscript } from "../transcript.ts";

interface ShowOptions {
  readonly limit?: number;
  readonly offset: number;
  readonly role?: readonly Role[];
  readonly full?: true;
  readonly everything?: true;
}

export function defineShow(command: Command, context: Context): void {
  command
    .description("Print a session, one observation or one memory as Markdown. Tool calls are folded to a line each.")
    .argument("<session>", "id, the first 8 or more characters of it, or alias; or the id of an observation or memory")
    .option("-n, --limit <count>", "how many messages to print (default: all)", parsePositive)
    .option("--offset <count>", "how many messages to pass over first", parseCount, 0)
    .option("--role <role>", `only messages of this role; can be repeated (${ROLES.join(", ")})`, collectRole)
    .option("--full", "tool calls and their results whole")
    .option("--everything", "thinking and system notices too");
  addOutputOptions(command);
  addExamples(command, [
    ["yore show 7f3a9c2e", "a session"],
    ["yore show 7f3a9c2e --role human", "only what was asked"],
    ["yore show 7f3a9c2e --full | less", "with all that tools were given and gave back"],
    ["yore show 3fk2m9", "an observation that search has found"],
  ]);
  command.action((name: string, options: ShowOptions) =>
    context.withYore((yore) => show(yore, name, options, context)),
  );
}

async function show(yore: Yore, name: string, options: ShowOptions, context: Context): Promise<ExitCode> {
  const request = readRequest(name, options);
  let first: SessionReply;
  try {
    first = await yore.session(request);
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== "not-found") throw error;
    return showObservation(await findObservation(yore, name, error), options, context);
  }
  const pages = readPages(yore, first, { ...request, session: first.session.id }, options.limit);
  return context.json ? printJson(first, pages, context) : printTranscript(first, pages, options, context);
}

/** A session can have more messages than should be held at once. */
const PAGE = 500;

function readRequest(session: string, options: ShowOptions): SessionRequest {
  return {
    session,
    offset: options.offset,
    limit: Math.min(PAGE, options.limit ?? PAGE),
    ...(options.role !== undefined && { roles: options.role }),
    ...(options.everything && { everything: true }),
  };
}

async function* readPages(yore: Yore, first: SessionReply, request: SessionRequest, limit = Number.POSITIVE_INFINITY) {
  let page = first;
  let shown = 0;
  while (page.messages.length > 0) {
    yield page.messages;
    shown += page.messages.length;
    const offset = page.offset + page.messages.length;
    if (shown >= limit || offset >= page.total) return;
    page = await yore.session({ ...request, offset, limit: Math.min(PAGE, limit - shown) });
  }
}

type Pages = AsyncGenerator<readonly MessageRecord[]>;

async function printTranscript(
  first: SessionReply,
  pages: Pages,
  options: ShowOptions,
  context: Context,
): Promise<ExitCode> {
  const { screen } = context;
  screen.print(...formatSessionFacts(first, context));
  const transcript = createTranscript(context, options.full ?? false);
  let shown = 0;
  for await (const messages of pages) {
    for (const message of messages) transcript.add(message);
    shown += messages.length;
  }
  transcript.end();
  const note = describePage(shown, first.total);
  if (note !== undefined) screen.note(`messages: ${note}`);
  return EXIT.done;
}

async function printJson(first: SessionReply, pages: Pages, { screen }: Context): Promise<ExitCode> {
  const messages: unknown[] = [];
  for await (const page of pages) messages.push(...page.map(messageJson));
  screen.printJson({ session: sessionJson(first.session), messages });
  return EXIT.done;
}

/** `notFound` is what asking for a session of that name said; it is thrown again if there is no such observation either. */
async function findObservation(yore: Yore, name: string, notFound: YoreError): Promise<ObservationRecord> {
  if (!/^[\w-]{6,}$/.test(name)) throw notFound;
  const { observations, missing } = await yore.observations({ ids: [name] });
  if (observations[0] !== undefined) return observations[0];
  const nearest = missing[0]?.nearest ?? [];
  if (nearest.length === 0) throw notFound;
  throw new YoreError("not-found", notFound.message, {
    hint: [
      ...(notFound.hint === undefined ? [] : [notFound.hint]),
      `Observations with such an id: ${nearest.join(", ")}.`,
    ].join(" "),
    cause: notFound,
  });
}

function showObservation(observation: ObservationRecord, options: ShowOptions, context: Context): ExitCode {
  const { screen, json } = context;
  const wanted = observation.messages.filter(
    ({ role, part }) =>
      (options.role?.includes(role) ?? true) && (options.everything || (part !== "thinking" && part !== "notice")),
  );
  const messages = wanted.slice(options.offset, options.offset + (options.limit ?? wanted.length));
  if (json) {
    screen.printJson({ observation: observationJson(observation), messages: messages.map(messageJson) });
    return EXIT.done;
  }
  screen.print(...formatObservationFacts(observation, context));
  const transcript = createTranscript(context, options.full ?? false);
  for (const message of messages) transcript.add(message);
  transcript.end();
  return EXIT.done;
}

function collectRole(text: string, roles: readonly Role[] = []): readonly Role[] {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw new InvalidArgumentError(`Allowed are ${ROLES.join(", ")}.`);
  return [...roles, role];
}

function messageJson({ role, at, text, tool, id }: MessageRecord): Record<string, unknown> {
  return { role, at: isoTime(at), text, tool: tool ?? null, id };
}

function observationJson(observation: ObservationRecord): Record<string, unknown> {
  return {
    id: observation.id,
    session: observation.session.id,
    agent: observation.agent,
    project: observation.project.name,
    branch: observation.branch ?? null,
    at: isoTime(observation.at),
    endedAt: isoTime(observation.endedAt),
    type: observation.type,
    title: observation.title,
    files: observation.files.map(({ path, changed }) => ({ path, changed })),
    commands: observation.commands.map(({ command, outcome, exitCode }) => ({
      command,
      outcome,
      exitCode: exitCode ?? null,
    })),
    ...digestJson(observation.digest),
    memory: observation.memory === undefined ? null : memoryJson(observation.memory),
    withdrawnBy: observation.withdrawnBy ?? [],
  };
}

function digestJson(digest: ObservationRecord["digest"]): Record<string, unknown> {
  return {
    asked: digest.asked ?? null,
    concluded: digest.concluded ?? null,
    errors: digest.errors.map(({ text, fixedBy }) => ({ text, fixedBy: fixedBy ?? null })),
    commits: digest.commits.map(({ hash, subject }) => ({ hash: hash ?? null, subject: subject ?? null })),
    pullRequests: digest.pullRequests.map(({ url, number, title }) => ({
      url: url ?? null,
      number: number ?? null,
      title: title ?? null,
    })),
    decisions: digest.decisions.map(({ statement, reason, rejected, by }) => ({
      statement,
      reason: reason ?? null,
      rejected: rejected ?? null,
      by,
    })),
    todos: digest.todos.map(({ text, state }) => ({ text, state })),
  };
}
