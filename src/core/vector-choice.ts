/** What makes vectors of what was said, by which search finds other words for the same. */
export const VECTOR_ENGINES = ["static", "minilm", "openai-compatible"] as const;

/** Which one answers searches, as a person chose. */
export type VectorChoice =
  /** Words alone. */
  | { readonly engine: "off" }
  /** The table that comes with the program. */
  | { readonly engine: "static" }
  | { readonly engine: "minilm" }
  | EndpointChoice;

export interface EndpointChoice {
  readonly engine: "openai-compatible";
  readonly model: string;
  /** With the path before `/embeddings`; `/v1` where it has none. */
  readonly url: string;
  /** Name of the variable with the key. Default: `OPENAI_API_KEY` for OpenAI's own address, and no key for any other. */
  readonly keyVariable?: string;
}

export const DEFAULT_VECTORS: VectorChoice = { engine: "static" };

/** Where it stands which engine was chosen. */
export interface VectorSetting {
  /** What makes no sense counts as not chosen. */
  readonly read: () => VectorChoice;
  readonly write: (choice: VectorChoice) => void;
  /** What the environment says, which goes before what is chosen. */
  readonly given?: VectorChoice["engine"];
}
