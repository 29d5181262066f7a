import { asFields, type Fields, fieldsOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { SessionItem } from "../source.ts";
import type { Scribe } from "./scribe.ts";
import { pathOf } from "./values.ts";

/**
 * Reads a `session_meta`. A file's own comes first and again at each resume; those of other sessions stand before
 * history that was copied from them.
 */
export function readSessionMeta(meta: Fields, scribe: Scribe): void {
  const { progress } = scribe;
  const id = nameOf(meta.id) ?? progress.session;
  progress.enterScope(id);
  const facts = factsOf(meta);
  progress.setting.cwd = facts.cwd ?? progress.setting.cwd;
  progress.setting.branch = facts.branch ?? progress.setting.branch;
  if (id !== progress.session) return;
  const parent = progress.setting.hasMeta === true ? undefined : parentOf(meta, id);
  if (progress.setting.hasMeta !== true) {
    progress.setting.hasMeta = true;
    progress.setting.startedAt = facts.startedAt;
    progress.setting.isSubagent = isSubagent(meta);
  }
  if (facts.cwd !== undefined) progress.setting.hasCwd = true;
  else progress.setting.repositoryUrl = facts.repositoryUrl;
  scribe.emit({ kind: "session", ...facts, ...(parent !== undefined && { parent }) });
}

/** Takes the working folder from text, where no record has said it. */
export function learnCwd(cwd: string | undefined, scribe: Scribe): void {
  const { setting, session } = scribe.progress;
  if (cwd === undefined || setting.hasCwd === true || setting.scope !== session) return;
  setting.hasCwd = true;
  setting.cwd = cwd;
  const { repositoryUrl } = setting;
  scribe.emit({ kind: "session", cwd, ...(repositoryUrl !== undefined && { repositoryUrl }) });
}

function factsOf(meta: Fields): Omit<SessionItem, "kind" | "parent"> {
  const git = fieldsOf(meta.git);
  const cwd = pathOf(meta.cwd);
  const branch = textOf(git.branch);
  const startedAt = timeOf(meta.timestamp);
  const repositoryUrl = textOf(git.repository_url);
  const agentVersion = textOf(meta.cli_version);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(agentVersion !== undefined && { agentVersion }),
  };
}

/** The nearest kinship that is recorded; a session that says it comes from itself has none. */
function parentOf(meta: Fields, id: string): SessionItem["parent"] {
  const forkedFrom = nameOf(meta.forked_from_id);
  const spawner = nameOf(meta.parent_thread_id) ?? nameOf(spawnOf(meta).parent_thread_id);
  const base = nameOf(fieldsOf(meta.history_base).thread_id);
  const subagent = spawner ?? (isSubagent(meta) ? forkedFrom : undefined);
  if (subagent !== undefined && subagent !== id) return { session: subagent, relation: "subagent" };
  if (forkedFrom !== undefined && forkedFrom !== id) return { session: forkedFrom, relation: "fork" };
  if (base !== undefined && base !== id) return { session: base, relation: "continuation" };
  return undefined;
}

function isSubagent(meta: Fields): boolean {
  const { source, thread_source: threadSource, parent_thread_id: parent } = meta;
  const spawner = fieldsOf(source).subagent;
  return (spawner !== undefined && spawner !== null) || threadSource === "subagent" || textOf(parent) !== undefined;
}

function spawnOf(meta: Fields): Fields {
  return fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn);
}

/** Id of the session a file belongs to, as its first record says; undefined where that names none. */
export function sessionIdOf(record: Fields): string | undefined {
  const { type, payload } = record;
  if (type === "session_meta") return nameOf(fieldsOf(payload).id);
  const document = asFields(record.session);
  if (document !== undefined) return nameOf(document.id);
  return isBareHeader(record) ? nameOf(record.id) : undefined;
}

/** First line of files written until about September 2025: `{id, timestamp, instructions, git}`. */
export function isBareHeader(record: Fields): boolean {
  const { type, role, id, timestamp } = record;
  return type === undefined && role === undefined && textOf(id) !== undefined && textOf(timestamp) !== undefined;
}
