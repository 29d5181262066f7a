import { createHash } from "node:crypto";
import { normaliseCollection, normaliseName } from "../core/annotation.ts";
import { formatFrontMatter, parseFrontMatter } from "../core/front-matter.ts";
import { formatMemory, MEMORY_AGENT, type Memory, parseMemory, refusedFields } from "../core/memory.ts";
import { clean, cleanNote } from "../ingest/prepare.ts";
import type { AnnotationKey, SessionKey, StoredAnnotation, StoredAnnotationKind } from "../store/store.ts";
import { formatMirror, parseMirror } from "./mirror-file.ts";
import { tidyNote, tidyReason } from "./note-text.ts";

/** What a file tells of one annotation. */
export interface FileEntry extends AnnotationKey {
  readonly value: string;
  /** Absent where a person wrote it. */
  readonly at?: number;
  readonly by?: string;
}

export interface ParsedFile {
  readonly entries: readonly FileEntry[];
  /** Entries that make no sense, or that another one forbids. */
  readonly refused: number;
}

/** A list of a file: under which name, of what, and what an entry calls the thing it is about. */
interface Section {
  readonly list: string;
  readonly kind: StoredAnnotationKind;
  readonly field: string;
}

export const JSON_FILES: Readonly<Record<string, readonly Section[]>> = {
  "aliases.json": [{ list: "aliases", kind: "alias", field: "alias" }],
  "tags.json": [
    { list: "tags", kind: "tag", field: "tag" },
    { list: "removed", kind: "untag", field: "tag" },
  ],
  "pins.json": [{ list: "pins", kind: "pin", field: "decision" }],
  "collections.json": [{ list: "collections", kind: "collection", field: "collection" }],
  "forgotten.json": [{ list: "forgotten", kind: "forgotten", field: "reason" }],
};

/** The JSON file that tells of a kind; notes have a file each. */
export function jsonFileOf(kind: StoredAnnotationKind): string | undefined {
  return Object.keys(JSON_FILES).find((name) => JSON_FILES[name]?.some((section) => section.kind === kind));
}

export function kindsIn(name: string): readonly StoredAnnotationKind[] {
  return (JSON_FILES[name] ?? []).map(({ kind }) => kind);
}

export function formatJsonFile(name: string, annotations: readonly StoredAnnotation[]): string {
  const lists = (JSON_FILES[name] ?? []).map(({ list, kind, field }) => [
    list,
    annotations
      .filter((one) => one.kind === kind)
      .map((one) => {
        const named = one.key === "" ? one.value : one.key;
        return {
          ...(named !== "" && { [field]: named }),
          agent: one.session.agent,
          session: one.session.nativeId,
          at: new Date(one.at).toISOString(),
          by: one.by,
        };
      }),
  ]);
  return formatMirror({ version: 1, ...Object.fromEntries(lists) });
}

/** Undefined where it is no such file. */
export function parseJsonFile(name: string, text: string): ParsedFile | undefined {
  const value = parseMirror(text);
  if (!isObject(value) || value.version !== 1) return undefined;
  const entries = new Map<string, FileEntry>();
  const aliases = new Set<string>();
  let refused = 0;
  for (const section of JSON_FILES[name] ?? []) {
    const list = listIn(value[section.list]);
    for (const item of list) {
      const entry = isObject(item) ? parseEntry(section, item) : undefined;
      const id = entry === undefined ? "" : annotationId(entry);
      const isClaimed = entry?.kind === "alias" && aliases.has(entry.value);
      if (entry === undefined || isClaimed || (entries.has(id) && entries.get(id)?.value !== entry.value)) refused += 1;
      else entries.set(id, entry);
      if (entry?.kind === "alias") aliases.add(entry.value);
    }
  }
  return { entries: [...entries.values()], refused };
}

export function annotationId({ kind, session, key }: AnnotationKey): string {
  return JSON.stringify([kind, session.agent, session.nativeId, key]);
}

/** A note or a memory has a file of its own below `mirror`. */
export const NOTES = "notes";
export const MEMORIES = "memories";

/** Kinds that have a file each, and not a list in one. */
export type TextKind = "note" | "memory";

export function textKindOf(kind: StoredAnnotationKind): TextKind | undefined {
  return kind === "note" || kind === "memory" ? kind : undefined;
}

/** Which kind of text a file of that name is. */
export function textKindIn(name: string): TextKind | undefined {
  if (name.startsWith(`${NOTES}/`)) return "note";
  return name.startsWith(`${MEMORIES}/`) ? "memory" : undefined;
}

/** Name of the file of a note or memory, by what it is about and what it says. */
export function textFileOf({ kind, session, value }: Pick<StoredAnnotation, "kind" | "session" | "value">): string {
  if (kind === "note") return noteFileOf(session);
  const project = parseMemory(value)?.project?.name ?? "";
  const folder = project
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 60);
  return `${MEMORIES}/${folder === "" ? "no-project" : folder}/${session.nativeId}.md`;
}

