import { type Fields, fieldsOf, textOf, tokensOf } from "../fields.ts";
import type { UsageItem } from "../source.ts";
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
    key: `${textOf(message.id) ?? line.id}:${textOf(line.fields.requestId) ?? ""}`,
    ...(line.at !== undefined && { at: line.at }),
    model,
    usage: {
      input: tokensOf(usage.input_tokens),
      output: tokensOf(usage.output_tokens),
      cacheRead: tokensOf(usage.cache_read_input_tokens),
      cacheWrite: tokensOf(usage.cache_creation_input_tokens),
    },
  };
}

/** The model that answered. Undefined for stubs that the harness wrote itself. */
export function modelOf(message: Fields): string | undefined {
  const model = textOf(message.model);
  return model === "<synthetic>" ? undefined : model;
}
