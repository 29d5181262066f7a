/** Keeps what a reader remembers small, whatever the file's length: above `limit` the oldest entry goes. */
export function dropOldest(entries: Map<string, unknown> | Set<string>, limit: number): void {
  if (entries.size <= limit) return;
  for (const key of entries.keys()) {
    entries.delete(key);
    if (entries.size <= limit) return;
  }
}

/** Remembers the tool behind a call, for a result that does not name it. */
export function keepCall(calls: Map<string, string>, callId: string | undefined, tool: string): void {
  if (callId === undefined) return;
  calls.set(callId, tool);
  dropOldest(calls, MAX_OPEN_CALLS);
}

/** Name of the tool behind a call, which is then forgotten. */
export function takeCall(calls: Map<string, string>, callId: string | undefined): string | undefined {
  if (callId === undefined) return undefined;
  const tool = calls.get(callId);
  calls.delete(callId);
  return tool;
}

const MAX_OPEN_CALLS = 200;
