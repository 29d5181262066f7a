import { MEMORY_AGENT } from "../../core/memory.ts";
import { formatDay, formatMinute } from "../../core/time.ts";
import type { Hit, ProjectSummary, SessionSummary, TagSummary, TimelineEntry } from "../../service/yore.ts";
import { countOf, formatCount, oneLine } from "./reply.ts";

/** Zone in which dates are written; the system's when undefined. */
type Zone = string | undefined;

/** `[id] 2026-06-01 · agent · project · session · type · ~320 tok`, the title, and the snippet that matched. */
export function hitRecord(hit: Hit, zone: Zone): string {
  const stale = hit.isStale === true ? "what it is about changed" : "";
  const facts = [formatDay(hit.at, zone), ...origin(hit), hit.type, stale];
  const head = `[${hit.id}] ${join(facts)} · ${tokens(hit.tokens)}`;
  return lines(head, ...withoutEcho(oneLine(hit.title, 60), aroundMark(hit)));
}

export function entryRecord(entry: TimelineEntry, isAnchor: boolean, zone: Zone): string {
  const facts = [formatMinute(entry.at, zone), ...origin(entry), entry.type];
  return lines(
    `${isAnchor ? "→ " : ""}[${entry.id}] ${join(facts)} · ${tokens(entry.tokens)}`,
    ...withoutEcho(oneLine(entry.title, 120), oneLine(entry.summary, 200)),
    entry.files.length === 0 ? "" : `files: ${listSome(entry.files, 4)}`,
  );
}

/** Of a memory there is no session that said it. */
function origin({ agent, project, session }: Pick<Hit, "agent" | "project" | "session">): readonly string[] {
  return agent === MEMORY_AGENT ? ["memory", project.name] : [agent, project.name, sessionName(session)];
}

/** What a step of a timeline costs, for replies that point to it. */
export const ENTRY_COST = "~100 tokens an entry";

export function projectRecord(project: ProjectSummary, zone: Zone): string {
  const facts = [
    `[${project.id}] ${oneLine(project.name, 80)}`,
    countOf(project.sessions, "session"),
    countOf(project.messages, "message"),
    project.agents.join(", "),
    span(project.firstAt, project.lastAt, zone),
  ];
  const folder = project.folders[0];
  return lines(join(facts), folder === undefined ? project.key : folder);
}

export function sessionRecord(session: SessionSummary, zone: Zone): string {
  const facts = [
    `[${oneLine(session.id, 80)}] ${span(session.startedAt, session.endedAt, zone)}`,
    session.agent,
    session.project.name,
    countOf(session.turns, "turn"),
    session.relation === undefined ? "" : `${session.relation} of ${oneLine(session.parent ?? "?", 80)}`,
    session.pinned ? "pinned" : "",
    session.state === "idle" ? "" : session.state,
  ];
  return lines(join(facts), session.title, labels(session));
}

export function tagRecord(tag: TagSummary): string {
  return `#${oneLine(tag.tag, 80)} · ${countOf(tag.sessions, "session")}`;
}

/** Items on one line, the first few of them, and how many more there are. */
export function listSome(items: readonly string[], most: number, maxChars = 80): string {
  const shown = items.slice(0, most).map((item) => oneLine(item, maxChars));
  return items.length > most ? `${shown.join(", ")} and ${items.length - most} more` : shown.join(", ");
}

function tokens(count: number): string {
  return `~${formatCount(count)} tok`;
}

/** Facts on one line; empty ones are left out. */
export function join(facts: readonly string[]): string {
  return facts
    .map((fact) => oneLine(fact, 160))
    .filter((fact) => fact !== "")
    .join(" · ");
}

function lines(head: string, ...below: readonly string[]): string {
  const rest = below.map((text) => oneLine(text, 240)).filter((text) => text !== "");
  return [head, ...rest.map((text) => `  ${text}`)].join("\n");
}

function sessionName(session: { readonly title: string; readonly alias?: string }): string {
  return oneLine(session.alias ?? session.title, 28);
}

/** A title and what follows it, or the second alone where it begins with the first. */
function withoutEcho(title: string, text: string): readonly string[] {
  return text.startsWith(title.replace(/…$/, "")) ? [text] : [title, text];
}

/** The part of a snippet around its first match. */
function aroundMark({ snippet, marks }: Hit): string {
  const [start = 0, end = start] = marks[0] ?? [];
  if (end <= SNIPPET_CHARS) return oneLine(snippet, SNIPPET_CHARS);
  const from = snippet.lastIndexOf(" ", start - SNIPPET_LEAD_CHARS) + 1;
  return oneLine(`${from === 0 ? "" : "…"}${snippet.slice(from)}`, Math.max(SNIPPET_CHARS, end - from + 2));
}

// With the rest of a hit about 50 tokens, or a few more where titles are long.
const SNIPPET_CHARS = 80;
const SNIPPET_LEAD_CHARS = 24;

function labels(session: SessionSummary): string {
  const alias = session.alias === undefined ? [] : [`alias: ${oneLine(session.alias, 60)}`];
  const tags = session.tags.length === 0 ? [] : [`tags: ${listSome(session.tags, 8, 40)}`];
  const branch = session.branch === undefined ? [] : [`branch: ${oneLine(session.branch, 80)}`];
  const { collections } = session;
  const collected = collections.length === 0 ? [] : [`collections: ${listSome(collections, 4, 80)}`];
  const note = session.hasNote ? ["has a note"] : [];
  const title = session.titleBy === "enriched" ? ["title by a model"] : [];
  return [...alias, ...tags, ...collected, ...note, ...branch, ...title].join("; ");
}

/** Days from the first to the last, once if they are the same. */
function span(from: number | undefined, to: number | undefined, zone: Zone): string {
  const first = from === undefined ? undefined : formatDay(from, zone);
  const last = to === undefined ? first : formatDay(to, zone);
  if (first === undefined) return last ?? "";
  return first === last ? first : `${first} to ${last}`;
}
