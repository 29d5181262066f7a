import { YoreError } from "../core/errors.ts";
import { projectId } from "../core/ids.ts";
import { holdsAt, MEMORY_AGENT, type Memory, memoryState, parseMemory } from "../core/memory.ts";
import type { AnnotationReader, Store } from "../store/store.ts";
import { checkAnchors } from "./anchors.ts";
import { matchProjects } from "./find.ts";
import { treesOf } from "./trees.ts";
import type { Workbench } from "./workbench.ts";
import type { MemoriesRequest, MemoryRecord, ProjectRef } from "./yore.ts";

const ID_PREFIX = 6;

/** All there are, retired ones too. */
export async function memoriesIn(reader: AnnotationReader): Promise<readonly Memory[]> {
  return (await reader.all("memory")).flatMap(({ value }) => parseMemory(value) ?? []);
}

/** The memory of that id, a retired one too. */
export async function storedMemory(store: Store, id: string): Promise<Memory | undefined> {
  const stored = await store.annotations.of({ agent: MEMORY_AGENT, nativeId: id });
  return stored.flatMap(({ kind, value }) => (kind === "memory" ? (parseMemory(value) ?? []) : []))[0];
}

/** Ids of those that were forgotten. */
export async function forgottenIn(reader: AnnotationReader): Promise<ReadonlySet<string>> {
  const all = await reader.all("forgotten");
  return new Set(all.flatMap(({ session }) => (session.agent === MEMORY_AGENT ? [session.nativeId] : [])));
}

/** The memory of that id, or the one whose id begins so. Throws where none does. */
export function requireMemory(all: readonly Memory[], asked: string): Memory {
  const found = findMemory(all, asked);
  if (found !== undefined) return found;
  throw new YoreError("not-found", "There is no memory with that id.", { hint: "`yore memories` lists them." });
}

/** Undefined where there is none. Throws where several begin so. */
export function findMemory(all: readonly Memory[], asked: string): Memory | undefined {
  const wanted = asked.trim().toLowerCase();
  const found = wanted.length < ID_PREFIX ? [] : all.filter(({ id }) => id.startsWith(wanted));
  const [only, other] = found;
  if (only === undefined || other === undefined || only.id === wanted) return only;
  throw new YoreError("ambiguous", "More than one memory begins with that.", {
    hint: `Give more of the id: ${found.map(({ id }) => id).join(", ")}.`,
  });
}

type Bench = Pick<Workbench, "store" | "clock" | "environment" | "folder">;

/** With their projects as they are called now, and their anchors compared with what stands in the projects' folders. */
export async function memoryRecords(
  bench: Bench,
  memories: readonly Memory[],
  forgotten: ReadonlySet<string> = new Set(),
): Promise<readonly MemoryRecord[]> {
  const trees = treeFinder(bench);
  const placed = await Promise.all(memories.map((memory) => placeOf(bench, memory, trees)));
  const anchored = placed.flatMap(({ memory, trees }) => memory.anchors.map((anchor) => ({ anchor, trees })));
  const checked = checkAnchors(anchored);
  return placed.map(({ memory, project }) => {
    const anchors = checked.splice(0, memory.anchors.length);
    return recordOf(memory, {
      project,
      anchors,
      state: forgotten.has(memory.id) ? "forgotten" : memoryState(memory, bench.clock()),
    });
  });
}

export async function memoryRecord(bench: Bench, memory: Memory): Promise<MemoryRecord> {
  const [record] = await memoryRecords(bench, [memory]);
  if (record === undefined) throw new YoreError("internal", "The memory could not be told.");
  return record;
}

/** Ids of those of which something that they are about does not stand where it did; it is not looked for elsewhere. */
export async function staleAmong(bench: Bench, memories: readonly Memory[]): Promise<ReadonlySet<string>> {
  const trees = treeFinder(bench);
  const stale = new Set<string>();
  for (const memory of memories.filter(({ anchors }) => anchors.length > 0)) {
    const place = await placeOf(bench, memory, trees);
    const anchored = memory.anchors.map((anchor) => ({ anchor, trees: place.trees }));
    const isAstray = checkAnchors(anchored, { elsewhere: false }).some(
      ({ state }) => state === "changed" || state === "gone" || state === "moved",
    );
    if (isAstray) stale.add(memory.id);
  }
  return stale;
}

type TreeFinder = (projectKey: string | undefined) => Promise<readonly string[]>;

/** Looks once for each project, since many memories are of few. */
function treeFinder(bench: Bench): TreeFinder {
  const known = new Map<string | undefined, Promise<readonly string[]>>();
  return (key) => {
    const trees = known.get(key) ?? treesOf(bench, key);
    known.set(key, trees);
    return trees;
  };
}

async function placeOf(bench: Bench, memory: Memory, treesFor: TreeFinder) {
  const { project } = memory;
  const [stored] = await bench.store.observations.byPrefix(memory.id, 1);
  const isKnown = stored !== undefined && stored.projectKey !== "";
  const key = isKnown ? stored.projectKey : project?.key;
  const ref =
    key === undefined ? undefined : { id: projectId(key), name: isKnown ? stored.projectName : (project?.name ?? "") };
  return { memory, project: ref, trees: memory.anchors.length === 0 ? [] : await treesFor(key) };
}

function recordOf(
  memory: Memory,
  told: { readonly project: ProjectRef | undefined } & Pick<MemoryRecord, "anchors" | "state">,
): MemoryRecord {
  const { session, from, until, superseded } = memory;
  return {
    id: memory.id,
    type: memory.type,
    title: memory.title,
    text: memory.text,
    ...(told.project !== undefined && { project: told.project }),
    tags: memory.tags,
    by: memory.by,
    at: memory.at,
    ...(session !== undefined && { session: session.nativeId }),
    evidence: memory.evidence,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    supersedes: memory.supersedes,
    ...(superseded !== undefined && { supersededBy: superseded.by }),
    state: told.state,
    anchors: told.anchors,
  };
}

/** Whether a listing has it. */
export function isWanted(
  { type, tag, keys, since = 0, until = Number.MAX_SAFE_INTEGER, all, at }: WantedMemories,
  memory: Memory,
): boolean {
  return (
    (all || holdsAt(memory, at)) &&
    (type === undefined || memory.type === type) &&
    (tag === undefined || memory.tags.includes(tag)) &&
    (keys === undefined || (memory.project !== undefined && keys.has(memory.project.key))) &&
    memory.at >= since &&
    memory.at < until
  );
}

export interface WantedMemories extends Pick<MemoriesRequest, "type"> {
  readonly tag?: string | undefined;
  readonly keys?: ReadonlySet<string> | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly all: boolean;
  readonly at: number;
}

/** Keys of the projects that a name may mean, and what these were before. */
export async function projectKeysOf(store: Store, name: string): Promise<ReadonlySet<string>> {
  const found = await matchProjects(store, name.trim());
  return new Set(
    found.flatMap(({ key, formerKeys = [], merged = [] }) => [key, ...formerKeys, ...merged.map((one) => one.key)]),
  );
}
