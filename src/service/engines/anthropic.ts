import { fieldsOf, listOf } from "../../sources/fields.ts";
import { countOf, type Engine, type Reply } from "./engine.ts";
import { failureOf, postJson } from "./post-json.ts";

interface Options {
  readonly model: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly keyVariable: string;
  readonly timeoutMs: number;
}

/** Anthropic's Messages API. */
export function anthropic({ model, url, key, keyVariable, timeoutMs }: Options): Engine {
  return {
    model,
    to: url,
    async ask({ system, text, maxTokens }, signal) {
      const posted = await postJson({
        url: `${url}/v1/messages`,
        headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
        body: { model, max_tokens: maxTokens, system, messages: [{ role: "user", content: text }] },
        timeoutMs,
        signal,
      });
      if (posted.kind === "json") return replyOf(posted.value);
      return failureOf(posted, { keyVariable }) ?? { kind: "stopped" };
    },
  };
}

function replyOf(value: unknown): Reply {
  const { content, usage } = fieldsOf(value);
  const counts = fieldsOf(usage);
  // What is read from or written to a cache was sent as well.
  const input = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    .map((name) => countOf(counts[name]) ?? 0)
    .reduce((sum, count) => sum + count, 0);
  const output = countOf(counts.output_tokens);
  const text = listOf(content)
    .map((block) => fieldsOf(block).text)
    .filter((part) => typeof part === "string")
    .join("");
  return { kind: "answer", text, ...(output !== undefined && { tokens: { input, output } }) };
}
