import { neutralise } from "../../core/fence.ts";
import { formatMinute } from "../../core/time.ts";
import type { AnchorRecord, MemoryRecord, MessageRecord, ObservationRecord } from "../../service/yore.ts";
import { join, listSome } from "./lines.ts";
import { clip, formatCount, oneLine } from "./reply.ts";

type Zone = string | undefined;
export type Detail = "condensed" | "full";

/**
 * One observation as blocks of neutralised text, the first of which is its head.
 *
 * `condensed`: prompts, answers, files, commands and errors. `full`: every message, and where the record stands in
 * the agent's history.
 */
export function observationBlocks(record: ObservationRecord, detail: Detail, zone: Zone): readonly string[] {
  const messages = record.messages.flatMap((message) => {
    if (detail === "full") return [messageBlock(message, zone)];
    if (isTalk(message)) return [messageBlock(message, zone)];
    return isFailure(message) ? [messageBlock(message, zone, FAILURE_CHARS)] : [];
  });
  return [headBlock(record, detail, zone), ...messages];
}

/** A message under a heading that names role and time; its own lines are indented, so that none can pose as one. */
export function messageBlock(message: MessageRecord, zone: Zone, maxChars?: number): string {
  const facts = [
    speaker(message),
    message.at === undefined ? "" : formatMinute(message.at, zone),
    message.isError === true && message.exitCode === undefined ? "failed" : "",
    message.exitCode === undefined ? "" : `exit ${message.exitCode}`,
  ];
  const left = maxChars === undefined ? 0 : message.text.length - maxChars;
  const text = maxChars === undefined ? message.text : clip(message.text, maxChars);
  const rest = left > 0 ? `\n  [${formatCount(left)} more characters: get_observations "${message.observation}"]` : "";
  return `${join(facts)}\n${indent(neutralise(text))}${rest}`;
}

/** What is said, as against what is done. */
function isTalk(message: MessageRecord): boolean {
  return message.part === "text" && message.role !== "tool" && message.role !== "system";
}

function headBlock(record: ObservationRecord, detail: Detail, zone: Zone): string {
  const facts = [
    `[${record.id}] ${period(record, zone)}`,
    record.memory === undefined ? record.agent : "memory",
    record.project.name,
    record.branch === undefined ? "" : `branch ${record.branch}`,
    record.type,
  ];
  const paths = (changed: boolean) => record.files.filter((file) => file.changed === changed).map((file) => file.path);
  const place = record.messages.find((message) => message.file !== undefined);
  const { memory, withdrawnBy = [] } = record;
  return [
    join(facts),
    field("title", oneLine(record.title, 240)),
    memory === undefined
      ? field("session", `${oneLine(record.session.title, 120)} (${oneLine(record.session.id, 80)})`)
      : memoryLines(memory, zone),
    field("no longer holds", withdrawnBy.length === 0 ? "" : `see ${withdrawnBy.join(", ")}`),
    field("changed", listSome(paths(true), 20, 160)),
    field("read", memory === undefined ? listSome(paths(false), 10, 160) : ""),
    field("ran", record.commands.slice(0, MAX_COMMANDS).map(commandWords).join("; ")),
    field("more commands", record.commands.length > MAX_COMMANDS ? `${record.commands.length - MAX_COMMANDS}` : ""),
    memory === undefined ? digestLines(record.digest) : "",
    field(
      "source",
      detail === "full" && place !== undefined ? `${oneLine(place.file ?? "", 300)}:${place.byte ?? 0}` : "",
    ),
  ].join("");
}

