import { normaliseCollection, normaliseName } from "../core/annotation.ts";
import { YoreError } from "../core/errors.ts";
import { projectId } from "../core/ids.ts";
import { MEMORY_AGENT } from "../core/memory.ts";
import type { Source } from "../sources/source.ts";
import type {
  HiddenSession,
  SessionKey,
  Store,
  StoredObservation,
  StoredProject,
  StoredSession,
  StoreFilter,
} from "../store/store.ts";
import type { Filter } from "./yore.ts";

const SESSION_PREFIX = 8;
const OBSERVATION_PREFIX = 6;
/** Characters of an id in a command that a hint gives. */
const SHOWN = 13;
const PROJECT_ID = /^[0-9a-z]{8}$/;

/**
 * The session that a person or an agent named: by id, by alias, or by the beginning of an id. Of one that is hidden it
 * throws `not-found`, and says why.
 */
export async function findSession(store: Store, name: string): Promise<StoredSession> {
  const session = await findAnySession(store, name, "seen");
  if (session.hidden === undefined) return session;
  if (session.hidden === "excluded") {
    throw new YoreError("not-found", "That session is of a project that is excluded.", {
      hint: "`yore projects exclude` lists what is excluded; `yore projects include` takes it back.",
    });
  }
  const isRemoved = ({ agent, nativeId }: SessionKey) => agent === session.agent && nativeId === session.nativeId;
  if ((await store.files.refused()).some(isRemoved)) {
    throw new YoreError("not-found", "That session is to be removed for good, and is not yet.", {
      hint: "`yore purge` finishes that.",
    });
  }
  throw new YoreError("not-found", "That session was forgotten.", {
    hint: `\`yore unforget ${session.nativeId.slice(0, SHOWN)}\` takes that back; \`yore forget --list\` shows all that are forgotten.`,
  });
}

/** As {@link findSession}, and a hidden one too; `first` says which of them go before the others. */
export async function findAnySession(
  store: Store,
  name: string,
  first: "seen" | "hidden",
): Promise<StoredSession & Partial<HiddenSession>> {
  const wanted = name.trim();
  if (wanted === "")
    throw new YoreError("bad-input", "No session was named.", { hint: "List them with `yore sessions`." });
  const isLong = wanted.length >= SESSION_PREFIX;
  const seen = isLong ? await store.sessions.byPrefix(wanted, 6) : [];
  const { items: hidden } = isLong ? await store.sessions.hidden({ prefix: wanted }, { offset: 0, limit: 6 }) : NONE;
  const groups = first === "seen" ? [seen, hidden] : [hidden, seen];
  const exact = groups.map((group) => group.filter((session) => session.nativeId === wanted));
  const aliased = exact.some((group) => group.length > 0) ? undefined : await sessionOfAlias(store, wanted);
  if (aliased !== undefined) return aliased;
  const beginning = groups.flatMap((group) => [group.filter((session) => session.relation !== "subagent"), group]);
  for (const candidates of [...exact, ...beginning]) {
    const [only, other] = candidates;
    if (only !== undefined && other === undefined) return only;
    if (only !== undefined)
      throw ambiguous(
        "session",
        candidates.map((session) => session.nativeId),
      );
  }
  const nearest = await store.sessions.nearest(wanted, 3);
  const short = isLong ? "" : ` A beginning needs ${SESSION_PREFIX} characters.`;
  throw new YoreError("not-found", `There is no session with that id or alias.${short}`, {
    hint: nearest.length === 0 ? "Nothing is indexed yet: run `yore index`." : `Nearest: ${nearest.join(", ")}.`,
  });
}

const NONE = { items: [] };

async function sessionOfAlias(
  store: Store,
  wanted: string,
): Promise<(StoredSession & Partial<HiddenSession>) | undefined> {
  const alias = normaliseName(wanted);
  const key = alias === undefined ? undefined : await store.annotations.aliased(alias);
  if (key === undefined) return undefined;
  const session = await store.sessions.byKey(key);
  if (session !== undefined) return session;
  const { items } = await store.sessions.hidden({ prefix: key.nativeId }, { offset: 0, limit: 100 });
  const hidden = items.find(({ agent, nativeId }) => agent === key.agent && nativeId === key.nativeId);
  if (hidden !== undefined) return hidden;
  throw new YoreError("not-found", "The session of that alias is not in the store.", {
    hint: "Run `yore index`: its history may not have been read yet.",
  });
}

/** The observation of that id, or the one whose id begins so. Undefined where there is none. */
export async function findObservation(store: Store, id: string): Promise<StoredObservation | undefined> {
  const wanted = id.trim().toLowerCase();
  if (wanted.length < OBSERVATION_PREFIX) return undefined;
  const [only, ...others] = await store.observations.byPrefix(wanted, 4);
  if (only === undefined || only.publicId === wanted || others.length === 0) return only;
  throw ambiguous(
    "observation",
    [only, ...others].map((one) => one.publicId),
  );
}

