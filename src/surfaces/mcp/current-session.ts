import { isRecord } from "./schema.ts";

/**
 * Native ids under which the asking session may be known: the one that started the server, and what Codex sends with
 * every call, which its clients have spelled as an object and as JSON.
 */
export function currentSessions(meta: unknown, started: string | undefined): readonly string[] {
  const sent = isRecord(meta) ? meta : {};
  const turn = asRecord(sent["x-codex-turn-metadata"]);
  const ids = [started, turn.session_id, turn.thread_id, sent.threadId];
  return [...new Set(ids.filter(isId))];
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 200;
}

function asRecord(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
