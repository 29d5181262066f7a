import type { UsageItem } from "../source.ts";
import { type Fields, fieldsOf, numberOf, stringOf } from "./fields.ts";
import type { Line } from "./line.ts";

/**
 * Tokens of the model call an assistant line belongs to. A call is written as several lines that repeat its usage,
 * growing, and copied into other files: message id and request id name it everywhere.
 */
export function usageOf(line: Line): UsageItem | undefined {
  const message = fieldsOf(line.fields.message);
  const model = modelOf(message);
  const usage = fieldsOf(message.usage);
  if (model === undefined || Object.keys(usage).length === 0) return undefined;
  return {
    kind: "usage",
    key: `${stringOf(message.id) ?? line.id}:${stringOf(line.fields.requestId) ?? ""}`,
    ...(line.at !== undefined && { at: line.at }),
    model,
    usage: {
      input: tokens(usage.input_tokens),
      output: tokens(usage.output_tokens),
      cacheRead: tokens(usage.cache_read_input_tokens),
      cacheWrite: tokens(usage.cache_creation_input_tokens),
    },
  };
}

/** The model that answered. Undefined for stubs that the harness wrote itself. */
export function modelOf(message: Fields): string | undefined {
  const model = stringOf(message.model);
  return model === "<synthetic>" ? undefined : model;
}

function tokens(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value) ?? 0));
}