export function formatText(annotation: StoredAnnotation): string {
  return annotation.kind === "note" ? formatNote(annotation) : annotation.value;
}

/** What a file of a note or memory tells; the session is absent where the text does not tell it. */
export function parseText(kind: TextKind, text: string): ParsedText {
  return kind === "note" ? parseNote(text) : parseMemoryFile(text);
}

/** Whether the text ends within the head that it begins with, which no one writes by hand. */
export function isCutText(kind: TextKind, text: string): boolean {
  return kind === "note" && /^\ufeff?---\r?\n/.test(text) && parseFrontMatter(text) === undefined;
}

/** An empty value means that there is to be no note. */
export interface ParsedText extends Dated {
  readonly session?: SessionKey;
  readonly value: string;
  /** Names of fields that make no sense. */
  readonly refused?: readonly string[];
}

/** A memory as it is stored: without secrets, whoever wrote its file. */
function cleanMemory(memory: Memory): Memory {
  const { project } = memory;
  return {
    ...memory,
    title: clean(memory.title),
    text: cleanNote(memory.text),
    by: clean(memory.by).slice(0, 100),
    tags: memory.tags.filter((tag) => clean(tag) === tag),
    anchors: memory.anchors.map((anchor) => ({ ...anchor, path: clean(anchor.path) })),
    ...(project !== undefined && { project: { ...project, key: clean(project.key), name: clean(project.name) } }),
  };
}

function parseMemoryFile(asWritten: string): ParsedText {
  const text = cleanNote(asWritten);
  const memory = parseMemory(text);
  if (memory === undefined) return { value: "" };
  const { id, at, by } = memory;
  const session = { agent: MEMORY_AGENT, nativeId: id };
  return { session, value: formatMemory(cleanMemory(memory)), at, by, refused: refusedFields(text, memory) };
}

function noteFileOf({ agent, nativeId }: SessionKey): string {
  const name = `${agent}-${nativeId}`;
  // Of names that some file system would not tell apart, or not take, a hash tells which is meant.
  if (/^[a-z0-9][a-z0-9._-]{0,120}$/.test(name)) return `${NOTES}/${name}.md`;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${NOTES}/${name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 100)}-${hash}.md`;
}

function formatNote({ session, value, at, by }: StoredAnnotation): string {
  const fields = { session: session.nativeId, agent: session.agent, when: new Date(at).toISOString(), by };
  return formatFrontMatter({ fields: Object.entries(fields), body: value });
}

function parseNote(text: string): ParsedText {
  const parsed = parseFrontMatter(text);
  if (parsed === undefined) return { value: tidyNote(text.replace(/^\ufeff/, "")) };
  const fields = Object.fromEntries(parsed.fields);
  const session = sessionIn(fields);
  return {
    value: tidyNote(parsed.body),
    ...(session !== undefined && { session }),
    ...datedIn({ ...fields, at: fields.when }),
  };
}

interface Dated {
  readonly at?: number;
  readonly by?: string;
}

type Fields = Readonly<Record<string, unknown>>;

function parseEntry({ kind, field }: Section, fields: Fields): FileEntry | undefined {
  const session = sessionIn(fields);
  const name = nameIn(kind, fields[field]);
  if (session === undefined || name === undefined) return undefined;
  const isKeyed = kind === "tag" || kind === "untag" || kind === "collection";
  return { kind, session, key: isKeyed ? name : "", value: isKeyed ? "" : name, ...datedIn(fields) };
}

function nameIn(kind: StoredAnnotationKind, value: unknown): string | undefined {
  if (kind === "forgotten") return value === undefined || value === null ? "" : reasonIn(value);
  if (kind === "pin") return value === undefined || value === null ? "" : decisionIn(value);
  if (typeof value !== "string" || clean(value) !== value) return undefined;
  return kind === "collection" ? normaliseCollection(value) : normaliseName(value);
}

function decisionIn(value: unknown): string | undefined {
  return typeof value === "string" && /^[0-9a-z]{0,40}$/.test(value) ? value : undefined;
}

function reasonIn(value: unknown): string | undefined {
  return typeof value === "string" ? tidyReason(value) : undefined;
}

function sessionIn({ agent, session }: Fields): SessionKey | undefined {
  return isKey(agent) && isKey(session) ? { agent, nativeId: session } : undefined;
}

function datedIn({ at, by }: Fields): Dated {
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return {
    ...(Number.isFinite(time) && { at: time }),
    ...(typeof by === "string" && by !== "" && { by: clean(by).slice(0, 100) }),
  };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 1_000;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
