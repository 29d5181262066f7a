import {
  type FileTouch,
  OBSERVATION_TYPES,
  type ObservationType,
  PARTS,
  RELATIONS,
  ROLES,
  type SessionState,
  type TitleOrigin,
  type TokenUsage,
} from "../../core/session.ts";
import type { StoredEnrichment } from "../enrichments.ts";
import type { ProjectIdentityKind, StoredMessage, StoredObservation, StoredSession } from "../store.ts";
import { isSeen } from "./hidden.ts";
import { integer, maybeInteger, maybeText, type Row, text } from "./statements.ts";
import { unpack } from "./text.ts";

/** A file written this recently belongs to a session that is still going on. */
const LIVE_MS = 10 * 60_000;

/** What the session is called by its own words, where neither a person nor the agent gave it a title. */
export const SAID_TITLE = `coalesce(s.title_last_prompt, s.title_summary, s.title_first_prompt,
    (SELECT o1.title FROM observations o1 WHERE o1.session_id = s.id ORDER BY o1.first_seq LIMIT 1), '')`;

const ENRICHMENT = "FROM enrichments e WHERE e.agent = s.agent AND e.session = s.native_id";

/** The strongest title there is; the order is that of the agents' own lists, and one by a model comes after the agent's. */
const SESSION_TITLE = `coalesce(s.title_custom, s.title_generated, (SELECT e.title ${ENRICHMENT}), ${SAID_TITLE})`;

/** A subagent whose spawner is not here stands by itself: it could not be reached otherwise. */
export const IS_TOP_LEVEL = `(s.relation IS NOT 'subagent' OR NOT EXISTS (
  SELECT 1 FROM sessions t WHERE t.agent = s.agent AND t.native_id = s.parent AND t.messages > 0))`;

export const SESSION_COLUMNS = `s.*, ${SESSION_TITLE} AS title, p.key AS project_key, p.name AS project_name,
  (SELECT json_array(e.title, e.summary, e.model, e.prompt_hash, e.input, e.output, e.is_estimated, e.at) ${ENRICHMENT}) AS enriched,
  (SELECT w.worktree FROM project_folders w WHERE w.project_id = s.identified_id AND w.folder = replace(s.cwd, char(10), ' ')) AS worktree,
  (SELECT group_concat(g.tag, char(10)) FROM tags g WHERE g.session_id = s.id) AS tag_list,
  (SELECT json_group_array(json_array(a.kind, a.key, iif(a.kind = 'alias', a.value, ''))) FROM annotations a
    WHERE a.agent = s.agent AND a.session = s.native_id) AS annotated,
  (SELECT count(*) FROM sessions c WHERE c.agent = s.agent AND c.parent = s.native_id AND c.relation = 'subagent' AND c.messages > 0
    AND ${isSeen("c")}) AS subagents,
  (SELECT min(f.missing) FROM files f WHERE f.session_id = s.id) AS missing,
  (SELECT max(f.mtime_ms) FROM files f WHERE f.session_id = s.id) AS written_at,
  (SELECT group_concat(f.skipped, char(10)) FROM files f WHERE f.session_id = s.id) AS skipped,
  (SELECT json_array(group_concat(DISTINCT u.model), sum(u.input), sum(u.output), sum(u.cache_read), sum(u.cache_write))
    FROM usage u WHERE u.session_id = s.id) AS usage`;

export const SESSION_TABLES = "sessions s LEFT JOIN projects p ON p.id = s.project_id";

export function storedSession(row: Row, now: number): StoredSession {
  const [models, input, output, cacheRead, cacheWrite]: unknown[] = JSON.parse(text(row.usage));
  return {
    id: integer(row.id),
    agent: text(row.agent),
    nativeId: text(row.native_id),
    projectId: integer(row.project_id),
    projectKey: text(row.project_key),
    projectName: text(row.project_name),
    title: text(row.title),
    titleBy: titleOrigin(row),
    messages: integer(row.messages),
    turns: integer(row.turns),
    ...annotated(row),
    state: stateOf(row, now),
    subagents: integer(row.subagents),
    models: text(models).split(",").filter(Boolean).sort(),
    usage: {
      input: integer(input),
      output: integer(output),
      cacheRead: integer(cacheRead),
      cacheWrite: integer(cacheWrite),
    },
    skippedLines: lines(row.skipped).reduce((sum, json) => sum + countSkipped(json), 0),
    ...optional("enriched", enriched(row.enriched)),
    ...optional("cwd", maybeText(row.cwd)),
    ...optional("worktree", maybeText(row.worktree)),
    ...optional("branch", maybeText(row.branch)),
    ...optional("startedAt", maybeInteger(row.started_at)),
    ...optional("endedAt", maybeInteger(row.ended_at)),
    ...optional("parent", maybeText(row.parent)),
    ...optional("relation", oneOf(RELATIONS, row.relation)),
    ...optional("continuedIn", maybeText(row.continued_in)),
  };
}

function titleOrigin(row: Row): TitleOrigin {
  if (maybeText(row.title_custom) !== undefined) return "custom";
  if (maybeText(row.title_generated) !== undefined) return "generated";
  return maybeText(row.enriched) === undefined ? "said" : "enriched";
}

function enriched(column: unknown): StoredEnrichment | undefined {
  if (typeof column !== "string") return undefined;
  const [title, summary, model, promptHash, input, output, isEstimated, at]: unknown[] = JSON.parse(column);
  return {
    title: text(title),
    summary: text(summary),
    model: text(model),
    promptHash: text(promptHash),
    input: integer(input),
    output: integer(output),
    isEstimated: integer(isEstimated) === 1,
    at: integer(at),
  };
}

