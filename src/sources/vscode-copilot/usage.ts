import type { TokenUsage } from "../../core/session.ts";
import { type Fields, fieldsOf, listOf, nameOf, textOf, tokensOf } from "../fields.ts";
import type { Scribe } from "./scribe.ts";

/**
 * Tokens of a request. Newer versions of some agents tell sums by model; all others only those of the request's last
 * model call, in one of three places.
 */
export function tellUsage(request: Fields, model: string | undefined, at: number | undefined, scribe: Scribe): void {
  const totals = listOf(request.modelTotals).map(fieldsOf);
  if (totals.length > 0) {
    for (const { model: name, inputTokens, cachedTokens, outputTokens } of totals) {
      const cacheRead = tokensOf(cachedTokens);
      const usage = {
        input: uncached(inputTokens, cacheRead),
        output: tokensOf(outputTokens),
        cacheRead,
        cacheWrite: 0,
      };
      tell(`${scribe.id}:${nameOf(name) ?? ""}`, usage, textOf(name) ?? model, at, scribe);
    }
    return;
  }
  const result = fieldsOf(request.result);
  const { promptTokens, outputTokens } = fieldsOf(result.metadata);
  const told = fieldsOf(result.usage);
  const usage = {
    input: tokensOf(request.promptTokens ?? promptTokens ?? told.promptTokens),
    output: tokensOf(request.completionTokens ?? outputTokens ?? told.completionTokens),
    cacheRead: 0,
    cacheWrite: 0,
  };
  tell(scribe.id, usage, model, at, scribe);
}

/** `assistant.usage` of a transcript. */
export function tellCallUsage(data: Fields, at: number | undefined, scribe: Scribe): void {
  const cacheRead = tokensOf(data.cacheReadTokens);
  const cacheWrite = tokensOf(data.cacheCreationInputTokens);
  const usage = {
    input: uncached(data.inputTokens, cacheRead + cacheWrite),
    output: tokensOf(data.outputTokens),
    cacheRead,
    cacheWrite,
  };
  tell(scribe.id, usage, textOf(data.model), at, scribe);
}

/** What is read from a cache is counted within the input. */
function uncached(input: unknown, cached: number): number {
  return Math.max(0, tokensOf(input) - cached);
}

function tell(key: string, usage: TokenUsage, model: string | undefined, at: number | undefined, scribe: Scribe): void {
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
  const { emit } = scribe;
  emit({ kind: "usage", key, ...(at !== undefined && { at }), ...(model !== undefined && { model }), usage });
}
