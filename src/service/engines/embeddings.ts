import { fieldsOf, listOf } from "../../sources/fields.ts";
import type { VectorEngine } from "../../vectors/engine.ts";
import { type Embedding, quantise } from "../../vectors/static-embedder.ts";
import { askAgain } from "./ask-again.ts";
import { EmbeddingStop, type EngineFailure, MOST_EMBEDDED_CHARS } from "./engine.ts";
import { failureOf, postJson } from "./post-json.ts";

interface Options {
  readonly model: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly keyVariable: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What a text is made before it leaves. */
  readonly outgoing: (text: string) => string;
}

/** Texts of a request. */
const BATCH = 16;
/** Numbers of a vector are up to twenty letters each. */
const MOST_ANSWER_BYTES = 8_000_000;
const MOST_DIMS = 8_192;

export function embeddingsId(model: string): string {
  return `openai-compatible/${model}`;
}

/**
 * Embeddings as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and others have them. Sends one word, to know how long vectors
 * are. Throws an {@link EmbeddingStop}, then and for texts.
 */
export async function openaiEmbeddings(options: Options): Promise<VectorEngine> {
  const [first] = await embeddingsOf(["memory"], options);
  const dims = first?.values.length ?? 0;
  return {
    id: embeddingsId(options.model),
    dims,
    embed: async (texts) => {
      const vectors: (Embedding | undefined)[] = new Array(texts.length).fill(undefined);
      const wanted = [...texts.keys()].filter((at) => (texts[at] ?? "").trim() !== "");
      for (let start = 0; start < wanted.length; start += BATCH) {
        const batch = wanted.slice(start, start + BATCH);
        const found = await embeddingsOf(
          batch.map((at) => texts[at] ?? ""),
          options,
        );
        if (found.some(({ values }) => values.length !== dims)) throw new EmbeddingStop(OTHER_LENGTH);
        batch.forEach((at, index) => {
          vectors[at] = found[index];
        });
      }
      return vectors;
    },
  };
}

/** A vector for each text. Throws an {@link EmbeddingStop}. */
export async function embeddingsOf(texts: readonly string[], options: Options): Promise<readonly Embedding[]> {
  const { model, url, key, keyVariable, timeoutMs, signal, outgoing } = options;
  const post = {
    url: `${url}/embeddings`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    body: { model, input: texts.map((text) => clipped(outgoing(text))) },
    timeoutMs,
    signal,
    mostBytes: MOST_ANSWER_BYTES,
  };
  const reply = await askAgain(async () => {
    const posted = await postJson(post);
    if (posted.kind === "json") return { kind: "vectors", vectors: vectorsIn(posted.value) } as const;
    return failureOf(posted, { keyVariable }) ?? ({ kind: "stopped" } as const);
  }, signal);
  if (reply.kind === "stopped") throw new EmbeddingStop();
  if (reply.kind !== "vectors") throw new EmbeddingStop(reply);
  if (reply.vectors.length !== texts.length) throw new EmbeddingStop(NOT_VECTORS);
  return reply.vectors;
}

/** Half a letter, such as of one that is cut, is refused by some. */
function clipped(text: string): string {
  return text.slice(0, MOST_EMBEDDED_CHARS).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** In the order of the texts; none at all where one of them is not what it should be. */
function vectorsIn(value: unknown): readonly Embedding[] {
  const vectors = new Map<number, Embedding>();
  listOf(fieldsOf(value).data).forEach((entry, place) => {
    const { index = place, embedding } = fieldsOf(entry);
    const vector = vectorOf(embedding);
    if (typeof index === "number" && vector !== undefined) vectors.set(index, vector);
  });
  return Array.from({ length: vectors.size }, (_, index) => vectors.get(index)).filter((one) => one !== undefined);
}

function vectorOf(value: unknown): Embedding | undefined {
  const numbers = listOf(value);
  if (numbers.length === 0 || numbers.length > MOST_DIMS) return undefined;
  if (!numbers.every((number) => typeof number === "number" && Number.isFinite(number))) return undefined;
  return quantise(Float64Array.from(numbers as readonly number[]));
}

const NOT_VECTORS: EngineFailure = {
  kind: "fatal",
  message: "The endpoint's answer holds no vectors for the texts.",
  hint: "Check that the model is one for embeddings.",
};

const OTHER_LENGTH: EngineFailure = {
  kind: "fatal",
  message: "The endpoint's vectors have not always the same length.",
  hint: "Check that the endpoint has one model of that name.",
};
