import { escapeActive } from "../core/escape-active.ts";
import { clean, cleanNote, cleanValue } from "../ingest/prepare.ts";
import {
  type AnnotationLine,
  EXPORT_VERSION,
  type ExportLine,
  type MessageLine,
  type ProjectLine,
  type SessionLine,
  type UsageLine,
} from "../sources/exported/line.ts";
import type {
  SessionDetails,
  Store,
  StoredAnnotation,
  StoredMessage,
  StoredSession,
  StoredUsage,
} from "../store/store.ts";
import { parseText } from "./annotation-files.ts";
import { messagesOf } from "./session-pages.ts";

export function headLine(at: number, sessions: number): string {
  return lineOf({ type: "export", version: EXPORT_VERSION, at: iso(at), sessions });
}

/** Everything that is known of a session, a line at a time. */
export async function* sessionLines(store: Store, session: StoredSession): AsyncGenerator<string> {
  const details = await store.sessions.details(session.id);
  yield lineOf(sessionLine(session, details));
  for await (const message of messagesOf(store, session)) yield lineOf(messageLine(session, message));
  for (const usage of details.usage) yield lineOf(usageLine(session, usage));
  for (const annotation of await store.annotations.of(session)) yield annotationLine(annotation);
}

/** Of any kind there is or will be. */
export function annotationLine({ kind, session, key, value, at, by }: StoredAnnotation): string {
  const line: AnnotationLine = {
    type: "annotation",
    kind,
    agent: session.agent,
    session: session.nativeId,
    key: clean(key),
    value: kind === "memory" ? parseText(kind, value).value : cleanNote(value),
    at: iso(at),
    by: clean(by),
  };
  return lineOf(line);
}

function sessionLine(session: StoredSession, details: SessionDetails): SessionLine {
  const { title, cwd, branch, models } = session;
  const { titles, tags, agentVersion, identified } = details;
  return {
    type: "session",
    agent: session.agent,
    id: session.nativeId,
    ...cleanValue({
      ...(title !== "" && { title }),
      ...(Object.keys(titles).length > 0 && { titles }),
      ...known({ cwd, branch, agentVersion }),
      ...(tags.length > 0 && { tags }),
      ...(models.length > 0 && { models }),
    }),
    ...(identified !== undefined && { project: projectLine(identified) }),
    ...known({
      startedAt: session.startedAt === undefined ? undefined : iso(session.startedAt),
      endedAt: session.endedAt === undefined ? undefined : iso(session.endedAt),
      parent: session.parent,
      relation: session.relation,
      continuedIn: session.continuedIn,
    }),
    usage: session.usage,
    messages: session.messages,
  };
}

function projectLine({ key, name, identity, worktree }: ProjectLine): ProjectLine {
  return { key: clean(key), name: clean(name), identity, ...(worktree !== undefined && { worktree: clean(worktree) }) };
}

function messageLine({ agent, nativeId }: StoredSession, message: StoredMessage): MessageLine {
  const { uid, role, part, at, text, tool, callId, files, commands, isError, exitCode, durationMs } = message;
  return {
    type: "message",
    agent,
    session: nativeId,
    id: uid,
    role,
    part,
    ...(at !== undefined && { at: iso(at) }),
    ...cleanValue({
      text,
      ...known({ tool, callId }),
      ...(files.length > 0 && { files }),
      ...(commands.length > 0 && { commands }),
    }),
    ...known({ isError, exitCode, durationMs }),
    ...cleanValue(known({ cwd: message.cwd, branch: message.branch, file: message.file })),
    byte: message.byte,
  };
}

function usageLine({ agent, nativeId }: StoredSession, { key, at, model, usage }: StoredUsage): UsageLine {
  return {
    type: "usage",
    agent,
    session: nativeId,
    id: key,
    ...(at !== undefined && { at: iso(at) }),
    ...(model !== undefined && { model: clean(model) }),
    usage,
  };
}

/** The fields that have a value. */
function known<T extends Readonly<Record<string, unknown>>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function lineOf(line: ExportLine): string {
  return `${escapeActive(JSON.stringify(line))}\n`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
