import { fieldsOf, listOf } from "../../sources/fields.ts";
import { countOf, type Engine, type Question, type Reply } from "./engine.ts";
import { failureOf, type Posted, postJson } from "./post-json.ts";

interface Options {
  readonly model: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly keyVariable: string | undefined;
  readonly timeoutMs: number;
}

/** Chat completions as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and many others have them. */
export function openaiCompatible({ model, url, key, keyVariable, timeoutMs }: Options): Engine {
  let limitName = "max_tokens";
  const post = ({ system, text, maxTokens }: Question, signal: AbortSignal): Promise<Posted> =>
    postJson({
      url: `${url}/chat/completions`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: {
        model,
        [limitName]: maxTokens,
        messages: [
          { role: "system", content: system },
          { role: "user", content: text },
        ],
      },
      timeoutMs,
      signal,
    });
  return {
    model,
    to: url,
    async ask(question, signal) {
      let posted = await post(question, signal);
      // OpenAI's newer models know the limit by another name only, and others do not know that one.
      if (isAboutLimit(posted) && limitName === "max_tokens") {
        limitName = "max_completion_tokens";
        posted = await post(question, signal);
      }
      if (posted.kind === "json") return replyOf(posted.value);
      return failureOf(posted, { keyVariable }) ?? { kind: "stopped" };
    },
  };
}

function isAboutLimit(posted: Posted): boolean {
  return posted.kind === "status" && posted.status === 400 && posted.text.includes("max_completion_tokens");
}

function replyOf(value: unknown): Reply {
  const { choices, usage } = fieldsOf(value);
  const counts = fieldsOf(usage);
  const input = countOf(counts.prompt_tokens);
  const output = countOf(counts.completion_tokens);
  const { content } = fieldsOf(fieldsOf(listOf(choices)[0]).message);
  return {
    kind: "answer",
    text: typeof content === "string" ? content : "",
    ...(input !== undefined && output !== undefined && { tokens: { input, output } }),
  };
}
