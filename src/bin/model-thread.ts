import { parentPort, workerData } from "node:worker_threads";
import type { FromModel, ToModel } from "../service/model-thread.ts";
import { openMiniLm } from "../vectors/minilm/engine.ts";

/** A thread that holds the sentence model, and embeds what it is told. */
async function run({ models }: { readonly models: string }): Promise<void> {
  const tell = (message: FromModel): void => parentPort?.postMessage(message);
  try {
    const engine = await openMiniLm({ models });
    parentPort?.on("message", ({ number, text }: ToModel) => {
      void engine.embed([text]).then(
        ([vector]) => tell({ kind: "vector", number, vector }),
        () => tell({ kind: "vector", number, vector: undefined }),
      );
    });
    tell({ kind: "ready" });
  } catch {
    tell({ kind: "failed" });
  }
}

void run(workerData as { readonly models: string });
