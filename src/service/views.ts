import { projectId } from "../core/ids.ts";
import { clipLine } from "../core/text.ts";
import type { StoredMessage, StoredObservation, StoredProject, StoredSession } from "../store/store.ts";
import type { MessageRecord, ObservationHead, ProjectRef, ProjectSummary, SessionRef, SessionSummary } from "./yore.ts";

const TITLE_CHARS = 120;

export function sessionSummary(session: StoredSession): SessionSummary {
  const { nativeId, projectKey, projectName, enriched } = session;
  return {
    id: nativeId,
    agent: session.agent,
    project: { id: projectId(projectKey), name: projectName },
    title: clipLine(session.title, TITLE_CHARS),
    titleBy: session.titleBy,
    messages: session.messages,
    turns: session.turns,
    tags: session.tags,
    pinned: session.pinned,
    collections: session.collections,
    hasNote: session.hasNote,
    state: session.state,
    models: session.models,
    usage: session.usage,
    subagents: session.subagents,
    skippedLines: session.skippedLines,
    ...(enriched !== undefined && {
      enriched: { title: enriched.title, summary: enriched.summary, model: enriched.model, at: enriched.at },
    }),
    ...(session.alias !== undefined && { alias: session.alias }),
    ...(session.startedAt !== undefined && { startedAt: session.startedAt }),
    ...(session.endedAt !== undefined && { endedAt: session.endedAt }),
    ...(session.parent !== undefined && { parent: session.parent }),
    ...(session.relation !== undefined && { relation: session.relation }),
    ...(session.branch !== undefined && { branch: session.branch }),
    ...(session.cwd !== undefined && { cwd: session.cwd }),
    ...(session.worktree !== undefined && { worktree: session.worktree }),
  };
}

export function projectSummary({ key, id: _, merged, ...project }: StoredProject): ProjectSummary {
  return {
    id: projectId(key),
    key,
    ...project,
    ...(merged !== undefined && { merged: merged.map((one) => ({ id: projectId(one.key), ...one })) }),
  };
}

export function sessionRef({ nativeId, title, alias }: StoredSession): SessionRef {
  return { id: nativeId, title: clipLine(title, TITLE_CHARS), ...(alias !== undefined && { alias }) };
}

export function headOf(observation: StoredObservation): ObservationHead {
  return {
    id: observation.publicId,
    session: sessionOf(observation),
    agent: observation.agent,
    project: projectOf(observation),
    at: observation.at,
    type: observation.type,
    title: observation.title,
  };
}

function sessionOf({ session, sessionTitle, sessionAlias }: StoredObservation): SessionRef {
  return {
    id: session,
    title: clipLine(sessionTitle, TITLE_CHARS),
    ...(sessionAlias !== undefined && { alias: sessionAlias }),
  };
}

function projectOf(observation: StoredObservation): ProjectRef {
  return { id: projectId(observation.projectKey), name: observation.projectName };
}

/** Four characters a token: near enough to choose by. */
export function tokensOf(observation: StoredObservation): number {
  return Math.ceil(observation.chars / 4);
}

export function messageRecord(message: StoredMessage, observation: string): MessageRecord {
  return {
    id: message.uid,
    role: message.role,
    part: message.part,
    text: message.text,
    observation,
    file: message.file,
    byte: message.byte,
    ...(message.at !== undefined && { at: message.at }),
    ...(message.tool !== undefined && { tool: message.tool }),
    ...(message.callId !== undefined && { callId: message.callId }),
    ...(message.isError !== undefined && { isError: message.isError }),
    ...(message.exitCode !== undefined && { exitCode: message.exitCode }),
  };
}
