import { type Fields, fieldsOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { LogEvent } from "./event.ts";

/** `session.start` */
export function readStart(event: LogEvent): void {
  const { data, memory, emit } = event;
  const context = enterContext(event, fieldsOf(data.context));
  const startedAt = timeOf(data.startTime) ?? event.at;
  const agentVersion = textOf(data.copilotVersion);
  const spawner = nameOf(data.detachedFromSpawningParentSessionId);
  memory.model = textOf(data.selectedModel) ?? memory.model;
  memory.isDetached = spawner !== undefined;
  emit({
    kind: "session",
    ...context,
    ...(startedAt !== undefined && { startedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(spawner !== undefined && spawner !== memory.session && { parent: { session: spawner, relation: "subagent" } }),
  });
}

/** `session.resume` */
export function readResume(event: LogEvent): void {
  const { data, memory } = event;
  memory.model = textOf(data.selectedModel) ?? memory.model;
  tellContext(event, fieldsOf(data.context));
}

/** `session.context_changed`: another folder, or another branch. */
export function readContextChange(event: LogEvent): void {
  tellContext(event, event.data);
}

/**
 * Address of a repository that Copilot names by `owner/name`, or by `organisation/project/name` on Azure. Versions that
 * don't name the host knew GitHub alone.
 */
export function repositoryUrl(repository: unknown, host: unknown): string | undefined {
  const parts = (textOf(repository) ?? "").split("/").filter((part) => part !== "");
  if (parts.length === 2) return `https://${textOf(host) ?? "github.com"}/${parts.join("/")}`;
  const [organisation, project, name] = parts;
  if (parts.length !== 3) return undefined;
  return `https://${textOf(host) ?? "dev.azure.com"}/${organisation}/${project}/_git/${name}`;
}

interface Context {
  readonly cwd?: string;
  readonly branch?: string;
  readonly repositoryUrl?: string;
}

function tellContext(event: LogEvent, fields: Fields): void {
  const context = enterContext(event, fields);
  if (Object.keys(context).length > 0) event.emit({ kind: "session", ...context });
}

/** What of the context is news. */
function enterContext({ memory }: LogEvent, fields: Fields): Context {
  const cwd = textOf(fields.cwd) ?? memory.cwd;
  const branch = textOf(fields.branch);
  const url = repositoryUrl(fields.repository, fields.repositoryHost);
  const isFolderNew = cwd !== memory.cwd;
  const news: Context = {
    ...(cwd !== undefined && isFolderNew && { cwd }),
    ...(branch !== undefined && branch !== memory.branch && { branch }),
    ...(url !== undefined && url !== memory.repositoryUrl && { repositoryUrl: url }),
  };
  memory.cwd = cwd;
  // The first word of a change of folder comes before git was asked.
  memory.branch = branch ?? (isFolderNew || fields.pendingGitContext === true ? undefined : memory.branch);
  memory.repositoryUrl = url ?? memory.repositoryUrl;
  return news;
}
