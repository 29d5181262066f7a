import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("./teacher-worker.mjs", import.meta.url));

/** Texts whose vectors are made, and kept, together. */
const CHUNK = 1024;

/** Numbers of the model's vectors. */
export const WIDTH = 384;

/**
 * The model's vectors of texts, each of length 1, one after the other.
 *
 * With weights as bytes, what goes through the network together has a little influence on each other's vectors. So what
 * goes together depends on the texts alone, and not on how many workers there are. Vectors are kept from run to run.
 *
 * @param {object} given
 * @param {readonly Int32Array[]} given.texts The pieces of each.
 * @param {string} given.onnx The file of the model.
 * @param {string} given.runtime A folder in whose `node_modules` there is onnxruntime-node.
 * @param {string} given.work
 * @param {number} given.workers
 * @param {(done: number, all: number) => void} given.onProgress
 * @returns {Promise<Float32Array>}
 */
export async function teach({ texts, onnx, runtime, work, workers, onProgress }) {
  const folder = join(work, "vectors");
  mkdirSync(folder, { recursive: true });
  const model = createHash("sha256").update(readFileSync(onnx)).digest("hex");
  const chunks = Array.from({ length: Math.ceil(texts.length / CHUNK) }, (_, index) => {
    const pieces = texts.slice(index * CHUNK, (index + 1) * CHUNK);
    const sum = createHash("sha256").update(model);
    for (const text of pieces) sum.update(`${text.join()};`);
    return { pieces, path: join(folder, `${sum.digest("hex").slice(0, 24)}.bin`) };
  });
  const missing = chunks.filter(({ path }) => !existsSync(path));
  let done = chunks.length - missing.length;
  const report = () => onProgress(Math.min(done * CHUNK, texts.length), texts.length);
  report();
  const takeOver = async () => {
    if (missing.length === 0) return;
    // The runtime does not work in two threads of one process.
    const worker = fork(WORKER, [onnx, runtime], { serialization: "advanced" });
    try {
      for (let chunk = missing.shift(); chunk !== undefined; chunk = missing.shift()) {
        const vectors = await answerOf(worker, chunk.pieces);
        writeFileSync(`${chunk.path}.tmp`, new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
        renameSync(`${chunk.path}.tmp`, chunk.path);
        done += 1;
        report();
      }
    } finally {
      worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: workers }, takeOver));
  const vectors = new Float32Array(texts.length * WIDTH);
  chunks.forEach(({ path }, index) => {
    const bytes = readFileSync(path);
    vectors.set(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), index * CHUNK * WIDTH);
  });
  return vectors;
}

function answerOf(worker, pieces) {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.once("message", resolve);
    worker.once("exit", (code) => reject(new Error(`A worker that runs the model ended with ${code}`)));
    worker.send(pieces);
  });
}
