import type { Anchor, Span } from "./anchor.ts";
import { formatFileReference, parseFileReference } from "./anchor.ts";
import { normaliseName } from "./annotation.ts";
import { formatFrontMatter, parseFrontMatter } from "./front-matter.ts";
import { OBSERVATION_TYPES, type ObservationType } from "./session.ts";

/** What stands where the agent of a session does, in ids and files of memories. */
export const MEMORY_AGENT = "yore";

/** Longest title and text, in UTF-16 units. */
export const MAX_MEMORY_TITLE = 200;
export const MAX_MEMORY_TEXT = 20_000;

/** Something that was saved on purpose. */
export interface Memory {
  readonly id: string;
  readonly type: ObservationType;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  readonly project?: MemoryProject;
  readonly tags: readonly string[];
  readonly anchors: readonly Anchor[];
  /** A person, or the agent that saved it. */
  readonly by: string;
  readonly at: number;
  /** The session in which it was said. */
  readonly session?: { readonly agent: string; readonly nativeId: string };
  /** Ids of the observations it stands on. */
  readonly evidence: readonly string[];
  /** It holds from then on, and up to then; otherwise from when it was saved, and until it is retired. */
  readonly from?: number;
  readonly until?: number;
  readonly supersedes: readonly string[];
  readonly superseded?: { readonly by: string; readonly at: number };
}

export interface MemoryProject {
  readonly key: string;
  readonly name: string;
  readonly identity: "remote" | "git" | "folder";
}

/** The time in which it holds: from a moment on, and before another. */
export function validityOf(memory: Memory): { readonly starts: number; readonly ends: number } {
  const starts = memory.from ?? memory.at;
  const ends = Math.min(memory.until ?? Number.MAX_SAFE_INTEGER, memory.superseded?.at ?? Number.MAX_SAFE_INTEGER);
  return { starts, ends };
}

export function holdsAt(memory: Memory, at: number): boolean {
  const { starts, ends } = validityOf(memory);
  return starts <= at && at < ends;
}

/** `ended`: the time it holds for is over; `coming`: it has not begun. */
export const MEMORY_STATES = ["current", "coming", "ended", "superseded"] as const;
export type MemoryState = (typeof MEMORY_STATES)[number];

export function memoryState(memory: Memory, now: number): MemoryState {
  if (memory.superseded !== undefined && memory.superseded.at <= now) return "superseded";
  if (memory.from !== undefined && memory.from > now) return "coming";
  return memory.until !== undefined && memory.until <= now ? "ended" : "current";
}

/** A memory as the text of its file: what is known of it at the top, what it says below. */
export function formatMemory(memory: Memory): string {
  const { project, session, superseded } = memory;
  const fields: [string, string | undefined][] = [
    ["id", memory.id],
    ["type", memory.type],
    ["title", memory.title],
    ["project", project?.key],
    ["project-name", project?.name],
    ["project-identity", project?.identity],
    ["tags", listed(memory.tags)],
    ...memory.anchors.map((anchor): [string, string] => ["file", formatAnchor(anchor)]),
    ["by", memory.by],
    ["at", dated(memory.at)],
    ["agent", session?.agent],
    ["session", session?.nativeId],
    ["evidence", listed(memory.evidence)],
    ["from", dated(memory.from)],
    ["until", dated(memory.until)],
    ["supersedes", listed(memory.supersedes)],
    ["superseded-by", superseded?.by],
    ["superseded-at", dated(superseded?.at)],
  ];
  const known = fields.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return formatFrontMatter({ fields: known, body: memory.text });
}

/**
 * The memory that a text tells of; undefined where it lacks an id, a title, who said it or when. A field that makes no
 * sense counts as left out.
 */
