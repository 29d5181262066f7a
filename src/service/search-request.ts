import { normaliseName } from "../core/annotation.ts";
import { DATE_FORMS, type DateRange, parseDateRange } from "../core/dates.ts";
import { OBSERVATION_TYPES, ROLES } from "../core/session.ts";
import { formatMinute } from "../core/time.ts";
import { type FilterField, parseQuery, type Query, type Term } from "../search/query.ts";
import type { SearchInput } from "../search/search.ts";
import type { Source } from "../sources/source.ts";
import type { Store, StoreFilter } from "../store/store.ts";
import { matchProjects, resolveFilter } from "./find.ts";
import { hereOf } from "./here.ts";
import type { SearchRequest } from "./yore.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;

export interface UnderstoodRequest {
  readonly input: SearchInput;
  readonly filters: readonly string[];
  readonly warnings: readonly string[];
}

/** Makes of a request what the search engine takes: filters by name become filters by id, words of time become times. */
export async function understand(
  store: Store,
  sources: readonly Source[],
  request: SearchRequest,
  { now, timeZone, home }: { readonly now: number; readonly timeZone: string | undefined; readonly home: string },
): Promise<UnderstoodRequest> {
  const query = parseQuery(request.query);
  const asked = request.filter ?? {};
  const warnings = [...query.warnings];
  const terms = [...query.terms];
  const times = await datesOf(query, now, timeZone, terms, warnings);
  const tag = await tagOf(store, query, terms);
  const { project = asked.project, agent = asked.agent, branch = asked.branch, file = asked.file } = query.filters;
  const { worktree = asked.worktree, collection = asked.collection } = query.filters;
  const type = OBSERVATION_TYPES.find((one) => one === query.filters.type) ?? asked.type;
  const role = ROLES.find((one) => one === query.filters.role) ?? asked.role;
  const since = times.since ?? asked.since;
  const until = times.until ?? asked.until;
  const asOf = times.asOf ?? asked.asOf;
  const resolved = await resolveFilter(store, sources, {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(branch !== undefined && { branch }),
    ...(worktree !== undefined && { worktree }),
    ...(collection !== undefined && { collection }),
    ...(asked.pinned !== undefined && { pinned: asked.pinned }),
    ...((tag ?? asked.tag) !== undefined && { tag: tag ?? asked.tag ?? "" }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(asOf !== undefined && { asOf }),
  });
  const unwanted = await unwantedOf(store, query, warnings);
  const isAnywhere = request.here === undefined || project !== undefined;
  const here = isAnywhere ? undefined : await hereOf({ store, home }, request.here);
  return {
    warnings: [...warnings, ...resolved.warnings],
    filters: [
      ...describe(
        { project, agent, branch, worktree, tag: tag ?? asked.tag, collection, file, type, role },
        { since, until, asof: asOf },
        timeZone,
      ),
      ...query.without.map(({ field, value }) => `without ${field}: ${value}`),
    ],
    input: {
      terms,
      excluded: query.excluded,
      filter: {
        ...resolved.filter,
        ...unwanted,
        subagents: request.includeSubagents ?? true,
        ...(type !== undefined && { type }),
        ...(file !== undefined && { file }),
        ...(request.excludeSessions !== undefined && { excludeSessions: request.excludeSessions }),
      },
      offset: request.offset ?? 0,
      limit: Math.min(request.limit ?? DEFAULT_LIMIT, MAX_LIMIT),
      now,
      ...(role !== undefined && { role }),
      ...(timeZone !== undefined && { timeZone }),
      ...(here !== undefined && { here }),
      ...(request.trace === true && { isTraced: true }),
    },
  };
}

/** A name that fits no project leaves out nothing, and is said. */
async function unwantedOf(
  store: Store,
  { without }: Query,
  warnings: string[],
): Promise<Pick<StoreFilter, "withoutProjects" | "withoutAgents">> {
  const valuesOf = (field: string): string[] => without.filter((one) => one.field === field).map(({ value }) => value);
  const projects: number[] = [];
  for (const value of valuesOf("project")) {
    const matching = await matchProjects(store, value);
    if (matching.length === 0) warnings.push("-project: no project fits that name, so none is left out.");
    projects.push(...matching.map(({ id }) => id));
  }
  const agents = valuesOf("agent");
  return {
    ...(projects.length > 0 && { withoutProjects: projects }),
    ...(agents.length > 0 && { withoutAgents: agents }),
  };
}

/** A date filter whose value is no date is searched for as it stands, and said so. */
async function datesOf(
  query: Query,
  now: number,
  timeZone: string | undefined,
  terms: Term[],
  warnings: string[],
): Promise<{ readonly since?: number; readonly until?: number; readonly asOf?: number }> {
  const range = async (field: FilterField): Promise<DateRange | undefined> => {
    const value = query.filters[field];
    if (value === undefined) return undefined;
    const found = await parseDateRange(value, now, timeZone);
    if (found === undefined) {
      warnings.push(`${field}: takes ${DATE_FORMS}; the words were searched for as they stand.`);
      terms.push({ text: `${field}:${value}`, isPhrase: true });
    }
    return found;
  };
  const on = await range("on");
  const since = (await range("since"))?.from ?? on?.from;
  const until = (await range("until"))?.to ?? on?.to;
  const day = await range("asof");
  // The last moment of it.
  const asOf = day === undefined ? undefined : day.to - 1;
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(asOf !== undefined && { asOf }),
  };
}

/** `#word` is a tag where someone used that tag, else what was typed. */
async function tagOf(store: Store, query: Query, terms: Term[]): Promise<string | undefined> {
  const { tag } = query.filters;
  if (tag === undefined || query.tagIsExplicit) return tag;
  const { items } = await store.sessions.tags({}, { offset: 0, limit: 10_000 });
  const name = normaliseName(tag) ?? tag;
  if (items.some((item) => item.tag === name)) return name;
  terms.push({ text: `#${tag}`, isPhrase: false });
  return undefined;
}

function describe(
  named: Readonly<Record<string, string | undefined>>,
  times: Readonly<Record<string, number | undefined>>,
  timeZone: string | undefined,
): string[] {
  return [
    ...Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [`${field}: ${value}`])),
    ...Object.entries(times).flatMap(([field, at]) =>
      at === undefined ? [] : [`${field}: ${formatMinute(at, timeZone)}`],
    ),
  ];
}
