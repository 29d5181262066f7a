import { YoreError } from "../core/errors.ts";
import type { ObservationFilter, Store, StoredObservation, StoredSession } from "../store/store.ts";
import { type Embedding, together } from "../vectors/static-embedder.ts";
import { findObservation, findSession, resolveFilter } from "./find.ts";
import type { Likeness, SimilarHit, SimilarReply } from "./similar-api.ts";
import { askedOf } from "./vector-states.ts";
import { headOf } from "./views.ts";
import type { Workbench } from "./workbench.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;
/** All that there are: who asks this waits for the whole answer. */
const MOST = 1_000_000;
/** So many of the nearest that a filter seldom leaves fewer than were asked for. */
const CANDIDATES = 20_000;
const AT_ONCE = 200;

/** Finds by vectors alone. */
export function likening(bench: Workbench): Likeness {
  const { store, sources, keeper } = bench;
  return {
    async similar(request) {
      const freshness = await keeper.refresh();
      const engines = await enginesOf(bench);
      const named = await nameOf(store, request.id);
      const { vector, engine } = await vectorOf(store, named, engines);
      const { filter, warnings } = await resolveFilter(store, sources, request.filter);
      const { type, file } = request;
      const lookup: Lookup = {
        vector,
        engine,
        limit: Math.min(request.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
        kind: named.kind,
        without: await familyOf(store, named.session),
        filter: {
          ...filter,
          subagents: request.includeSubagents ?? true,
          ...(type !== undefined && { type }),
          ...(file !== undefined && { file }),
        },
      };
      const projects = filter.projects ?? [named.session.projectId];
      const { projects: _, ...anywhere } = lookup.filter;
      const hits = await lookUp(store, { ...lookup, filter: { ...anywhere, projects } });
      const others =
        request.everywhere === true
          ? await lookUp(store, { ...lookup, filter: { ...anywhere, withoutProjects: projects } })
          : [];
      return { of: described(named), hits: [...hits, ...others], warnings, freshness };
    },
  };
}

type Named =
  | { readonly kind: "observation"; readonly session: StoredSession; readonly observation: StoredObservation }
  | { readonly kind: "session"; readonly session: StoredSession };

interface Lookup {
  readonly vector: Embedding;
  readonly engine: string;
  readonly limit: number;
  readonly kind: Named["kind"];
  readonly without: readonly number[];
  readonly filter: ObservationFilter;
}

/** Those that can tell, the one that was chosen first: it may not have embedded everything. */
async function enginesOf(bench: Workbench): Promise<readonly string[]> {
  const { vectors, vectorSetting } = bench;
  if (vectors === undefined)
    throw new YoreError("not-found", "What is alike is told by vectors, and these are off.", {
      hint:
        vectorSetting.given === undefined
          ? "Run `yore vectors --use static`."
          : "Set YORE_VECTORS to static, or leave it unset.",
    });
  const engines = [await askedOf(bench), (await vectors.asking())?.id].filter((id) => id !== undefined);
  if (engines.length > 0) return engines;
  throw new YoreError("not-found", "What is alike is told by vectors, and there are none yet.", {
    hint: "Run `yore index`: it makes them.",
  });
}

async function nameOf(store: Store, id: string): Promise<Named> {
  try {
    return { kind: "session", session: await findSession(store, id) };
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== "not-found") throw error;
    const observation = await findObservation(store, id);
    const session = observation && (await store.sessions.get(observation.sessionId));
    if (observation !== undefined && session !== undefined) return { kind: "observation", session, observation };
    throw error;
  }
}

/** Of a session, where all of its observations point to: what most of it was about. */
async function vectorOf(
  { vectors }: Store,
  named: Named,
  engines: readonly string[],
): Promise<{ readonly vector: Embedding; readonly engine: string }> {
  for (const engine of engines) {
    const own = await (named.kind === "observation"
      ? vectors.of([named.observation.id], engine)
      : vectors.ofSession(named.session.id, engine));
    const vector = together([...own.values()]);
    if (vector !== undefined) return { vector, engine };
  }
  throw new YoreError("not-found", `The ${named.kind} has no vector.`, {
    hint: "Run `yore index`: it makes those that are missing. What was only done, and not said, never has one.",
  });
}

/** The session, the one that it was spawned for, and all subagents of that. */
async function familyOf(store: Store, session: StoredSession): Promise<readonly number[]> {
  let top = session;
  const seen = new Set([top.id]);
  while (top.relation === "subagent" && top.parent !== undefined) {
    const parent = await store.sessions.byKey({ agent: top.agent, nativeId: top.parent });
    if (parent === undefined || seen.has(parent.id)) break;
    seen.add(parent.id);
    top = parent;
  }
  const family = await store.traces.family([top.id]);
  return [...new Set([...seen, ...family.map(({ id }) => id)])];
}

async function lookUp(store: Store, lookup: Lookup): Promise<readonly SimilarHit[]> {
  const { vector, engine, limit, kind, without, filter } = lookup;
  const { found } = await store.vectors.nearest(vector, engine, {
    ...(filter.projects !== undefined && { projects: filter.projects }),
    without,
    limit: CANDIDATES,
    most: MOST,
  });
  const cosines = new Map(found.map(({ observation, cosine }) => [observation, cosine]));
  const passing = await store.observations.narrow([...cosines.keys()], filter);
  const hits: SimilarHit[] = [];
  const sessions = new Set<number>();
  for (let at = 0; at < passing.length && hits.length < limit; at += AT_ONCE) {
    for (const observation of await store.observations.byIds(passing.slice(at, at + AT_ONCE))) {
      if (hits.length === limit) break;
      if (kind === "session" && sessions.has(observation.sessionId)) continue;
      sessions.add(observation.sessionId);
      hits.push(hitOf(observation, cosines.get(observation.id) ?? 0));
    }
  }
  return hits;
}

function hitOf(observation: StoredObservation, cosine: number): SimilarHit {
  return { ...headOf(observation), cosine: Math.round(cosine * 1_000) / 1_000 };
}

function described(named: Named): SimilarReply["of"] {
  const { kind } = named;
  return kind === "observation"
    ? { kind, id: named.observation.publicId, title: named.observation.title }
    : { kind, id: named.session.nativeId, title: named.session.title };
}
