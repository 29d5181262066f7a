import { YoreError } from "../../core/errors.ts";
import { once } from "../../core/once.ts";

/** A tensor of a safetensors file; its numbers are decoded when they are asked for. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly floats: () => Float32Array;
}

/** The longest header that is read: that of a sentence model takes some ten kilobytes. */
const MAX_HEADER = 1 << 20;

/** Reads which tensors a safetensors file holds. Throws a YoreError for what is none, and for numbers of another kind than floats. */
export function readSafetensors(bytes: Uint8Array): ReadonlyMap<string, Tensor> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = bytes.length < 8 ? 0 : Number(view.getBigUint64(0, true));
  if (headerBytes < 2 || headerBytes > MAX_HEADER || 8 + headerBytes > bytes.length) throw notWeights("its header");
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(headerOf(bytes.subarray(8, 8 + headerBytes)))) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = entry as TensorEntry;
    const data = bytes.subarray(8 + headerBytes + (offsets?.[0] ?? 0), 8 + headerBytes + (offsets?.[1] ?? 0));
    tensors.set(name, { shape: shape ?? [], floats: () => decode(data, dtype, name) });
  }
  return tensors;
}

interface TensorEntry {
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly data_offsets?: readonly [number, number];
}

function headerOf(bytes: Uint8Array): object {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof header === "object" && header !== null) return header;
  } catch {
    // Said below.
  }
  throw notWeights("its header");
}

function decode(data: Uint8Array, dtype: string | undefined, name: string): Float32Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (dtype === "F32") return Float32Array.from({ length: data.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
  if (dtype !== "F16") throw notWeights(`the numbers of ${name}`);
  const floats = new Float32Array(data.length / 2);
  const values = halves();
  for (let at = 0; at < floats.length; at += 1) floats[at] = values[view.getUint16(at * 2, true)] ?? 0;
  return floats;
}

/** Of each 16 bits the number. A model has some twenty million of them. */
const halves = once(() => Float32Array.from({ length: 1 << 16 }, (_, half) => halfToFloat(half)));

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function notWeights(what: string): YoreError {
  return new YoreError(
    "unreadable",
    `Weights of a model were expected in the safetensors format; ${what} can't be read.`,
  );
}
