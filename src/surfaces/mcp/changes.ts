import { YoreError } from "../../core/errors.ts";
import type { AnnotateReply, AnnotateRequest, AnnotationKind, AnnotationOutcome } from "../../service/yore.ts";
import { join } from "./lines.ts";
import { composeReply, countOf, formatCount, joinLines, oneLine } from "./reply.ts";
import type { ToolContext } from "./tool.ts";

/** Makes a change as whoever calls, and tells what came of it, what was there before and how to take it back. */
export async function change(request: AnnotateRequest, context: ToolContext): Promise<string> {
  const reply = await context.yore.annotate({ ...request, by: context.client, via: "mcp" });
  for (const { session } of reply.outcomes) if (session !== undefined) context.about(session.id);
  const bySession = groupBySession(reply.outcomes);
  const isBatch = request.kind === "tags" && request.items.length > 1;
  if (isBatch && reply.outcomes.length > 0 && reply.outcomes.every(isFailed)) throw allFailed(reply.outcomes);
  const records = bySession.map((outcomes) => sessionRecord(outcomes));
  const notes = reply.warnings.slice(0, 5).map((warning) => `note: ${oneLine(warning, 300)}`);
  return composeReply({
    nonce: context.nonce(),
    records: [...records, ...notes],
    words: (shown) => ({
      head: `${isBatch ? batchWords(bySession) : singleWords(reply.outcomes)}${numberWords(reply)}.`,
      tail: joinLines(
        shown < records.length ? `Shown are ${shown} of ${countOf(records.length, "session")}.` : undefined,
        reply.number === undefined
          ? undefined
          : `undo: \`yore undo ${reply.number}\` in a terminal takes all of it back; \`yore log\` shows who changed what`,
      ),
    }),
  });
}

/** In the order in which they were asked for, those with a failure first: the end of a long reply is cut. */
function groupBySession(outcomes: readonly AnnotationOutcome[]): readonly (readonly AnnotationOutcome[])[] {
  const byName = new Map<string, AnnotationOutcome[]>();
  for (const outcome of outcomes) byName.set(outcome.asked, [...(byName.get(outcome.asked) ?? []), outcome]);
  const groups = [...byName.values()];
  return [...groups.filter(hasFailed), ...groups.filter((group) => !hasFailed(group))];
}

function hasFailed(outcomes: readonly AnnotationOutcome[]): boolean {
  return outcomes.some(isFailed);
}

function isFailed({ outcome }: AnnotationOutcome): boolean {
  return outcome === "failed";
}

function isChanged({ outcome }: AnnotationOutcome): boolean {
  return outcome !== "failed" && outcome !== "unchanged";
}

function singleWords(outcomes: readonly AnnotationOutcome[]): string {
  const first = outcomes.find(isChanged) ?? outcomes[0];
  if (first === undefined) return "Nothing changed";
  const { kind, outcome, was } = first;
  if (kind === "forgotten" && outcome === "added") return "Forgotten: nothing tells of it any more";
  if (outcome !== "unchanged") return `${NAMES[kind]} ${outcome}`;
  return `Nothing changed: ${was === undefined ? "it was not there" : "it was so already"}`;
}

function batchWords(sessions: readonly (readonly AnnotationOutcome[])[]): string {
  const failed = sessions.filter(hasFailed).length;
  const changed = sessions.filter((outcomes) => outcomes.some(isChanged)).length;
  const unchanged = sessions.filter((outcomes) => outcomes.every(({ outcome }) => outcome === "unchanged")).length;
  return [
    `${countOf(changed, "session")} tagged`,
    ...(unchanged > 0 ? [`${formatCount(unchanged)} had the tags already`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ].join(", ");
}

function numberWords({ number }: AnnotateReply): string {
  return number === undefined ? "" : `; this is change ${number}`;
}

/** A session, and below it what came of each thing. */
function sessionRecord(outcomes: readonly AnnotationOutcome[]): string {
  const { asked = "", session } = outcomes[0] ?? {};
  const head = session === undefined ? oneLine(asked, 200) : join([`[${oneLine(session.id, 80)}]`, session.title]);
  return [head, ...outcomes.flatMap(outcomeLines)].join("\n  ");
}

function outcomeLines({ kind, name, outcome, was, problem }: AnnotationOutcome): readonly string[] {
  const thing = oneLine(`${NAMES[kind].toLowerCase()} ${kind === "tag" ? "#" : ""}${name}`, 200);
  if (problem !== undefined) return [`failed, ${thing}: ${oneLine(`${problem.message} ${problem.hint ?? ""}`, 400)}`];
  const before = was === undefined || was === name ? "" : oneLine(was, 300);
  return [`${outcome}: ${thing}`, ...(before === "" ? [] : [`was: ${before}`])];
}

function allFailed(outcomes: readonly AnnotationOutcome[]): YoreError {
  const lines = groupBySession(outcomes)
    .flatMap((ofOne) => ofOne.slice(0, 1))
    .slice(0, 10)
    .map(
      ({ asked, problem }) => `- ${oneLine(asked, 80)}: ${oneLine(`${problem?.message} ${problem?.hint ?? ""}`, 200)}`,
    );
  const more = new Set(outcomes.map(({ asked }) => asked)).size - lines.length;
  return new YoreError(
    outcomes[0]?.problem?.code ?? "not-found",
    ["Nothing changed: all failed.", ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
    { hint: "list_sessions and search name sessions by id." },
  );
}

const NAMES: Readonly<Record<AnnotationKind, string>> = {
  alias: "Alias",
  tag: "Tag",
  note: "Note",
  pin: "Pin",
  collection: "Place in the collection",
  forgotten: "Mark as forgotten",
};
