import type { TokenUsage } from "../../core/session.ts";
import { fieldsOf, isFields, nameOf, textOf, tokensOf } from "../fields.ts";
import type { LogEvent } from "./event.ts";
import { rememberUsage, usageFrom } from "./memory.ts";

/**
 * `session.usage_record`, since 1.0.102 or shortly before: the tokens of one model call. Where there are such records,
 * nothing else is counted but compactions, which have none.
 */
export function countCall(event: LogEvent): void {
  const fields = fieldsOf(event.data.usage);
  event.memory.hasUsageRecords = true;
  tell(event, nameOf(fields.apiCallId) ?? event.id, textOf(fields.model) ?? event.memory.model, withoutCache(fields));
}

/**
 * Of a message only the tokens of its output are known, and they stand on the last of those that came of one model
 * call. All others are told in one sum per model, when the process that wrote the log ends.
 */
export function countMessage(event: LogEvent, model: string | undefined): void {
  const { data, memory } = event;
  if (memory.hasUsageRecords) return;
  const output = tokensOf(data.outputTokens);
  const id = nameOf(data.apiCallId) ?? nameOf(data.messageId) ?? event.id;
  const before = memory.lastCall?.id === id ? memory.lastCall.output : 0;
  memory.lastCall = { id, output: Math.max(before, output) };
  if (output <= before) return;
  tell(event, id, model, { ...NOTHING, output });
  remember(event, model, { ...NOTHING, output: output - before });
}

/** `session.compaction_complete`: the model call that summed up. */
export function countCompaction(event: LogEvent): void {
  const fields = fieldsOf(event.data.compactionTokensUsed);
  const usage = withoutCache(fields);
  const model = textOf(fields.model) ?? event.memory.model;
  tell(event, `${event.id}:compaction`, model, usage);
  remember(event, model, usage);
}

/**
 * `session.shutdown`: what its sums hold beyond what was told since the process began. A session that is resumed has
 * several, each of its own process; in logs with usage records they are sums of the whole session.
 */
export function countShutdown(event: LogEvent): void {
  const { data, memory } = event;
  memory.isShutDown = true;
  if (memory.hasUsageRecords) return;
  const metrics = fieldsOf(data.modelMetrics);
  for (const [model, metric] of Object.entries(metrics)) {
    const fields = fieldsOf(metric).usage;
    if (!isFields(fields)) continue;
    const rest = difference(withoutCache(fields), memory.told.get(nameOf(model) ?? "") ?? NOTHING);
    tell(event, `${event.id}:${nameOf(model) ?? ""}`, model, rest);
    remember(event, model, rest);
  }
}

/** Sums begin anew with a process. */
export function beginProcess({ memory }: LogEvent): void {
  memory.isShutDown = false;
  memory.told.clear();
}

const NOTHING: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Copilot counts what was read from and written to the cache within the input. */
function withoutCache(fields: Readonly<Record<string, unknown>>): TokenUsage {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = fields;
  const { input, output, cacheRead, cacheWrite } = usageFrom({
    input: inputTokens,
    output: outputTokens,
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
  });
  return { input: Math.max(0, input - cacheRead - cacheWrite), output, cacheRead, cacheWrite };
}

function tell(event: LogEvent, key: string, model: string | undefined, usage: TokenUsage): void {
  const { at, emit } = event;
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
  emit({ kind: "usage", key, ...(at !== undefined && { at }), ...(model !== undefined && { model }), usage });
}

function remember({ memory }: LogEvent, model: string | undefined, usage: TokenUsage): void {
  const name = nameOf(model) ?? "";
  const before = memory.told.get(name) ?? NOTHING;
  rememberUsage(memory, name, {
    input: before.input + usage.input,
    output: before.output + usage.output,
    cacheRead: before.cacheRead + usage.cacheRead,
    cacheWrite: before.cacheWrite + usage.cacheWrite,
  });
}

function difference(all: TokenUsage, told: TokenUsage): TokenUsage {
  return {
    input: Math.max(0, all.input - told.input),
    output: Math.max(0, all.output - told.output),
    cacheRead: Math.max(0, all.cacheRead - told.cacheRead),
    cacheWrite: Math.max(0, all.cacheWrite - told.cacheWrite),
  };
}