/** What was decided, met and made, a line each kind; what was asked and concluded stands in the messages. */
function digestLines({ decisions, errors, commits, pullRequests, todos }: ObservationRecord["digest"]): string {
  return [
    field(
      "decided",
      some(decisions, 5, ({ statement }) => oneLine(statement, 200)),
    ),
    field(
      "why",
      some(decisions, 3, ({ reason }) => oneLine(reason ?? "", 160)),
    ),
    field(
      "instead of",
      some(decisions, 3, ({ rejected }) => oneLine(rejected ?? "", 120)),
    ),
    field(
      "errors",
      some(errors, 5, ({ text, fixedBy }) =>
        fixedBy === undefined ? oneLine(text, 160) : `${oneLine(text, 160)} (fixed: ${oneLine(fixedBy, 100)})`,
      ),
    ),
    field(
      "committed",
      some(commits, 6, ({ hash, subject }) => oneLine([hash, subject].filter(Boolean).join(" "), 100)),
    ),
    field(
      "pull requests",
      some(pullRequests, 4, ({ url, title }) => oneLine(url ?? title ?? "", 120)),
    ),
    field(
      "to do",
      some(
        todos.filter(({ state }) => state !== "done"),
        8,
        ({ text }) => oneLine(text, 80),
      ),
    ),
  ].join("");
}

function some<T>(all: readonly T[], most: number, words: (one: T) => string): string {
  const told = all.map(words).filter((text) => text !== "");
  const more = told.length > most ? ` and ${told.length - most} more` : "";
  return `${told.slice(0, most).join("; ")}${more}`;
}

function memoryLines(memory: MemoryRecord, zone: Zone): string {
  const { supersededBy, from, until } = memory;
  return [
    field("saved", `${formatMinute(memory.at, zone)} by ${oneLine(memory.by, 80)}`),
    field("state", supersededBy === undefined ? memory.state : `superseded by ${supersededBy}`),
    field("holds from", from === undefined ? "" : formatMinute(from, zone)),
    field("holds until", until === undefined ? "" : formatMinute(until - 1, zone)),
    field("tags", listSome(memory.tags, 10, 80)),
    field("supersedes", listSome(memory.supersedes, 10, 40)),
    field("said in", oneLine(memory.session ?? "", 80)),
    field("evidence", listSome(memory.evidence, 10, 40)),
    ...memory.anchors.slice(0, 20).map((anchor) => field("about", anchorWords(anchor))),
  ].join("");
}

/** A place, and whether what was said of it can still be trusted. */
export function anchorWords({ place, state, lines, now }: AnchorRecord): string {
  const where = lines === undefined ? "" : `, lines ${lines.join("-")}`;
  return `${oneLine(place, 200)}${where} (${now === undefined ? state : `moved to ${oneLine(now, 200)}`})`;
}

function field(name: string, value: string): string {
  return value === "" ? "" : `\n  ${name}: ${value}`;
}

function commandWords(run: ObservationRecord["commands"][number]): string {
  const command = oneLine(run.command, 120);
  if (run.exitCode !== undefined) return `${command} (exit ${run.exitCode})`;
  return run.outcome === "failed" ? `${command} (failed)` : command;
}

function period(record: ObservationRecord, zone: Zone): string {
  const from = formatMinute(record.at, zone);
  const to = formatMinute(record.endedAt, zone);
  if (from === to) return from;
  return from.slice(0, 10) === to.slice(0, 10) ? `${from}–${to.slice(11)}` : `${from} – ${to}`;
}

function speaker(message: MessageRecord): string {
  const tool = message.tool === undefined ? "" : ` ${oneLine(message.tool, 60)}`;
  switch (message.part) {
    case "text":
      return message.role;
    case "thinking":
      return `${message.role} thinking`;
    case "notice":
      return `${message.role} notice`;
    case "call":
      return `call${tool}`;
    case "result":
      return `result${tool}`;
  }
}

function isFailure(message: MessageRecord): boolean {
  return message.part === "result" && (message.isError === true || (message.exitCode ?? 0) !== 0);
}

export function indent(text: string, by = "  "): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `${by}${line}`)
    .join("\n");
}

const FAILURE_CHARS = 400;
const MAX_COMMANDS = 12;
