import { type Fields, fieldsOf, textOf, timeOf, tokensOf } from "../fields.ts";
import type { SessionItem, Sidecars } from "../source.ts";
import type { Emit } from "./line.ts";
import type { Memory } from "./memory.ts";

/** A `session_start` record: the first of a file, rewritten in place when the title changes. */
export function readSessionStart(record: Fields, memory: Memory, emit: Emit): void {
  const title = textOf(record.sessionTitle) ?? textOf(record.title);
  const spawner = textOf(record.callingSessionId);
  const origin = record.parent === record.id ? undefined : textOf(record.parent);
  memory.isDelegated = spawner !== undefined || title?.startsWith(TASK_TITLE) === true;
  const facts = { ...placeOf(record), ...parentOf(record, spawner, origin) };
  if (Object.keys(facts).length > 0) emit({ kind: "session", ...facts });
  if (spawner === undefined && facts.parent === undefined) memory.origin = origin;
  const isCustom = record.isSessionTitleManuallySet === true;
  if (title !== undefined && title.trim() !== "" && !title.startsWith(TASK_TITLE) && title !== NO_TITLE)
    emit({ kind: "title", title: isCustom ? "custom" : "generated", text: title.trim() });
}

/**
 * The record after `session_start` tells how a session came from its parent: a compacted one begins with the summary of
 * its parent, a fork with a copy.
 */
export function settleOrigin(record: Fields, memory: Memory, emit: Emit): void {
  const { origin } = memory;
  if (origin === undefined) return;
  memory.origin = undefined;
  const relation = record.type === "compaction_state" ? "continuation" : "fork";
  emit({ kind: "session", parent: { session: origin, relation } });
}

/** What stands beside a transcript: the model, and the tokens of the session so far. */
export interface Settings {
  readonly model?: string;
  /** Told as one model call, since Droid keeps no others. */
  readonly tokens: Fields;
}

export function readSettings(path: string, sidecars: Sidecars): Settings {
  const settings = fieldsOf(sidecars.json(path.replace(/\.jsonl$/, ".settings.json")));
  const model = textOf(settings.model);
  return { tokens: fieldsOf(settings.tokenUsage), ...(model !== undefined && { model }) };
}

/** Tells the session's tokens, as far as they grew since they were told last. */
export function sayTokens({ tokens, model }: Settings, session: string, memory: Memory, emit: Emit): void {
  const output = tokensOf(tokens.outputTokens);
  if (output <= memory.output) return;
  memory.output = output;
  emit({
    kind: "usage",
    key: `${session}:total`,
    ...(model !== undefined && { model }),
    usage: {
      input: tokensOf(tokens.inputTokens),
      output,
      cacheRead: tokensOf(tokens.cacheReadTokens),
      cacheWrite: tokensOf(tokens.cacheCreationTokens),
    },
  });
}

const NO_TITLE = "New Session";
/** Title of a session that the Task tool started. */
const TASK_TITLE = "# Task Tool Invocation";
const VERSION = /^\d+\.\d+/;

function placeOf(record: Fields): Omit<SessionItem, "kind"> {
  const cwd = textOf(record.cwd);
  const startedAt = timeOf(record.timestamp);
  const { version } = record;
  return {
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    // A bare number is the format's.
    ...(typeof version === "string" && VERSION.test(version) && { agentVersion: version }),
  };
}

function parentOf(
  record: Fields,
  spawner: string | undefined,
  origin: string | undefined,
): Pick<SessionItem, "parent"> {
  if (spawner !== undefined) return { parent: { session: spawner, relation: "subagent" } };
  const isFork = origin !== undefined && textOf(record.forkedAtMessageId) !== undefined;
  return isFork ? { parent: { session: origin, relation: "fork" } } : {};
}
