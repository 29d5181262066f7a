import { normaliseCollection, normaliseName } from "../core/annotation.ts";
import { clipLine } from "../core/text.ts";
import { clean } from "../ingest/prepare.ts";
import { type Fields, textOf, timeOf } from "../sources/fields.ts";
import {
  type AnnotationReader,
  type HistoryTransaction,
  type SessionKey,
  STORED_ANNOTATION_KINDS,
  type StoredAnnotation,
} from "../store/store.ts";
import { parseText } from "./annotation-files.ts";
import { tidyNote } from "./note-text.ts";
import type { Workbench } from "./workbench.ts";
import type { AnnotationConflict } from "./yore.ts";

export interface Merged {
  readonly added: number;
  readonly unchanged: number;
  /** Lines that make no sense here, such as of a kind that is not known. */
  readonly refused: number;
  readonly conflicts: readonly AnnotationConflict[];
}

/**
 * Adds what an export says stands on sessions, with who put it there and when. What stands here stays, and what was taken
 * off here stays off.
 */
export async function mergeAnnotations({ annotationMirror }: Workbench, lines: readonly Fields[]): Promise<Merged> {
  const wanted = lines.flatMap((line) => annotationIn(line) ?? []);
  const refused = lines.length - wanted.length;
  if (wanted.length === 0) return { added: 0, unchanged: 0, refused, conflicts: [] };
  return annotationMirror.write(async (tx) => {
    const conflicts: AnnotationConflict[] = [];
    const fresh: StoredAnnotation[] = [];
    let unchanged = 0;
    for (const one of wanted) {
      const here = await obstacle(tx.annotations, one);
      if (here === undefined) fresh.push(one);
      else if (here === SAME) unchanged += 1;
      else conflicts.push(conflictOf(one, here));
    }
    // One at a time, since two lines of an export may claim the same alias.
    let added = 0;
    for (const change of together(fresh)) added += await add(tx, change, conflicts);
    return { added, unchanged, refused, conflicts };
  });
}

const SAME = Symbol("same");

/** What stands in the way of an annotation: nothing, the very same, or another one. */
async function obstacle(reader: AnnotationReader, one: StoredAnnotation): Promise<string | typeof SAME | undefined> {
  const all = await reader.of(one.session);
  const known = all.find(({ kind, key }) => kind === one.kind && key === one.key);
  if (known !== undefined) return known.value === one.value ? SAME : known.value;
  const opposite = one.kind === "tag" ? "untag" : one.kind === "untag" ? "tag" : undefined;
  if (all.some(({ kind, key }) => kind === opposite && key === one.key))
    return one.kind === "tag" ? "(taken off)" : one.key;
  if (one.kind !== "alias") return undefined;
  const holder = await reader.aliased(one.value);
  return holder === undefined ? undefined : `(the alias of ${holder.nativeId})`;
}

async function add(
  tx: HistoryTransaction,
  change: readonly StoredAnnotation[],
  conflicts: AnnotationConflict[],
): Promise<number> {
  const steps: StoredAnnotation[] = [];
  for (const one of change) {
    const here = await obstacle(tx.annotations, one);
    const isClaimed = one.kind === "alias" && steps.some(({ kind, value }) => kind === "alias" && value === one.value);
    if (here === undefined && !isClaimed) steps.push(one);
    else if (here !== SAME) conflicts.push(conflictOf(one, here ?? "(the alias of another session)"));
  }
  const [first] = steps;
  if (first !== undefined) await tx.annotate(steps, { at: first.at, by: first.by, via: "import" });
  return steps.length;
}

/** Those that one person put there at once are one change of the history, the oldest first. */
function together(annotations: readonly StoredAnnotation[]): readonly (readonly StoredAnnotation[])[] {
  const changes = new Map<string, StoredAnnotation[]>();
  for (const one of annotations.toSorted((a, b) => a.at - b.at)) {
    const id = JSON.stringify([one.at, one.by]);
    const change = changes.get(id);
    if (change === undefined) changes.set(id, [one]);
    else change.push(one);
  }
  return [...changes.values()];
}

function conflictOf({ kind, session, key, value }: StoredAnnotation, here: string | symbol): AnnotationConflict {
  const shown = (text: string): string => {
    const isText = kind === "note" || kind === "memory";
    return isText ? `(a ${kind})` : clipLine(text, 80);
  };
  return { kind, session: session.nativeId, here: shown(String(here)), there: shown(key === "" ? value : key) };
}

function annotationIn(line: Fields): StoredAnnotation | undefined {
  const kind = STORED_ANNOTATION_KINDS.find((one) => one === line.kind);
  const [agent, nativeId, at] = [textOf(line.agent), textOf(line.session), timeOf(line.at)];
  const { key = "", value = "" } = line;
  if (kind === undefined || agent === undefined || nativeId === undefined || at === undefined) return undefined;
  if (typeof key !== "string" || typeof value !== "string" || nativeId.length > MAX_ID || agent.length > MAX_ID)
    return undefined;
  const session = { agent, nativeId };
  const one = { kind, session, key, value: kind === "memory" ? memoryIn(session, value) : tidyNote(value), at };
  return isSound(one) ? { ...one, by: clean(textOf(line.by) ?? "person").slice(0, MAX_AUTHOR) } : undefined;
}

/** Empty where it is no memory, or another one. */
function memoryIn({ agent, nativeId }: SessionKey, text: string): string {
  const { session, value } = parseText("memory", text);
  return session?.agent === agent && session.nativeId === nativeId ? value : "";
}

/** Whether it might have been put there by a command. */
function isSound({ kind, key, value }: Omit<StoredAnnotation, "by">): boolean {
  switch (kind) {
    case "alias":
      return key === "" && clean(value) === value && normaliseName(value) === value;
    case "tag":
    case "untag":
      return value === "" && clean(key) === key && normaliseName(key) === key;
    case "collection":
      return value === "" && clean(key) === key && normaliseCollection(key) === key;
    case "pin":
      return key === "" && /^[0-9a-z]{0,40}$/.test(value);
    case "note":
    case "memory":
      return key === "" && value !== "";
    case "forgotten":
      // Nothing that comes from elsewhere hides what is here.
      return false;
    default:
      return clean(key) === key;
  }
}

const MAX_ID = 1_000;
const MAX_AUTHOR = 100;
