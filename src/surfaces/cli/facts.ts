import type { TokenUsage } from "../../core/session.ts";
import { formatAge, formatMinute } from "../../core/time.ts";
import type { ObservationRecord, SessionReply } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { counted, rounded } from "./figures.ts";
import { memoryFacts } from "./memories.ts";
import { nameSession } from "./session-table.ts";
import { oneLine } from "./text.ts";

/** What is known of a session, as the head of a Markdown page: title, then a list. */
export function formatSessionFacts({ session, related }: SessionReply, context: Context): string[] {
  const counts = [counted(session.messages, "message"), counted(session.turns, "turn")];
  if (session.subagents > 0) counts.push(counted(session.subagents, "subagent"));
  const others = related.filter(({ id }) => id !== session.parent);
  return factsPage(session.title, context, [
    ["session", session.id],
    ["alias", session.alias],
    ["agent", session.agent],
    ["project", session.project.name],
    ["folder", session.cwd],
    ["worktree", session.worktree],
    ["branch", session.branch],
    ["time", describeTime(session.startedAt, session.endedAt, context)],
    ["size", counts.join(", ")],
    ["models", session.models.join(", ")],
    ["tokens", describeUsage(session.usage)],
    ["tags", session.tags.join(", ")],
    ["title by", session.titleBy === "enriched" ? session.enriched?.model : undefined],
    [`summary by ${oneLine(session.enriched?.model ?? "")}`, session.enriched?.summary],
    ["collections", session.collections.join(", ")],
    ["note", session.hasNote ? `yore note ${session.alias ?? session.id.slice(0, 8)}` : undefined],
    ["state", [session.state, ...(session.pinned ? ["pinned"] : [])].join(", ")],
    [session.relation === undefined ? "parent" : `${session.relation} of`, session.parent],
    [
      "skipped",
      session.skippedLines > 0 ? `${counted(session.skippedLines, "line")} that could not be read` : undefined,
    ],
    ...others.slice(0, RELATED_SHOWN).map(({ id, relation, title }) => [relation, `${id} (${title})`] as const),
    ["more", others.length > RELATED_SHOWN ? `${others.length - RELATED_SHOWN} related sessions` : undefined],
  ]);
}

/** `more`: facts that stand behind its own. */
export function formatObservationFacts(
  observation: ObservationRecord,
  context: Context,
  more: readonly Fact[] = [],
): string[] {
  const { session, files, commands, memory } = observation;
  const names = (changed: boolean) => files.filter((file) => file.changed === changed).map((file) => file.path);
  return factsPage(observation.title, context, [
    [memory === undefined ? "observation" : "memory", observation.id],
    ["type", observation.type],
    ["session", memory === undefined ? `${session.id} (${nameSession(session)})` : undefined],
    ["agent", memory === undefined ? observation.agent : undefined],
    ["project", observation.project.name],
    ["branch", observation.branch],
    ["time", memory === undefined ? describeTime(observation.at, observation.endedAt, context) : undefined],
    ...(memory === undefined ? [] : memoryFacts(memory, context)),
    ["no longer holds", observation.withdrawnBy?.map((id) => `see ${id}`).join(", ")],
    ["changed", names(true).join(", ")],
    ["read", memory === undefined ? names(false).join(", ") : undefined],
    ...commands.map((run) => ["ran", `${run.command}${describeEnd(run)}`] as const),
    ...digestFacts(observation.digest),
    ...more,
  ]);
}

function describeEnd({ outcome, exitCode }: ObservationRecord["commands"][number]): string {
  if (exitCode) return ` (exit ${exitCode})`;
  return outcome === "failed" ? " (failed)" : "";
}

function digestFacts({ decisions, errors, commits, pullRequests, todos }: ObservationRecord["digest"]): Fact[] {
  return [
    ...decisions.map((decision): Fact => ["decided", describeDecision(decision)]),
    ...errors.map(({ text, fixedBy }): Fact => ["error", fixedBy === undefined ? text : `${text} (fixed: ${fixedBy})`]),
    ...commits.map(({ hash, subject }): Fact => ["committed", [hash, subject].filter(Boolean).join(" ")]),
    ...pullRequests.map(({ url, title }): Fact => ["pull request", [title, url].filter(Boolean).join(" ")]),
    ...todos.map(({ text, state }): Fact => [state === "done" ? "done" : "to do", text]),
  ];
}

function describeDecision({ statement, reason, rejected }: ObservationRecord["digest"]["decisions"][number]): string {
  const more = [reason !== undefined && `because ${reason}`, rejected !== undefined && `not ${rejected}`];
  const told = more.filter((part) => part !== false);
  return told.length === 0 ? statement : `${statement} (${told.join("; ")})`;
}

const RELATED_SHOWN = 10;

function describeUsage({ input, output, cacheRead, cacheWrite }: TokenUsage): string {
  const parts: readonly (readonly [number, string])[] = [
    [input, "in"],
    [output, "out"],
    [cacheRead, "read from cache"],
    [cacheWrite, "written to cache"],
  ];
  return parts.flatMap(([count, what]) => (count > 0 ? [`${rounded(count)} ${what}`] : [])).join(", ");
}

export type Fact = readonly [name: string, value: string | undefined];

/** A heading, and under it a list; facts without a value are left out. */
export function factsPage(title: string, { screen }: Context, facts: readonly Fact[]): string[] {
  const lines = facts.flatMap(([name, value]) => {
    const text = oneLine(value ?? "");
    return text === "" ? [] : [`- ${screen.paint.dim(`${name}:`)} ${text}`];
  });
  return [screen.paint.bold(`# ${oneLine(title)}`), "", ...lines];
}

function describeTime(from: number | undefined, to: number | undefined, { io }: Context): string | undefined {
  const start = from ?? to;
  if (start === undefined) return undefined;
  const end = to === undefined || to === start ? "" : ` to ${formatMinute(to, io.timeZone)}`;
  return `${formatMinute(start, io.timeZone)}${end} (${formatAge(start, io.now(), io.timeZone)})`;
}
