import type { TokenUsage } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, numberOf } from "../fields.ts";
import type { Totals } from "./progress.ts";
import type { Scribe } from "./scribe.ts";

/**
 * Reads a `token_count` event. The same snapshot is written again and again, so only a changed running total is a
 * model call. Keys are made of turn and running total, which a copy of the turn repeats.
 */
export function readTokenCount(info: unknown, scribe: Scribe): void {
  const fields = fieldsOf(info);
  const { setting } = scribe.progress;
  const totals = totalsOf(asFields(fields.total_token_usage));
  if (totals === undefined) return;
  setting.countsTokens = true;
  tellUsage(totals, totalsOf(asFields(fields.last_token_usage)), scribe);
}

/**
 * Reads a `token_usage_record`, which newer versions write for each model response beside the `token_count` event. The
 * events come first in all versions and are preferred; records count where a file has none.
 */
export function readUsageRecord(record: Fields, scribe: Scribe): void {
  const usage = totalsOf(asFields(record.usage));
  const totals = totalsOf(asFields(record.thread_token_usage));
  if (usage === undefined || totals === undefined || scribe.progress.setting.countsTokens === true) return;
  tellUsage(totals, usage, scribe);
}

function tellUsage(totals: Totals, last: Totals | undefined, scribe: Scribe): void {
  const { at } = scribe;
  const { setting, label } = scribe.progress;
  const before = setting.totals;
  if (before?.total === totals.total) return;
  setting.totals = totals;
  const call = last ?? (before === undefined || before.total > totals.total ? totals : difference(totals, before));
  if (call.total === 0) return;
  scribe.emit({
    kind: "usage",
    key: `${label}:${totals.total}`,
    ...(at !== undefined && { at }),
    ...(setting.model !== undefined && { model: setting.model }),
    usage: usageOf(call),
  });
}

/** Codex counts what was read from and written to the cache within the input. */
function usageOf({ input, cached, written, output }: Totals): TokenUsage {
  return { input: Math.max(0, input - cached - written), output, cacheRead: cached, cacheWrite: written };
}

function totalsOf(fields: Fields | undefined): Totals | undefined {
  if (fields === undefined) return undefined;
  const count = (key: string): number => Math.max(0, numberOf(fields[key]) ?? 0);
  const input = count("input_tokens");
  const output = count("output_tokens");
  return {
    input,
    cached: Math.min(input, count("cached_input_tokens")),
    written: count("cache_write_input_tokens"),
    output,
    total: numberOf(fields.total_tokens) ?? input + output,
  };
}

function difference(now: Totals, before: Totals): Totals {
  return {
    input: Math.max(0, now.input - before.input),
    cached: Math.max(0, now.cached - before.cached),
    written: Math.max(0, now.written - before.written),
    output: Math.max(0, now.output - before.output),
    total: now.total - before.total,
  };
}
