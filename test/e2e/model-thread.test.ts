import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FromModel, ToModel } from "../../src/service/model-thread.ts";
import { openMiniLm } from "../../src/vectors/minilm/engine.ts";
import { ROOT } from "../support/program.ts";

describe("the thread of the sentence model", () => {
  it("loads it, and embeds as it is embedded elsewhere", async () => {
    const models = mkdtempSync(join(tmpdir(), "yore-models-"));
    onTestFinished(() => rmSync(models, { recursive: true }));
    const worker = new Worker(join(ROOT, "dist/bin/model-thread.js"), { workerData: { models } });
    const told: FromModel[] = [];
    worker.on("message", (message: FromModel) => told.push(message));
    worker.postMessage({ number: 7, text: "count barnacles" } satisfies ToModel);
    await expect.poll(() => told.length, { timeout: 30_000 }).toBe(2);
    await worker.terminate();
    const engine = await openMiniLm({ models });
    const [vector] = await engine.embed(["count barnacles"]);
    await engine.close();
    expect(told).toEqual([{ kind: "ready" }, { kind: "vector", number: 7, vector }]);
  }, 60_000);
});
