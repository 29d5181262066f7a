// Builds assets/token-table.bin: fetches the model and the texts, lets the model make vectors of them, and fits the table to
// these. docs/token-table.md tells what for.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { principalComponents, project } from "./lib/components.mjs";
import { readCorpus } from "./lib/corpus.mjs";
import { fitVectors } from "./lib/fit.mjs";
import { fetchPackage } from "./lib/packages.mjs";
import { teach, WIDTH } from "./lib/teacher.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");

const DIMS = 192;
/** Pieces of a text that count; the table's user takes as many. */
const MAX_PIECES = 254;
/** Of the texts, for the check at the end. */
const HELD_OUT = 1500;
/** To find the directions in which texts differ most, so many are enough. */
const MEASURED = 30_000;
const FIT = { ridge: 40, steps: 8 };
/** A piece in so great a part of all texts counts half. */
const COMMON = 1e-3;

const { values } = parseArgs({
  options: {
    runtime: { type: "string", default: root },
    work: { type: "string", default: join(root, "node_modules", ".cache", "token-table") },
    out: { type: "string", default: join(root, "assets", "token-table.bin") },
    workers: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stderr.write(
    "usage: node scripts/token-table/build.mjs [--runtime <folder with onnxruntime-node>] [--work <folder>] [--out <file>] [--workers N]\n",
  );
} else {
  await buildTable({ ...values, runtime: resolve(values.runtime), work: resolve(values.work) });
}

async function buildTable({ runtime, work, out, workers }) {
  mkdirSync(work, { recursive: true });
  const inside = await loadInside(work);
  const { weights: safetensors, pieces } = readModel(work);
  const vocabulary = inside.createVocabulary(inside.layOutVocabulary(pieces));
  const { cut } = inside.createWordPieces(vocabulary);
  const corpus = readCorpus(JSON.parse(readFileSync(join(here, "corpus.json"), "utf8")), work, say);
  const room = new Int32Array(MAX_PIECES);
  const texts = corpus.map((text) => room.slice(0, cut(text, room)));
  say(`${texts.length} texts, ${texts.reduce((sum, { length }) => sum + length, 0)} pieces`);

  const teacher = (precision, given) =>
    teach({
      texts: given,
      onnx: writeOnnx(inside, safetensors, precision, work),
      runtime,
      work,
      workers: Number(workers),
      onProgress: (done, all) => say(`vectors (${precision}): ${done} of ${all}`),
    });
  const alone = await teacher(
    "float",
    pieces.map((_, piece) => Int32Array.of(piece)),
  );
  const taught = await teacher("int8", texts);

  const directions = principalComponents(taught.subarray(0, MEASURED * WIDTH), WIDTH, DIMS);
  say(`${DIMS} numbers hold ${percent(directions.shares.reduce((sum, share) => sum + share, 0))} of what differs`);
  const targets = normalised(project(taught, WIDTH, directions), DIMS);
  const start = project(alone, WIDTH, directions);
  const weights = weightsOf(texts, pieces);
  const vectors = fitVectors({
    texts: texts.slice(HELD_OUT),
    targets: targets.subarray(HELD_OUT * DIMS),
    start,
    weights,
    dims: DIMS,
    ...FIT,
    onStep: (error) => say(`fit: ${error.toExponential(1)}`),
  });
  const check = (rows) => likeness(texts.slice(0, HELD_OUT), targets, rows, weights).toFixed(3);
  say(`cosine to the model's vectors, of texts held out: ${check(start)} before, ${check(vectors)} after`);

  const bytes = inside.writeTokenTable({ dims: DIMS, pieces, weights, ...asBytes(vectors, DIMS) });
  const sum = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(out, bytes);
  writeFileSync(`${out}.sha256`, `${sum}  token-table.bin\n`);
  say(`${out}: ${bytes.length} bytes, sha256 ${sum}`);
}

/** The product's own code is TypeScript, so it is bundled first. */
async function loadInside(work) {
  const outfile = join(work, "inside.mjs");
  await build({
    entryPoints: [join(here, "entry.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}

function readModel(work) {
  const wanted = JSON.parse(readFileSync(join(here, "model.json"), "utf8"));
  const folder = fetchPackage(wanted, work);
  const [weights, tokenizer] = Object.entries(wanted.files).map(([name, sum]) => {
    const bytes = readFileSync(join(folder, name));
    const found = createHash("sha256").update(bytes).digest("hex");
    if (found !== sum) throw new Error(`${name} of ${wanted.name} has the sha256 ${found}, and ${sum} was expected`);
    return bytes;
  });
  const pieces = [];
  for (const [name, number] of Object.entries(JSON.parse(tokenizer).model.vocab)) pieces[number] = name;
  return { weights, pieces };
}

function writeOnnx(inside, safetensors, precision, work) {
  const path = join(work, `minilm-${precision}.onnx`);
  if (!existsSync(path)) writeFileSync(path, inside.buildMiniLmOnnx(safetensors, { precision }));
  return path;
}

/** Pieces that are in many texts count less. Those that are no pieces of texts do not count. */
function weightsOf(texts, pieces) {
  const counts = new Uint32Array(pieces.length);
  for (const text of texts) for (const piece of new Set(text)) counts[piece] += 1;
  return Float32Array.from(pieces, (name, piece) =>
    /^\[(?:unused\d+|PAD|UNK|CLS|SEP|MASK)\]$/.test(name) ? 0 : COMMON / (COMMON + counts[piece] / texts.length),
  );
}

function normalised(vectors, dims) {
  for (let start = 0; start < vectors.length; start += dims) {
    const vector = vectors.subarray(start, start + dims);
    const length = Math.hypot(...vector) || 1;
    for (let dim = 0; dim < dims; dim += 1) vector[dim] /= length;
  }
  return vectors;
}

/** The mean cosine of what the table makes of texts to what the model does. */
function likeness(texts, targets, vectors, weights) {
  const sum = new Float64Array(DIMS);
  return (
    texts.reduce((all, pieces, index) => {
      sum.fill(0);
      for (const piece of pieces) {
        for (let dim = 0; dim < DIMS; dim += 1) sum[dim] += weights[piece] * vectors[piece * DIMS + dim];
      }
      const length = Math.hypot(...sum) || 1;
      return all + sum.reduce((product, value, dim) => product + value * targets[index * DIMS + dim], 0) / length;
    }, 0) / texts.length
  );
}

/** Each vector has a scale of its own. */
function asBytes(vectors, dims) {
  const rows = new Int8Array(vectors.length);
  const scales = new Float32Array(vectors.length / dims);
  for (let row = 0; row < scales.length; row += 1) {
    const vector = vectors.subarray(row * dims, (row + 1) * dims);
    const scale = Math.fround(vector.reduce((top, value) => Math.max(top, Math.abs(value)), 0) / 127) || 1;
    scales[row] = scale;
    for (let dim = 0; dim < dims; dim += 1) rows[row * dims + dim] = Math.round(vector[dim] / scale);
  }
  return { rows, scales };
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function say(message) {
  process.stderr.write(`${message}\n`);
}
