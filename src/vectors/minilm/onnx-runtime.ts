import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { YoreError } from "../../core/errors.ts";
import { tokenTable } from "../token-table.ts";
import { numberOf, type Vocabulary } from "../vocabulary.ts";
import { createWordPieces } from "../wordpiece.ts";
import { buildMiniLmOnnx, ONNX_INPUTS, ONNX_OUTPUT } from "./onnx.ts";
import { findPackage, MODEL_PACKAGES, readBytes, readModelFile, sha256 } from "./packages.ts";
import { MINILM_TOKENS, type SentenceModel } from "./sentence-model.ts";

/** As much of `onnxruntime-node` as is used here. */
interface OnnxRuntime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => Tensor;
  readonly InferenceSession: {
    create(network: Uint8Array, options: { readonly logSeverityLevel: number }): Promise<Session>;
  };
}

interface Tensor {
  readonly data: unknown;
}

interface Session {
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

/** What is made of the weights takes a second to make, and is kept. */
const NETWORK_FILE = "minilm-int8.onnx";
/** Of the network that is made of the weights: what is kept may be of another version, or half of it. */
export const NETWORK_SHA256 = "5773949eb7ec7a353a98d4342080269f8d8d1b7c47c48144132aedc2eead2736";
/** Errors only: it reports to standard error otherwise, about processors that it does not know. */
const ERRORS_ONLY = 3;

/**
 * Runs the model in `onnxruntime-node`, with numbers of 8 bits. Texts go one by one: in a batch each would be rounded by what
 * the others have, and have another vector another time.
 */
export async function openOnnx(folders: readonly string[], models: string): Promise<SentenceModel> {
  const folder = findPackage(folders, MODEL_PACKAGES.onnx.name);
  const { Tensor, InferenceSession } = load(folder);
  const session = await InferenceSession.create(networkIn(models, folders), { logSeverityLevel: ERRORS_ONLY });
  const tokensOf = createTokens(tokenTable().vocabulary);
  return {
    runtime: "onnxruntime-node",
    embed: async (text) => {
      const ids = tokensOf(text);
      const shape = [1, ids.length];
      const outputs = await session.run({
        [ONNX_INPUTS.ids]: new Tensor("int64", ids, shape),
        [ONNX_INPUTS.mask]: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      });
      return Float32Array.from(outputs[ONNX_OUTPUT]?.data as Float32Array);
    },
    close: () => session.release(),
  };
}

function load(folder: string | undefined): OnnxRuntime {
  try {
    if (folder === undefined) throw new Error("There is no such package");
    return createRequire(join(folder, "package.json"))(folder) as OnnxRuntime;
  } catch (cause) {
    const { name, version } = MODEL_PACKAGES.onnx;
    throw new YoreError("unreadable", `${name} can't be started.`, {
      hint: `Install ${name}@${version} anew, or remove it, so that the model runs in WebAssembly.`,
      cause,
    });
  }
}

function networkIn(models: string, folders: readonly string[]): Uint8Array {
  const path = join(models, NETWORK_FILE);
  const kept = readBytes(path);
  if (kept !== undefined && sha256(kept) === NETWORK_SHA256) return kept;
  const network = buildMiniLmOnnx(readModelFile(folders, "weights").bytes, { precision: "int8" });
  keep(path, models, network);
  return network;
}

/** Another process may do the same at the same time. Where it can't be kept, it is made again the next time. */
function keep(path: string, folder: string, network: Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, network, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // It works without.
  }
}

function createTokens(vocabulary: Vocabulary): (text: string) => BigInt64Array {
  const { cut } = createWordPieces(vocabulary);
  const start = BigInt(numberOf(vocabulary, "[CLS]"));
  const end = BigInt(numberOf(vocabulary, "[SEP]"));
  // Both of these count.
  const pieces = new Int32Array(MINILM_TOKENS - 2);
  return (text) => {
    const count = cut(text, pieces);
    return BigInt64Array.from([start, ...Array.from(pieces.subarray(0, count), BigInt), end]);
  };
}
