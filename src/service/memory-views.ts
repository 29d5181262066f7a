import { YoreError } from "../core/errors.ts";
import { projectId } from "../core/ids.ts";
import { holdsAt, MEMORY_AGENT, type Memory, memoryState, parseMemory } from "../core/memory.ts";
import type { AnnotationReader, Store } from "../store/store.ts";
import { checkAnchor } from "./anchors.ts";
import { resolveFilter } from "./find.ts";
import { treesOf } from "./trees.ts";
import type { Workbench } from "./workbench.ts";
import type { MemoriesRequest, MemoryRecord } from "./yore.ts";

const ID_PREFIX = 6;

/** All there are, retired ones too. */
export async function memoriesIn(reader: AnnotationReader): Promise<readonly Memory[]> {
  return (await reader.all("memory")).flatMap(({ value }) => parseMemory(value) ?? []);
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

/** With its project as it is called now, and its anchors compared with what stands in the project's folders. */
export async function memoryRecord(
  bench: Pick<Workbench, "store" | "clock" | "environment" | "folder">,
  memory: Memory,
  isForgotten = false,
): Promise<MemoryRecord> {
  const { store, clock } = bench;
  const { project, session, from, until, superseded } = memory;
  const [stored] = await store.observations.byPrefix(memory.id, 1);
  const isKnown = stored !== undefined && stored.projectKey !== "";
  const trees = memory.anchors.length === 0 ? [] : await treesOf(bench, stored?.projectKey ?? project?.key);
  return {
    id: memory.id,
    type: memory.type,
    title: memory.title,
    text: memory.text,
    ...(project !== undefined && {
      project: isKnown
        ? { id: projectId(stored.projectKey), name: stored.projectName }
        : { id: projectId(project.key), name: project.name },
    }),
    tags: memory.tags,
    by: memory.by,
    at: memory.at,
    ...(session !== undefined && { session: session.nativeId }),
    evidence: memory.evidence,
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    supersedes: memory.supersedes,
    ...(superseded !== undefined && { supersededBy: superseded.by }),
    state: isForgotten ? "forgotten" : memoryState(memory, clock()),
    anchors: memory.anchors.map((anchor) => checkAnchor(anchor, trees)),
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

/** Keys of the projects that a name may mean, those that only memories are of too, and what these were before. */
export async function projectKeysOf(store: Store, name: string): Promise<ReadonlySet<string>> {
  const wanted = name.trim().toLowerCase();
  const { filter } = await resolveFilter(store, [], { project: name });
  const known = (await store.sessions.projects({}, { offset: 0, limit: 100_000 })).items.filter(({ id }) =>
    filter.projects?.includes(id),
  );
  const keys = known.flatMap(({ key, formerKeys = [], merged = [] }) => [
    key,
    ...formerKeys,
    ...merged.map((one) => one.key),
  ]);
  const own = (await memoriesIn(store.annotations)).flatMap(({ project }) => {
    const isMeant =
      project !== undefined &&
      [project.key, project.name, projectId(project.key)].some((one) => one.toLowerCase() === wanted);
    return isMeant ? [project.key] : [];
  });
  return new Set([...keys, ...own]);
}
