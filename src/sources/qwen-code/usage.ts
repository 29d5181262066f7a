import type { TokenUsage } from "../../core/session.ts";
import { type Fields, numberOf } from "../fields.ts";

/**
 * Tokens of a model call, by the names of the Gemini API. What was read from the cache counts as prompt. Whether
 * thoughts count as candidates depends on the provider, so the output is what the total leaves.
 */
export function usageOf(usage: Fields | undefined): TokenUsage | undefined {
  if (usage === undefined) return undefined;
  const count = (key: string): number => Math.max(0, numberOf(usage[key]) ?? 0);
  const prompt = count("promptTokenCount");
  const tool = count("toolUsePromptTokenCount");
  const total = count("totalTokenCount");
  const candidates = count("candidatesTokenCount");
  const cacheRead = Math.min(prompt, count("cachedContentTokenCount"));
  const output = total > 0 ? Math.max(candidates, total - prompt - tool) : candidates + count("thoughtsTokenCount");
  const input = prompt - cacheRead + tool;
  return input + output + cacheRead === 0 ? undefined : { input, output, cacheRead, cacheWrite: 0 };
}
