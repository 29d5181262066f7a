import { escapeActive } from "../../core/escape-active.ts";
import type { VectorStates } from "../../service/vectors-api.ts";
import type { Freshness, ProjectSummary, SessionSummary } from "../../service/yore.ts";

/**
 * One line of JSON, or several for a person. Half a surrogate pair, which strict parsers refuse, becomes U+FFFD; what
 * a terminal would act on is escaped, which leaves the value the same.
 */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return escapeActive(text.replace(ESCAPE, (found) => (HALF.test(found) ? "\ufffd" : found)));
}

/** Moments are ISO-8601 in UTC everywhere in JSON. */
export function isoTime(at: number | undefined): string | null {
  return at === undefined || !(Math.abs(at) <= MAX_TIME) ? null : new Date(at).toISOString();
}

/** The fields of a session, the same in every command that shows one. */
export function sessionJson(session: SessionSummary): Record<string, unknown> {
  return {
    id: session.id,
    agent: session.agent,
    project: session.project.name,
    title: session.title,
    titleBy: session.titleBy,
    enriched: enrichedJson(session),
    alias: session.alias ?? null,
    startedAt: isoTime(session.startedAt),
    endedAt: isoTime(session.endedAt),
    messages: session.messages,
    turns: session.turns,
    parent: session.parent ?? null,
    relation: session.relation ?? null,
    tags: session.tags,
    pinned: session.pinned,
    collections: session.collections,
    hasNote: session.hasNote,
    state: session.state,
    worktree: session.worktree ?? null,
  };
}

function enrichedJson({ enriched }: SessionSummary): Record<string, unknown> | null {
  if (enriched === undefined) return null;
  const { title, summary, model, at } = enriched;
  return { title, summary, model, at: isoTime(at) };
}

export function projectJson(project: ProjectSummary): Record<string, unknown> {
  return {
    id: project.id,
    name: project.name,
    identity: project.identity,
    key: project.key,
    folders: project.folders,
    agents: project.agents,
    sessions: project.sessions,
    messages: project.messages,
    firstAt: isoTime(project.firstAt),
    lastAt: isoTime(project.lastAt),
    identifiedName: project.identifiedName ?? null,
    formerKeys: project.formerKeys ?? [],
    merged: project.merged ?? [],
    splitFrom: project.splitFrom ?? null,
  };
}

export function freshnessJson(freshness: Freshness): Record<string, unknown> {
  return {
    indexedAt: isoTime(freshness.indexedAt),
    stale: freshness.stale ?? null,
    filesBehind: freshness.filesBehind ?? null,
  };
}

const MAX_TIME = 8.64e15;
// JSON.stringify escapes halves only, never pairs. Escapes are read one by one, so that `\\ud800` stays the text it is.
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;
const HALF = /^\\ud[89a-f]/;

export function vectorsJson({ observations, chosen, engines }: VectorStates): Record<string, unknown> {
  return {
    observations,
    chosen,
    engines: engines.map(({ engine, dims, covered, bytes, isAsked }) => ({
      engine,
      dims,
      covered,
      bytes,
      asked: isAsked,
    })),
  };
}