export function parseMemory(text: string): Memory | undefined {
  const parsed = parseFrontMatter(text);
  if (parsed === undefined) return undefined;
  const fields = new Map(parsed.fields);
  const field = (name: string): string | undefined => fields.get(name) || undefined;
  const [id, title, at] = [field("id"), field("title"), timeIn(field("at"))];
  if (id === undefined || !MEMORY_ID.test(id) || title === undefined || at === undefined) return undefined;
  const project = projectIn(field);
  const [agent, nativeId] = [field("agent"), field("session")];
  const [from, until] = [timeIn(field("from")), timeIn(field("until"))];
  const [by, supersededAt] = [idsIn(field("superseded-by"))[0], timeIn(field("superseded-at"))];
  return {
    id,
    type: OBSERVATION_TYPES.find((one) => one === field("type")) ?? "note",
    title: title.slice(0, MAX_MEMORY_TITLE),
    text: parsed.body.replace(/^(?:[ \t]*\n)+/, "").trimEnd(),
    ...(project !== undefined && { project }),
    tags: [...new Set(split(field("tags")).flatMap((tag) => normaliseName(tag) ?? []))].sort(),
    anchors: parsed.fields.flatMap(([name, value]) => (name === "file" ? [parseAnchor(value)] : [])),
    by: field("by") ?? "person",
    at,
    ...(agent !== undefined && nativeId !== undefined && { session: { agent, nativeId } }),
    evidence: idsIn(field("evidence")),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    supersedes: idsIn(field("supersedes")),
    ...(by !== undefined && { superseded: { by, at: supersededAt ?? at } }),
  };
}

/** Names of fields at the top of a text that make no sense, or say something of which nothing is kept. */
export function refusedFields(text: string, memory: Memory): readonly string[] {
  const kept = new Map(parseFrontMatter(formatMemory(memory))?.fields ?? []);
  const told = parseFrontMatter(text)?.fields ?? [];
  const names = told.filter(
    ([name, value]) => value !== "" && (!kept.has(name) || isLost(name, value, kept.get(name) ?? "")),
  );
  return [...new Set(names.map(([name]) => name))];
}

/** Of a list, whether an entry is missing. */
function isLost(name: string, value: string, kept: string): boolean {
  if (name === "type") return value !== kept;
  return /^(?:tags|evidence|supersedes)$/.test(name) && split(value).length > split(kept).length;
}

const MEMORY_ID = /^[0-9a-hjkmnp-tv-z]{12}$/;

/** `path#symbol`, its lines, and after a blank the marks of what stood there. */
function formatAnchor({ span, ...place }: Anchor): string {
  const lines = place.symbol !== undefined && place.lines !== undefined ? ` @${place.lines.join("-")}` : "";
  const marks = span === undefined ? "" : ` =${span.count}.${span.hash}.${span.first}`;
  return `${formatFileReference(place)}${lines}${marks}`;
}

function parseAnchor(text: string): Anchor {
  const [, reference = text, first, last, count = "", hash = "", head = ""] = ANCHOR.exec(text) ?? [];
  const place = parseFileReference(reference);
  const lines = first === undefined ? place.lines : ([Number(first), Number(last)] as const);
  const span: Span | undefined = count === "" ? undefined : { count: Number(count), hash, first: head };
  return { ...place, ...(lines !== undefined && { lines }), ...(span !== undefined && { span }) };
}

const ANCHOR = /^(.+?)(?: @(\d{1,7})-(\d{1,7}))?(?: =(\d{1,7})\.([\w-]{16})\.([\w-]{16}))?$/;

function projectIn(field: (name: string) => string | undefined): MemoryProject | undefined {
  const [key, name, identity] = [field("project"), field("project-name"), field("project-identity")];
  if (key === undefined) return undefined;
  return { key, name: name ?? key, identity: identity === "remote" || identity === "git" ? identity : "folder" };
}

function idsIn(value: string | undefined): string[] {
  return split(value).filter((id) => /^[0-9a-z]{6,40}$/.test(id));
}

function split(value = ""): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}

function listed(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(", ");
}

function dated(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function timeIn(value: string | undefined): number | undefined {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isFinite(time) ? time : undefined;
}
