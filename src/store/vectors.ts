import type { Embedding } from "../vectors/static-embedder.ts";
import type { Slice } from "./store.ts";

/**
 * Vectors of observations, of what was asked and answered in each. Derived: they go with the observations that they are
 * of, and can be made anew from the messages. What one engine made is never compared with what another one made.
 */
export interface VectorReader {
  /** Those that are there. An observation that has grown since keeps its older one until it is embedded again. */
  of(observations: readonly number[], engine: string): Promise<ReadonlyMap<number, Embedding>>;
  /** Those of a session's observations that are there. */
  ofSession(session: number, engine: string): Promise<ReadonlyMap<number, Embedding>>;
  /** Those whose vectors are nearest to one of the same engine, the nearest first; ties by id. Hidden ones are none of them. */
  nearest(query: Embedding, engine: string, request: NearestRequest): Promise<Nearest>;
  /** Engines whose vectors are there, in the order in which they first made some. Costs little. */
  engines(): Promise<readonly StoredEngine[]>;
  /** What a person is told; without hidden sessions. */
  coverage(engine: string): Promise<VectorCoverage>;
  /** Sessions with observations that the engine has not embedded as they are now, the latest first; without hidden ones. */
  pending(engine: string, limit: number): Promise<readonly number[]>;
  /** Of a session, observations that the engine has not embedded as they are now, at most `limit`, in order. */
  toEmbed(session: number, engine: string, limit: number): Promise<readonly EmbeddableObservation[]>;
  /** Observations with what was said in them, the newest first. */
  sample(slice: Slice): Promise<readonly EmbeddableObservation[]>;
  /** What {@link VectorWrites.saveWeights} stored. */
  weights(engine: string): Promise<Uint8Array | undefined>;
}

export interface NearestRequest {
  readonly projects?: readonly number[];
  /** Sessions that are passed over. */
  readonly without?: readonly number[];
  readonly limit: number;
  /** How many observations are looked at at most, those of the latest sessions first. */
  readonly most: number;
}

export interface Nearest {
  readonly found: readonly { readonly observation: number; readonly cosine: number }[];
  /** Observations that were looked at. */
  readonly scanned: number;
  /** Whether those were all that there are. */
  readonly isWhole: boolean;
}

export interface StoredEngine {
  readonly id: string;
  readonly dims: number;
  /** Observations that it has embedded, hidden ones too. */
  readonly covered: number;
  /** Observations that its weights were counted over; 0 where it has none of its own. */
  readonly counted: number;
}

export interface VectorCoverage {
  readonly covered: number;
  /** Observations that there are. */
  readonly observations: number;
  readonly bytes: number;
}

/** What is said in an observation, cut to what an engine may look at. */
export interface EmbeddableObservation {
  readonly observation: number;
  readonly lastSeq: number;
  /** What the person wrote. */
  readonly asked: string;
  /** What the agent wrote, the last of it first: that is what it came to. */
  readonly answered: string;
}

export interface VectorEntry {
  readonly observation: number;
  /** How far the observation went when it was embedded. */
  readonly lastSeq: number;
  /** Absent where nothing in it says anything to the engine. */
  readonly vector?: Embedding;
}

export interface VectorWrites {
  /** Beside what is there of the session's other observations. Of observations that are gone nothing is kept. */
  saveVectors(
    session: number,
    engine: { readonly id: string; readonly dims: number },
    entries: readonly VectorEntry[],
  ): Promise<void>;
  /** Of one engine, or of all. Of how many observations there were some. */
  dropVectors(engine?: string): Promise<number>;
  /** Keeps what the engine's vectors are made with, counted over so many observations. */
  saveWeights(
    engine: { readonly id: string; readonly dims: number },
    counted: number,
    weights: Uint8Array,
  ): Promise<void>;
}
