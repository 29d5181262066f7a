import { dirname } from "node:path";
import { normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { withoutRecall } from "../core/fence.ts";
import { memoryId } from "../core/ids.ts";
import {
  formatMemory,
  MAX_MEMORY_TEXT,
  MAX_MEMORY_TITLE,
  MEMORY_AGENT,
  type Memory,
  memoryState,
} from "../core/memory.ts";
import { observationTitle } from "../core/observation.ts";
import { clipLine } from "../core/text.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import { clean, cleanNote } from "../ingest/prepare.ts";
import { saysTheSame, similarTo } from "../memory/similar.ts";
import type { AnnotationReader, AnnotationStep, HistoryTransaction, StoredSession } from "../store/store.ts";
import { anchorOf } from "./anchors.ts";
import { noteOf } from "./author.ts";
import { findSession, requireObservation } from "./find.ts";
import { forgottenIn, isWanted, memoriesIn, memoryRecord, projectKeysOf, requireMemory } from "./memory-views.ts";
import { treesOf } from "./trees.ts";
import { sliceOf, type Workbench } from "./workbench.ts";
import type { RememberRequest, Yore } from "./yore.ts";

const SIMILAR_SHOWN = 3;

/** What is saved on purpose. */
export function remembering(bench: Workbench): Pick<Yore, "remember" | "memories"> {
  const { store, keeper, annotationMirror, clock } = bench;
  return {
    async remember(request) {
      await keeper.refresh();
      const drafted = await draftOf(bench, request);
      const done = await annotationMirror.write((tx) => save(tx, drafted, request, bench));
      const { number, memory, similar, superseded } = done;
      const toRecord = (one: Memory) => memoryRecord(bench, one);
      return {
        ...(number !== undefined && { number }),
        outcome: number === undefined ? "unchanged" : "added",
        memory: await toRecord(memory),
        similar: await Promise.all(similar.map(toRecord)),
        superseded: await Promise.all(superseded.map(toRecord)),
        warnings: annotationMirror.problems,
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
      const page = await Promise.all(shown.map((memory) => memoryRecord(bench, memory, forgotten.has(memory.id))));
      const warnings = keys?.size === 0 ? ["No project fits that name."] : [];
      return { items: page, total: wanted.length, offset, freshness, warnings };
    },
  };
}

type Draft = Omit<Memory, "id" | "supersedes">;

async function draftOf(bench: Workbench, request: RememberRequest): Promise<Draft> {
  const { store, clock } = bench;
  const text = tidy(request.text);
  if (text === "") throw new YoreError("bad-input", "There is nothing to remember.", { hint: "Give a text." });
  if (text.length > MAX_MEMORY_TEXT) {
    throw new YoreError("bad-input", `The text has ${text.length} characters; a memory has up to ${MAX_MEMORY_TEXT}.`, {
      hint: "Save what was decided or learned, not the whole of what was said: the session keeps that.",
    });
  }
  if (request.from !== undefined && request.until !== undefined && request.from >= request.until)
    throw new YoreError("bad-input", "The time it is to hold for ends before it begins.");
  const session = request.session === undefined ? undefined : await findSession(store, request.session);
  const evidence = await Promise.all((request.evidence ?? []).map((id) => requireObservation(store, id)));
  const project = await projectFor(bench, request, session);
  const trees = await treesOf(bench, project?.key);
  const folders = [...(bench.folder === undefined ? [] : [bench.folder]), ...trees];
  const title = clean(withoutRecall(request.title ?? "").trim() || observationTitle({ text }));
  return {
    type: request.type ?? "note",
    title: clipLine(title, MAX_MEMORY_TITLE),
    text,
    ...(project !== undefined && { project }),
    tags: tagsOf(request.tags ?? []),
    anchors: (request.files ?? []).map((file) => anchorOf(clean(file), folders, trees)),
    by: noteOf(bench, request).by,
    at: clock(),
    ...(session !== undefined && { session: { agent: session.agent, nativeId: session.nativeId } }),
    evidence: [...new Set(evidence.map(({ publicId }) => publicId))],
    ...(request.from !== undefined && { from: request.from }),
    ...(request.until !== undefined && { until: request.until }),
  };
}

interface Saved {
  readonly number?: number;
  readonly memory: Memory;
  readonly similar: readonly Memory[];
  readonly superseded: readonly Memory[];
}

async function save(tx: HistoryTransaction, draft: Draft, request: RememberRequest, bench: Workbench): Promise<Saved> {
  const all = await memoriesIn(tx.annotations);
  const forgotten = await forgottenIn(tx.annotations);
  const replaced = (request.supersedes ?? []).map((id) => requireStanding(all, forgotten, id));
  const memory: Memory = {
    ...draft,
    id: await freeId(tx.annotations, draft),
    supersedes: replaced.map(({ id }) => id),
  };
  const isOfProject = (one: Memory) => one.project?.key === memory.project?.key;
  const isCurrent = (one: Memory) => memoryState(one, memory.at) === "current" && !forgotten.has(one.id);
  const current = all.filter((one) => isOfProject(one) && isCurrent(one));
  const same = replaced.length > 0 ? undefined : current.find((one) => saysTheSame(one, memory));
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
async function freeId(reader: AnnotationReader, { title, text, by, at }: Draft): Promise<string> {
  for (let count = 0; ; count += 1) {
    const id = memoryId(title, text, by, String(at), String(count));
    if ((await reader.of({ agent: MEMORY_AGENT, nativeId: id })).length === 0) return id;
  }
}

/** What was recalled before doesn't come back as something new. */
function tidy(text: string): string {
  return cleanNote(withoutRecall(text).replaceAll("\r\n", "\n").replaceAll("\u0000", ""))
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

function tagsOf(asked: readonly string[]): readonly string[] {
  const tags = asked.map((tag) => {
    const name = clean(tag) === tag ? normaliseName(tag) : undefined;
    if (name === undefined) throw new YoreError("bad-input", "That cannot be a tag.", { hint: "Such as auth-rework." });
    return name;
  });
  return [...new Set(tags)].sort();
}

/** The one that was named, else that of the session, else that of the folder that is worked in. */
async function projectFor(
  { store, environment, folder }: Workbench,
  request: RememberRequest,
  session: StoredSession | undefined,
): Promise<Memory["project"]> {
  const asked = request.project?.trim() ?? "";
  if (asked !== "") return namedProject(store, clean(asked));
  const key = session?.projectKey ?? "";
  const [own] = key === "" ? [] : (await store.sessions.matchProjects(key)).filter((one) => one.key === key);
  if (own !== undefined) return { key: own.key, name: own.name, identity: own.identity };
  if (folder === undefined || folder === environment.home || dirname(folder) === folder) return undefined;
  const found = projectIdentifier(environment.home)(folder, undefined);
  return { key: found.key, name: found.name, identity: found.identity };
}

async function namedProject(store: Workbench["store"], name: string): Promise<Memory["project"]> {
  const keys = await projectKeysOf(store, name);
  const [only, other] = (await store.sessions.matchProjects(name)).filter(({ key }) => keys.has(key));
  if (only !== undefined && other === undefined) return { key: only.key, name: only.name, identity: only.identity };
  if (only !== undefined) {
    throw new YoreError("ambiguous", "More than one project fits that name.", {
      hint: "Give the id of one: `yore projects` says which is which.",
    });
  }
  return { key: `named:${name.toLowerCase()}`, name, identity: "folder" };
}
