import type { TokenUsage } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, listOf, tokensOf } from "../fields.ts";
import type { Emit, HistoryEntry } from "./entry.ts";

/** Tokens of an answer, where it bears them. */
export function countAnswer({ message, id, model, emit }: HistoryEntry): void {
  if (!isFields(message.usage)) return;
  const usage = usageOf(message.usage);
  if (isSomething(usage)) emit({ kind: "usage", key: id, ...(model !== undefined && { model }), usage });
}

/** Tokens of a whole session, as `cn` sums them up. Told only where no answer bears its own. */
export function countSession({ usage, history }: Fields, session: string, emit: Emit): void {
  if (!isFields(usage) || listOf(history).some((entry) => isFields(fieldsOf(fieldsOf(entry).message).usage))) return;
  const sum = usageOf(usage);
  if (isSomething(sum)) emit({ kind: "usage", key: `${session}#usage`, usage: sum });
}

/**
 * Some services count what came from the cache within the prompt and some besides it, and Continue writes down what it
 * is told. Where the cache is the larger number, it must be besides.
 */
function usageOf(usage: Fields): TokenUsage {
  // The extension renames what the services call by names with underscores; the command line writes it as it came.
  const details = fieldsOf(usage.promptTokensDetails ?? usage.prompt_tokens_details);
  const prompt = tokensOf(usage.promptTokens ?? usage.prompt_tokens);
  const cacheRead = tokensOf(details.cachedTokens ?? details.cached_tokens);
  const cacheWrite = tokensOf(details.cacheWriteTokens ?? details.cache_write_tokens);
  const rest = prompt - cacheRead - cacheWrite;
  const output = tokensOf(usage.completionTokens ?? usage.completion_tokens);
  return { input: rest < 0 ? prompt : rest, output, cacheRead, cacheWrite };
}

function isSomething({ input, output, cacheRead, cacheWrite }: TokenUsage): boolean {
  return input + output + cacheRead + cacheWrite > 0;
}
