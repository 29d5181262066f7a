/** all-MiniLM-L6-v2, loaded. */
export interface SentenceModel {
  readonly runtime: Runtime;
  /** A vector of length 1 for the first 256 tokens. The same text has the same vector, whatever was asked before. */
  readonly embed: (text: string) => Promise<Float32Array>;
  readonly close: () => Promise<void>;
}

/** `onnxruntime-node` takes a twentieth of the time, with numbers of 8 bits; what both give can be compared. */
export type Runtime = "onnxruntime-node" | "wasm";

export const MINILM_DIMS = 384;
/** More of a text is not looked at. */
export const MINILM_TOKENS = 256;
/** One for both runtimes: what they give differs by less than the rounding to bytes matters. */
export const MINILM_ID = "minilm/all-MiniLM-L6-v2";
