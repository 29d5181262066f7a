import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { once } from "../core/once.ts";
import { type MiniLmEngine, openMiniLm } from "../vectors/minilm/engine.ts";
import type { Embedding } from "../vectors/static-embedder.ts";

/** The sentence model, loaded beside what else the process does. */
export interface ModelThread {
  readonly isReady: () => boolean;
  /** Waits until the model is loaded. Undefined where it cannot be, or nothing in the text says anything to it. */
  readonly embed: (text: string) => Promise<Embedding | undefined>;
  readonly close: () => Promise<void>;
}

/** What the thread is told, and what it tells: first whether the model is there. */
export type ToModel = { readonly number: number; readonly text: string };
export type FromModel =
  | { readonly kind: "ready" }
  | { readonly kind: "failed" }
  | { readonly kind: "vector"; readonly number: number; readonly vector: Embedding | undefined };

const FILE = "model-thread.js";

/** Does not keep the process alive. */
export function startModelThread(models: string): ModelThread {
  const path = join(import.meta.dirname, FILE);
  // From source there is no such file.
  return existsSync(path) ? inThread(path, models) : inProcess(models);
}

function inThread(path: string, models: string): ModelThread {
  const worker = new Worker(path, { workerData: { models }, stdout: true, stderr: true });
  const waiting = new Map<number, (vector: Embedding | undefined) => void>();
  let state: "loading" | "ready" | "failed" = "loading";
  let count = 0;
  const fail = (): void => {
    state = "failed";
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
  };
  worker.on("message", (message: FromModel) => {
    if (message.kind === "ready") state = "ready";
    else if (message.kind === "failed") fail();
    else {
      waiting.get(message.number)?.(message.vector);
      waiting.delete(message.number);
    }
    if (waiting.size === 0) worker.unref();
  });
  worker.on("error", fail);
  worker.on("exit", fail);
  worker.unref();
  return {
    isReady: () => state === "ready",
    embed: (text) => {
      if (state === "failed") return Promise.resolve(undefined);
      return new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        worker.ref();
        worker.postMessage({ number: count, text } satisfies ToModel);
      });
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

function inProcess(models: string): ModelThread {
  let engine: MiniLmEngine | undefined;
  const opening = once(async () => {
    engine = await openMiniLm({ models });
    return engine;
  });
  void opening().catch(() => undefined);
  return {
    isReady: () => engine !== undefined,
    embed: async (text) => {
      const opened = await opening().catch(() => undefined);
      return (await opened?.embed([text]))?.[0];
    },
    close: async () => {
      await engine?.close();
      engine = undefined;
    },
  };
}