function annotated(row: Row): Pick<StoredSession, "alias" | "tags" | "pinned" | "collections" | "hasNote"> {
  const all: readonly (readonly [string, string, string])[] = JSON.parse(text(row.annotated));
  const keys = (kind: string): string[] => all.flatMap(([one, key]) => (one === kind ? [key] : []));
  const removed = keys("untag");
  const own = lines(row.tag_list).filter((tag) => !removed.includes(tag));
  return {
    ...optional("alias", all.find(([kind]) => kind === "alias")?.[2]),
    tags: [...new Set([...own, ...keys("tag")])].sort(),
    pinned: keys("pin").length > 0,
    collections: keys("collection").sort(),
    hasNote: keys("note").length > 0,
  };
}

export const MESSAGE_COLUMNS = `m.*, f.path`;
export const MESSAGE_TABLES = "messages m JOIN files f ON f.id = m.file_id";

export function storedMessage(row: Row): StoredMessage {
  const body = unpack(row.text);
  return {
    uid: Buffer.isBuffer(row.uid) ? row.uid.toString("hex") : "",
    seq: integer(row.seq),
    role: oneOf(ROLES, row.role) ?? "system",
    part: oneOf(PARTS, row.part) ?? "text",
    text: body,
    files: touches(row.touched),
    commands: commands(row.commands, body),
    file: text(row.path),
    byte: integer(row.byte),
    ...optional("at", maybeInteger(row.at)),
    ...optional("tool", maybeText(row.tool)),
    ...optional("callId", maybeText(row.call_id)),
    ...optional("isError", row.is_error === null || row.is_error === undefined ? undefined : row.is_error === 1),
    ...optional("exitCode", maybeInteger(row.exit_code)),
    ...optional("durationMs", maybeInteger(row.duration_ms)),
    ...optional("branch", maybeText(row.branch)),
    ...optional("cwd", maybeText(row.cwd)),
  };
}

export const OBSERVATION_COLUMNS = `o.id, o.public_id, o.session_id, o.first_seq, o.last_seq, o.at, o.ended_at, o.type,
  o.title, o.chars, o.branch, s.native_id, s.agent, s.relation, s.project_id, ${SESSION_TITLE} AS session_title,
  (SELECT a.value FROM annotations a WHERE a.agent = s.agent AND a.session = s.native_id AND a.kind = 'alias') AS alias,
  p.key AS project_key, p.name AS project_name`;
export const OBSERVATION_TABLES =
  "observations o JOIN sessions s ON s.id = o.session_id LEFT JOIN projects p ON p.id = s.project_id";

export function storedObservation(row: Row): StoredObservation {
  return {
    id: integer(row.id),
    publicId: text(row.public_id),
    sessionId: integer(row.session_id),
    session: text(row.native_id),
    sessionTitle: text(row.session_title),
    isSubagent: row.relation === "subagent",
    agent: text(row.agent),
    projectId: integer(row.project_id),
    projectKey: text(row.project_key),
    projectName: text(row.project_name),
    at: integer(row.at),
    endedAt: integer(row.ended_at),
    type: observationTypeOf(row.type),
    title: text(row.title),
    firstSeq: integer(row.first_seq),
    lastSeq: integer(row.last_seq),
    chars: integer(row.chars),
    ...optional("branch", maybeText(row.branch)),
    ...optional("sessionAlias", maybeText(row.alias)),
  };
}

export function identityOf(column: unknown): ProjectIdentityKind {
  return column === "remote" || column === "git" ? column : "folder";
}

export function observationTypeOf(column: unknown): ObservationType {
  return oneOf(OBSERVATION_TYPES, column) ?? "note";
}

export function tokenUsage(row: Row): TokenUsage {
  return {
    input: integer(row.input),
    output: integer(row.output),
    cacheRead: integer(row.cache_read),
    cacheWrite: integer(row.cache_write),
  };
}

/** A file touch as a column holds it: `+path` changed, `-path` only read, one a line. */
export function packTouches(files: readonly FileTouch[] | undefined): string | null {
  if (files === undefined || files.length === 0) return null;
  return files.map((file) => `${file.changed ? "+" : "-"}${file.path.replaceAll("\n", " ")}`).join("\n");
}

function touches(column: unknown): FileTouch[] {
  return lines(column).map((line) => ({ path: line.slice(1), changed: line.startsWith("+") }));
}

/**
 * Commands as a column holds them: `1` where the one command is the message's text, else a JSON list; of a command that
 * stands in the text, where it begins and how long it is.
 */
export function packCommands(list: readonly string[] | undefined, body: string): string | null {
  if (list === undefined || list.length === 0) return null;
  if (list.length === 1 && list[0] === body) return "1";
  const placed = list.map((command) => {
    const at = body.indexOf(command);
    return at < 0 ? command : [at, command.length];
  });
  return JSON.stringify(placed);
}

function commands(column: unknown, body: string): string[] {
  if (typeof column !== "string") return [];
  if (column === "1") return [body];
  const placed: (string | [number, number])[] = JSON.parse(column);
  return placed.map((one) => (typeof one === "string" ? one : body.slice(one[0], one[0] + one[1])));
}

function stateOf(row: Row, now: number): SessionState {
  if (row.missing === 1) return "archived";
  return integer(row.written_at) > now - LIVE_MS ? "live" : "idle";
}

function countSkipped(json: string): number {
  return Object.values<number>(JSON.parse(json)).reduce((sum, count) => sum + count, 0);
}

function lines(column: unknown): string[] {
  return typeof column === "string" && column !== "" ? column.split("\n") : [];
}

export function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((candidate) => candidate === value);
}

/** The field, unless there is no value for it. */
export function optional<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  const object: { [key in K]?: T } = {};
  if (value !== undefined) object[key] = value;
  return object;
}
