import type { StoredMessage } from "../store/store.ts";

/** `unknown`: no result tells, or the command goes on in the background. */
export type Outcome = "ok" | "failed" | "unknown";

/** One use of a tool: the call, and what came of it. A call of several commands is a run of each. */
export interface Run {
  readonly call: StoredMessage;
  readonly command?: string;
  readonly result?: StoredMessage;
  readonly outcome: Outcome;
  readonly exitCode?: number;
}

/** Pairs calls with their results, in the order of the calls. What a person or the harness refused did not run. */
export function runsOf(messages: readonly StoredMessage[]): Run[] {
  const results = resultsOf(messages);
  const ends = endsOf(messages, results);
  return messages.flatMap((call): Run[] => {
    if (call.part !== "call") return [];
    const result = results.get(call);
    if (result !== undefined && isRefused(result)) return [];
    const known = { call, ...outcome(result, ends), ...(result !== undefined && { result }) };
    return call.commands.length === 0 ? [known] : call.commands.map((command) => ({ ...known, command }));
  });
}

/** Whether a call was not let through: nothing was run, and what it says is no error of a command. */
function isRefused(result: StoredMessage): boolean {
  return result.isError === true && REFUSED.test(result.text);
}

const REFUSED =
  /^(?:<tool_use_error>(?:Blocked|Sibling tool call|Cancelled)|The user doesn't want to (?:proceed|take this action)|\[Request interrupted|Permission (?:to use|for this tool use)|User (?:rejected|denied|declined)|The user (?:denied|rejected|declined))/i;
/** What agents say of a command that goes on after they stopped waiting: `id` to ask for it by, where they name one. */
const RUNS_ON = /Process running with session ID (?<id>\d+)|Command running in background|moved to (?:the )?background/;
/** Agents poll such a command by a call that names its id. */
const POLL = /^(?:session_id|sessionId): (\d+)$/m;

/** Results by their call: by the id that joins them, else the next result of the same tool. */
function resultsOf(messages: readonly StoredMessage[]): Map<StoredMessage, StoredMessage> {
  const waiting = new Map<string, StoredMessage[]>();
  const found = new Map<StoredMessage, StoredMessage>();
  for (const message of messages) {
    const key = message.callId ?? `tool ${message.tool ?? ""}`;
    if (message.part === "call") waiting.set(key, [...(waiting.get(key) ?? []), message]);
    if (message.part !== "result") continue;
    const call = waiting.get(key)?.shift();
    if (call !== undefined) found.set(call, message);
  }
  return found;
}

/** How commands that went on ended, by the id they are polled by. */
function endsOf(
  messages: readonly StoredMessage[],
  results: ReadonlyMap<StoredMessage, StoredMessage>,
): ReadonlyMap<string, StoredMessage> {
  const ends = new Map<string, StoredMessage>();
  for (const call of messages) {
    const id = call.part === "call" && call.commands.length === 0 ? POLL.exec(call.text)?.[1] : undefined;
    const result = id === undefined ? undefined : results.get(call);
    if (id !== undefined && result?.exitCode !== undefined) ends.set(id, result);
  }
  return ends;
}

function outcome(
  result: StoredMessage | undefined,
  ends: ReadonlyMap<string, StoredMessage>,
): Pick<Run, "outcome" | "exitCode"> {
  if (result === undefined) return { outcome: "unknown" };
  const { exitCode, isError } = result;
  if (exitCode !== undefined) return { outcome: exitCode === 0 && isError !== true ? "ok" : "failed", exitCode };
  if (isError === true) return { outcome: "failed" };
  const runsOn = RUNS_ON.exec(result.text.slice(0, 400));
  if (runsOn === null) return { outcome: "ok" };
  const end = ends.get(runsOn.groups?.id ?? "");
  return end === undefined ? { outcome: "unknown" } : outcome(end, new Map());
}
