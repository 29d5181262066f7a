import type {
  AnnotateReply,
  Annotation,
  AnnotationChange,
  AnnotationEdit,
  AnnotationKind,
  AnnotationOutcome,
  SessionRef,
} from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import { isoTime } from "./json.ts";
import { nameSession } from "./session-table.ts";
import { oneLine } from "./text.ts";

/** Tells what came of a change, thing by thing. */
export function printOutcomes({ number, outcomes, warnings }: AnnotateReply, { screen, json }: Context): ExitCode {
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  if (json) screen.printJson({ number: number ?? null, outcomes: outcomes.map(outcomeJson) });
  else {
    const done = outcomes.filter(({ outcome }) => outcome !== "failed").map(describeOutcome);
    if (done.length > 0) screen.print(...done);
    for (const { asked, problem } of failed) {
      const hint = problem?.hint === undefined ? "" : ` ${problem.hint}`;
      screen.warn(oneLine(`${asked}: ${problem?.message ?? "failed"}${hint}`));
    }
    if (number !== undefined) screen.advise(`undo: yore undo ${number}`);
  }
  for (const warning of warnings) screen.warn(oneLine(warning));
  return failed.length > 0 ? EXIT.failed : EXIT.done;
}

export function changeJson(change: AnnotationChange): Record<string, unknown> {
  return {
    number: change.number,
    at: isoTime(change.at),
    by: change.by,
    via: change.via,
    undoes: change.undoes ?? null,
    undoneBy: change.undoneBy ?? null,
    edits: change.edits.map(editJson),
  };
}

export function editJson({ kind, session, was, became }: AnnotationEdit): Record<string, unknown> {
  return { kind, session: session.id, agent: session.agent, was: was ?? null, became: became ?? null };
}

/** Who put it there and when; null where there is none. */
export function annotationJson(annotation: Annotation | undefined): Record<string, unknown> | null {
  if (annotation === undefined) return null;
  return { value: annotation.value, at: isoTime(annotation.at), by: annotation.by ?? null };
}

/** What was changed, in a few words. */
export function describeEdit({ kind, was, became }: AnnotationEdit): string {
  if (kind === "memory") return describeMemoryEdit(was, became);
  if (kind === "forgotten") return became === undefined ? "showed again" : `forgot${reasonOf(became)}`;
  const thing = (value: string) => describeThing(kind, kind === "note" ? firstLine(value) : value);
  if (was === undefined) return `added ${thing(became ?? "")}`;
  return became === undefined ? `removed ${thing(was)}` : `changed ${thing(was)} to ${thing(became)}`;
}

/** What it is called stands beside it. */
function describeMemoryEdit(was: string | undefined, became: string | undefined): string {
  if (was === undefined) return "remembered";
  return became === undefined ? "took back the memory" : `changed the memory to "${oneLine(became)}"`;
}

/** Beginning of the id, and what the session is called. */
export function shortName(session: SessionRef): string {
  const name = nameSession(session);
  return `${oneLine(session.id.slice(0, 8))}${name === "" ? "" : ` (${name})`}`;
}

function outcomeJson(outcome: AnnotationOutcome): Record<string, unknown> {
  const { problem } = outcome;
  return {
    asked: outcome.asked,
    session: outcome.session?.id ?? null,
    kind: outcome.kind,
    name: outcome.name,
    outcome: outcome.outcome,
    was: outcome.was ?? null,
    problem: problem === undefined ? null : { ...problem, hint: problem.hint ?? null },
  };
}

function describeOutcome({ asked, session, kind, name, outcome, was }: AnnotationOutcome): string {
  const on = shortName(session ?? { id: asked, title: "" });
  if (kind === "forgotten" && outcome === "unchanged")
    return `unchanged: ${on} is ${was === undefined ? "not forgotten" : "forgotten already"}`;
  if (kind === "forgotten") return outcome === "removed" ? `shown again: ${on}` : `forgotten${reasonOf(name)}: ${on}`;
  const thing = describeThing(kind, name);
  if (outcome === "unchanged")
    return `unchanged: ${on} ${was === undefined ? "does not have" : "has"} ${thing}${was === undefined ? "" : " already"}`;
  const before =
    was === undefined || outcome === "removed" || kind === "note" ? "" : `, was ${describeThing(kind, was)}`;
  return `${oneLine(outcome)} ${thing}${before}: ${on}`;
}

function reasonOf(text: string): string {
  return text === "" ? "" : ` (${oneLine(text)})`;
}

function describeThing(kind: AnnotationKind, value: string): string {
  const shown = oneLine(value);
  if (kind === "tag") return `#${shown}`;
  if (kind === "pin") return shown === "" ? "the pin" : `the pin for ${shown}`;
  if (kind === "note") return shown === "" ? "the note" : `the note "${shown}"`;
  return shown === "" ? `the ${kind}` : `the ${kind} ${shown}`;
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
