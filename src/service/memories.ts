import { formatFileReference } from "../core/anchor.ts";
import { normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { memoryId } from "../core/ids.ts";
import { formatMemory, MEMORY_AGENT, type Memory, memoryState } from "../core/memory.ts";
import { saysTheSame, similarTo } from "../memory/similar.ts";
import type { AnnotationReader, AnnotationStep, HistoryTransaction } from "../store/store.ts";
import { noteOf } from "./author.ts";
import {
  forgottenIn,
  isWanted,
  memoriesIn,
  memoryRecord,
  memoryRecords,
  projectKeysOf,
  requireMemory,
} from "./memory-views.ts";
import { type MemoryRequest, requestedMemory } from "./requested-memory.ts";
import { sliceOf, type Workbench } from "./workbench.ts";
import type { RememberRequest, Yore } from "./yore.ts";

const SIMILAR_SHOWN = 3;

/** What is saved on purpose. */
export function remembering(bench: Workbench): Pick<Yore, "remember" | "memories"> {
  const { store, keeper, annotationMirror, clock } = bench;
  return {
    async remember(request) {
      await keeper.refresh();
      const replaced = standing(await allOf(store.annotations), request.supersedes);
      const drafted = await requestedMemory(bench, request, replaced);
      const done = await annotationMirror.write((tx) => save(tx, drafted.memory, request, bench));
      const { number, memory, similar, superseded } = done;
      return {
        ...(number !== undefined && { number }),
        outcome: number === undefined ? "unchanged" : "added",
        memory: await memoryRecord(bench, memory),
        similar: await memoryRecords(bench, similar),
        superseded: await memoryRecords(bench, superseded),
        ...(drafted.isNewProject && { isNewProject: true }),
        warnings: [...drafted.warnings, ...annotationMirror.problems],
      };
    },

    async memories(request = {}) {
      const freshness = await keeper.refresh();
      const { filter = {}, type, all = false } = request;
      const { project, tag, since, until, asOf } = filter;
      const keys = project === undefined ? undefined : await projectKeysOf(store, project);
      const asked = {
        all,
        at: asOf ?? clock(),
        keys,
        since,
        until,
        tag: tag === undefined ? undefined : (normaliseName(tag) ?? tag),
        ...(type !== undefined && { type }),
      };
      const forgotten = await forgottenIn(store.annotations);
      const wanted = (await memoriesIn(store.annotations))
        .filter((memory) => isWanted(asked, memory) && (all || !forgotten.has(memory.id)))
        .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
      const { offset, limit } = sliceOf(request);
      const shown = wanted.slice(offset, offset + limit);
      const page = await memoryRecords(bench, shown, forgotten);
      const warnings = keys?.size === 0 ? ["No project fits that name."] : [];
      return { items: page, total: wanted.length, offset, freshness, warnings };
    },
  };
}

interface Saved {
  readonly number?: number;
  readonly memory: Memory;
  readonly similar: readonly Memory[];
  readonly superseded: readonly Memory[];
}

async function save(
  tx: HistoryTransaction,
  draft: MemoryRequest["memory"],
  request: RememberRequest,
  bench: Workbench,
): Promise<Saved> {
  const { all, forgotten } = await allOf(tx.annotations);
  const replaced = standing({ all, forgotten }, request.supersedes);
  const memory: Memory = {
    ...draft,
    id: await freeId(tx.annotations, draft),
    supersedes: replaced.map(({ id }) => id),
  };
  const isOfProject = (one: Memory) => one.project?.key === memory.project?.key;
  const isCurrent = (one: Memory) => memoryState(one, memory.at) === "current" && !forgotten.has(one.id);
  const current = all.filter((one) => isOfProject(one) && isCurrent(one));
  const same =
    replaced.length > 0 ? undefined : current.find((one) => saysTheSame(one, memory) && tellsAsMuch(one, memory));
  if (same !== undefined) return { memory: same, similar: [], superseded: [] };
  const superseded = replaced.map((one) => ({ ...one, superseded: { by: memory.id, at: memory.from ?? memory.at } }));
  const number = await tx.annotate([memory, ...superseded].map(stepOf), noteOf(bench, request));
  const similar = similarTo(
    memory,
    current.filter(({ id }) => !memory.supersedes.includes(id)),
  );
  return { ...(number !== undefined && { number }), memory, similar: similar.slice(0, SIMILAR_SHOWN), superseded };
}

function stepOf(memory: Memory): AnnotationStep {
  const session = { agent: MEMORY_AGENT, nativeId: memory.id };
  return { kind: "memory", session, key: "", value: formatMemory(memory) };
}

/** Whether nothing was given that the one that is known lacks. */
function tellsAsMuch(known: Memory, { tags, anchors, evidence, from, until }: Memory): boolean {
  const places = new Set(known.anchors.map(formatFileReference));
  return (
    tags.every((tag) => known.tags.includes(tag)) &&
    anchors.every((anchor) => places.has(formatFileReference(anchor))) &&
    evidence.every((id) => known.evidence.includes(id)) &&
    (from === undefined || from === known.from) &&
    (until === undefined || until === known.until)
  );
}

interface All {
  readonly all: readonly Memory[];
  readonly forgotten: ReadonlySet<string>;
}

async function allOf(reader: AnnotationReader): Promise<All> {
  return { all: await memoriesIn(reader), forgotten: await forgottenIn(reader) };
}

/** The memories of these ids, none of which is retired. */
function standing({ all, forgotten }: All, ids: readonly string[] = []): readonly Memory[] {
  return ids.map((id) => requireStanding(all, forgotten, id));
}

function requireStanding(all: readonly Memory[], forgotten: ReadonlySet<string>, id: string): Memory {
  const memory = requireMemory(all, id);
  if (memory.superseded !== undefined) {
    throw new YoreError("bad-input", `${memory.id} was superseded already.`, {
      hint: `Supersede what took its place: ${memory.superseded.by}.`,
    });
  }
  if (!forgotten.has(memory.id)) return memory;
  throw new YoreError("bad-input", `${memory.id} was forgotten.`, {
    hint: `\`yore unforget ${memory.id}\` takes that back.`,
  });
}

/** Two that are the same to the millisecond get ids of their own. */
async function freeId(reader: AnnotationReader, { title, text, by, at }: MemoryRequest["memory"]): Promise<string> {
  for (let count = 0; ; count += 1) {
    const id = memoryId(title, text, by, String(at), String(count));
    if ((await reader.of({ agent: MEMORY_AGENT, nativeId: id })).length === 0) return id;
  }
}
