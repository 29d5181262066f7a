import { createRequire } from "node:module";
import { YoreError } from "../../core/errors.ts";
import { readModelFile } from "./packages.ts";
import { MINILM_TOKENS, type SentenceModel } from "./sentence-model.ts";

/** What `engine.cjs` exports. */
interface Program {
  readonly Embedder: new (weights: Uint8Array, tokenizer: Uint8Array, config: Uint8Array, tokens: number) => Embedder;
}

interface Embedder {
  embed(texts: readonly string[]): readonly (readonly number[])[];
  free(): void;
}

/** Runs the model in WebAssembly, on one processor, while nothing else happens in this thread. */
export async function openWasm(folders: readonly string[]): Promise<SentenceModel> {
  // The program reads the second of the two itself.
  const { path } = readModelFile(folders, "program");
  readModelFile(folders, "wasm");
  const [weights, tokenizer, config] = (["weights", "tokenizer", "config"] as const).map(
    (file) => readModelFile(folders, file).bytes,
  ) as [Buffer, Buffer, Buffer];
  const embedder = load(() => {
    const { Embedder } = createRequire(path)(path) as Program;
    return new Embedder(weights, tokenizer, config, MINILM_TOKENS);
  });
  return {
    runtime: "wasm",
    embed: async (text) => {
      // So that a signal is heard between two texts.
      await new Promise((resolve) => setImmediate(resolve));
      return Float32Array.from(embedder.embed([apart(text)])[0] ?? []);
    },
    close: async () => embedder.free(),
  };
}

function load<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new YoreError("unreadable", "The sentence model can't be started.", {
      hint: "It needs 300 MB of memory, and a Node that runs WebAssembly.",
      cause,
    });
  }
}

/** Names of the model's own marks are read as such wherever they stand; with blanks they are words. */
function apart(text: string): string {
  return text.replace(/\[(CLS|SEP|MASK|PAD|UNK)\]/g, "[ $1 ]");
}