export async function requireObservation(store: Store, id: string): Promise<StoredObservation> {
  const found = await findObservation(store, id);
  if (found !== undefined) return found;
  const nearest = await store.observations.nearest(id.trim().toLowerCase(), 3);
  throw new YoreError("not-found", "There is no observation with that id.", {
    hint: nearest.length === 0 ? "Find ids with `yore search`." : `Nearest: ${nearest.join(", ")}.`,
  });
}

/** The one project of that id or name, at that path, or of which that is a part. */
export async function findProject(store: Store, name: string): Promise<StoredProject> {
  const wanted = name.trim();
  if (wanted === "")
    throw new YoreError("bad-input", "No project was named.", { hint: "List them with `yore projects`." });
  const byId = await projectsOfId(store, wanted);
  const found = byId.length > 0 ? byId : await store.sessions.matchProjects(wanted);
  const [only, other] = found;
  if (only === undefined) {
    throw new YoreError("not-found", "No project fits that name.", {
      hint: "`yore projects` lists projects and their ids.",
    });
  }
  if (other === undefined) return only;
  const ids = found.slice(0, 6).map((project) => projectId(project.key));
  throw new YoreError("ambiguous", "More than one project fits that name.", {
    hint: `Give the id of one: ${ids.join(", ")}${found.length > ids.length ? ", …" : ""}. \`yore projects\` says which is which.`,
  });
}

export interface ResolvedFilter {
  readonly filter: StoreFilter;
  /** What a filter named that does not exist, and what does. */
  readonly warnings: readonly string[];
}

/** Turns names into what the store filters by. A name that fits nothing filters everything out, with a warning. */
export async function resolveFilter(
  store: Store,
  sources: readonly Source[],
  filter: Filter = {},
): Promise<ResolvedFilter> {
  const warnings: string[] = [];
  const { project, agent, tag, branch, worktree, collection, pinned, since, asOf } = filter;
  const until = asOf === undefined ? filter.until : Math.min(filter.until ?? asOf + 1, asOf + 1);
  const projects = project === undefined ? undefined : await resolveProject(store, project, warnings);
  const isUnknown = agent !== undefined && agent !== MEMORY_AGENT && !sources.some((source) => source.agent === agent);
  if (isUnknown && (await store.figures.totals({ agent })).messages === 0) {
    warnings.push(`No agent is called that. Known agents: ${sources.map((source) => source.agent).join(", ")}.`);
  }
  if (since !== undefined && until !== undefined && since >= until)
    warnings.push("The time asked for ends before it begins.");
  return {
    warnings,
    filter: {
      ...(projects !== undefined && { projects }),
      ...(agent !== undefined && { agent }),
      ...(tag !== undefined && { tag: normaliseName(tag) ?? tag.toLowerCase() }),
      ...(branch !== undefined && { branch }),
      ...(worktree !== undefined && { worktree }),
      ...(collection !== undefined && { collection: normaliseCollection(collection) ?? collection }),
      ...(pinned !== undefined && { pinned }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(asOf !== undefined && { asOf }),
    },
  };
}

async function resolveProject(store: Store, wanted: string, warnings: string[]): Promise<number[]> {
  const matches = await matchProjects(store, wanted);
  if (matches.length > 0) return matches.map((project) => project.id);
  const { items } = await store.sessions.projects({}, { offset: 0, limit: 1_000 });
  warnings.push(`No project fits that name.${known(items)}`);
  return [];
}

/** Projects that a name may mean, or an id. */
export async function matchProjects(store: Store, wanted: string): Promise<readonly StoredProject[]> {
  const matches = await store.sessions.matchProjects(wanted);
  return matches.length > 0 ? matches : projectsOfId(store, wanted);
}

/** Ids that a project had before it was what it is now lead to it too. */
async function projectsOfId(store: Store, id: string): Promise<readonly StoredProject[]> {
  if (!PROJECT_ID.test(id)) return [];
  const items = await store.sessions.matchProjects("");
  const own = items.filter((project) => projectId(project.key) === id);
  const keysOf = ({ formerKeys = [], merged = [] }: StoredProject) => [...formerKeys, ...merged.map(({ key }) => key)];
  return own.length > 0 ? own : items.filter((project) => keysOf(project).some((key) => projectId(key) === id));
}

function known(projects: readonly StoredProject[]): string {
  const names = [...new Set(projects.map((project) => project.name))].slice(0, 8);
  return names.length === 0 ? "" : ` Known: ${names.join(", ")}${projects.length > 8 ? ", …" : ""}.`;
}

function ambiguous(what: string, ids: readonly string[]): YoreError {
  return new YoreError("ambiguous", `More than one ${what} begins with that.`, {
    hint: `Give more of the id: ${ids.join(", ")}.`,
  });
}
