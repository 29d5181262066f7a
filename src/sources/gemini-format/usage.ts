import type { TokenUsage } from "../../core/session.ts";
import { type Fields, numberOf } from "../fields.ts";

/**
 * Tokens of a model call. What was read from the cache counts as input in the record, and thoughts and what tools
 * put into the prompt count apart from both.
 */
export function usageOf(tokens: Fields | undefined): TokenUsage | undefined {
  if (tokens === undefined) return undefined;
  const count = (key: string): number => Math.max(0, numberOf(tokens[key]) ?? 0);
  const input = count("input");
  const cacheRead = Math.min(input, count("cached"));
  const usage = {
    input: input - cacheRead + count("tool"),
    output: count("output") + count("thoughts"),
    cacheRead,
    cacheWrite: 0,
  };
  return usage.input + usage.output + usage.cacheRead === 0 ? undefined : usage;
}
