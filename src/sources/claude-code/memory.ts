import { type Fields, fieldsOf, numberOf, pairsOf, stringsOf, textOf } from "../fields.ts";
import { PromptQueue } from "./queue.ts";

/** What a reader must remember between two lines of a file. */
export interface Memory {
  records: number;
  /** Native id of the session the file stands under, where its path does not say it. */
  session: string | undefined;
  /** What has been told of the session: each is told once, the version when it changes. */
  readonly told: Set<string>;
  version: string | undefined;
  /** The last title of each kind. Titles are written again and again. */
  readonly titles: Map<string, string>;
  /** Tool names of calls without a result yet. */
  readonly calls: Map<string, string>;
  /** uuids of the last lines. */
  readonly recent: string[];
  usage: { readonly key: string; readonly output: number } | undefined;
  pullRequest: string | undefined;
  readonly queue: PromptQueue;
}

/** Takes what `dumpMemory` gave, or anything else as a fresh start. */
export function loadMemory(state: unknown): Memory {
  const fields = fieldsOf(state);
  const usage = fieldsOf(fields.usage);
  const usageKey = textOf(usage.key);
  return {
    records: numberOf(fields.records) ?? 0,
    session: textOf(fields.session),
    told: new Set(stringsOf(fields.told)),
    version: textOf(fields.version),
    titles: new Map(pairsOf(fields.titles)),
    calls: new Map(pairsOf(fields.calls)),
    recent: stringsOf(fields.recent),
    usage: usageKey === undefined ? undefined : { key: usageKey, output: numberOf(usage.output) ?? 0 },
    pullRequest: textOf(fields.pullRequest),
    queue: new PromptQueue(fields.queue),
  };
}

export function dumpMemory(memory: Memory): unknown {
  return {
    records: memory.records,
    ...(memory.session !== undefined && { session: memory.session }),
    told: [...memory.told],
    ...(memory.version !== undefined && { version: memory.version }),
    titles: [...memory.titles],
    calls: [...memory.calls],
    recent: [...memory.recent],
    ...(memory.usage !== undefined && { usage: memory.usage }),
    ...(memory.pullRequest !== undefined && { pullRequest: memory.pullRequest }),
    queue: memory.queue.state(),
  };
}

/** Notes the line's uuid among the last ones. */
export function rememberLine(memory: Memory, line: Fields): void {
  const uuid = textOf(line.uuid);
  if (uuid !== undefined) rememberUuid(memory, uuid);
}

export function rememberUuid({ recent }: Memory, uuid: string): void {
  recent.push(uuid);
  if (recent.length > MAX_RECENT) recent.shift();
}

const MAX_RECENT = 16;
