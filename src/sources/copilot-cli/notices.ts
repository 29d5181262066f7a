import { type Fields, fieldsOf, numberOf, textOf } from "../fields.ts";
import type { LogEvent } from "./event.ts";

/** Tells an event that is no part of the conversation but of what happened in it. False where the type isn't one. */
export function readNotice(type: unknown, event: LogEvent): boolean {
  const describe = typeof type === "string" && Object.hasOwn(NOTICES, type) ? NOTICES[type] : undefined;
  if (describe === undefined) return false;
  event.notice(describe(event.data) ?? "");
  return true;
}

const NOTICES: Readonly<Record<string, (data: Fields) => string | undefined>> = {
  abort: ({ reason }) => `Aborted: ${textOf(reason) ?? "no reason given"}`,
  "hook.end": ({ success, hookType, error }) =>
    success === false ? `Hook ${textOf(hookType) ?? ""} failed: ${textOf(fieldsOf(error).message) ?? ""}` : undefined,
  "permission.completed": ({ result }) => denial(fieldsOf(result)),
  "session.context_cleared": ({ messagesCleared }) => `Context cleared${counted(messagesCleared)}`,
  "session.error": ({ message }) => labelled("Error", message),
  "session.truncation": ({ messagesRemovedDuringTruncation: removed }) => `Context truncated${counted(removed)}`,
  "session.warning": ({ message }) => labelled("Warning", message),
  "skill.invoked": ({ name }) => labelled("Skill", name),
  "subagent.failed": (data) => `Subagent ${agentName(data)} failed: ${textOf(data.error) ?? "no reason given"}`,
  "subagent.started": (data) => `Subagent ${agentName(data)} started`,
  "system.notification": ({ content }) => textOf(content)?.replace(WRAPPER, ""),
};

const WRAPPER = /^\s*<system_notification>\s*|\s*<\/system_notification>\s*$/g;

function denial({ kind, feedback, message }: Fields): string | undefined {
  const decision = textOf(kind);
  if (decision === undefined || !decision.startsWith("denied")) return undefined;
  return labelled(`Permission ${decision.replaceAll("-", " ")}`, textOf(feedback) ?? message) ?? decision;
}

function labelled(label: string, text: unknown): string {
  return textOf(text) === undefined ? label : `${label}: ${String(text)}`;
}

function counted(messages: unknown): string {
  return numberOf(messages) === undefined ? "" : `, ${String(messages)} messages left it`;
}

function agentName({ agentDisplayName, agentName: name }: Fields): string {
  return textOf(agentDisplayName) ?? textOf(name) ?? "agent";
}
