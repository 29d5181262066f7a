import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** The pieces that BERT has around a text. */
const BEFORE = 101;
const AFTER = 102;
/** Pieces, those that fill up included, that go through the network at once. */
const BATCH_PIECES = 2048;
const WIDTH = 384;
const HOW_TO_INSTALL =
  "ONNXRUNTIME_NODE_INSTALL=skip ONNXRUNTIME_NODE_INSTALL_CUDA=skip npm install --prefix <folder> onnxruntime-node@1.21.1";

const [, , onnx, runtime] = process.argv;
const { InferenceSession, Tensor } = loadRuntime(runtime);
const session = InferenceSession.create(onnx, { intraOpNumThreads: 1, interOpNumThreads: 1 });

process.on("message", async (texts) => {
  const framed = texts.map((pieces) => [BEFORE, ...pieces, AFTER]);
  const vectors = new Float32Array(framed.length * WIDTH);
  // Texts of one length go together, so that there is little to fill up.
  const order = Array.from(framed.keys()).sort(
    (one, other) => framed[one].length - framed[other].length || one - other,
  );
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && (end + 1 - start) * framed[order[end]].length <= BATCH_PIECES) end += 1;
    const batch = order.slice(start, end);
    const data = await run(batch.map((index) => framed[index]));
    batch.forEach((index, row) => {
      vectors.set(data.subarray(row * WIDTH, (row + 1) * WIDTH), index * WIDTH);
    });
    start = end;
  }
  process.send(vectors);
});

async function run(texts) {
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  const ids = new BigInt64Array(texts.length * longest);
  const mask = new BigInt64Array(texts.length * longest);
  texts.forEach((pieces, index) => {
    ids.set(pieces.map(BigInt), index * longest);
    mask.fill(1n, index * longest, index * longest + pieces.length);
  });
  const shape = [texts.length, longest];
  const given = { input_ids: new Tensor("int64", ids, shape), attention_mask: new Tensor("int64", mask, shape) };
  return (await (await session).run(given)).sentence_embedding.data;
}

function loadRuntime(folder) {
  try {
    return createRequire(join(resolve(folder), "package.json"))("onnxruntime-node");
  } catch (cause) {
    throw new Error(`There is no onnxruntime-node in ${folder}. Install it with: ${HOW_TO_INSTALL}`, { cause });
  }
}
