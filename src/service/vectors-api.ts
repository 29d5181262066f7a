import type { VectorChoice } from "../core/vector-choice.ts";
import type { WorkProgress } from "./yore.ts";

/** What makes vectors, and how. */
export type VectorEngineRequest = Exclude<VectorChoice, { readonly engine: "off" }>;

export interface VectorRequest {
  readonly engine: VectorEngineRequest;
  /** At most so many observations. */
  readonly limit?: number;
  /** At most so many tokens are sent to an endpoint, estimated. */
  readonly budget?: number;
  /** How long one answer of an endpoint is waited for. Default 120,000. */
  readonly timeoutMs?: number;
}

/** What there is of one engine's vectors. */
export interface VectorState {
  readonly engine: string;
  readonly dims: number;
  /** Observations that have a vector of it. */
  readonly covered: number;
  readonly bytes: number;
  /** Whether searches are answered by it. */
  readonly isAsked: boolean;
}

export interface VectorStates {
  readonly observations: number;
  /** What was chosen to answer searches. */
  readonly chosen: VectorChoice["engine"];
  readonly engines: readonly VectorState[];
  /** What keeps the table from answering, where it was chosen. */
  readonly problem?: string;
}

/** What a run would do, as far as its limits go. */
export interface VectorPlan {
  readonly engine: string;
  /** Where the texts go, or what on this machine makes vectors of them. */
  readonly to: string;
  /** Whether texts leave the process. */
  readonly isSent: boolean;
  readonly observations: number;
  /** Estimated; 0 where nothing is sent. */
  readonly tokens: number;
  /** False where a limit ends before the observations do. */
  readonly isAll: boolean;
}

export interface VectorRun {
  readonly engine: string;
  readonly to: string;
  /**
   * `done`: none is left; `limit`, `budget`: so many were asked for; `stopped`: by the signal; `failed`: the engine cannot be
   * asked. What was made before that stays.
   */
  readonly outcome: "done" | "limit" | "budget" | "stopped" | "failed";
  /** Observations. */
  readonly embedded: number;
  readonly left: number;
  readonly seconds: number;
  /** Sent, estimated. */
  readonly tokens: number;
  /** Why it failed, and what to do. */
  readonly problem?: { readonly message: string; readonly hint: string };
}

/** The part of `Yore` that makes vectors by another engine than the table that comes with the program. */
export interface Vectoring {
  vectors(): Promise<VectorStates>;
  /** Loads no model and asks no endpoint. Throws `not-found` where the model is not installed, `bad-input` for a useless address. */
  planVectors(request: VectorRequest): Promise<VectorPlan>;
  /**
   * Has the engine embed what it has not embedded yet, the latest first, and searches answered by it from then on. Throws as
   * {@link planVectors}; that an endpoint fails is told in the report.
   */
  makeVectors(
    request: VectorRequest & {
      readonly onProgress?: (progress: WorkProgress) => void;
      readonly signal?: AbortSignal;
    },
  ): Promise<VectorRun>;
  /** Has searches answered by another engine, or by none. Throws `not-found` where it has embedded nothing, `bad-input` where the environment says another. */
  useVectors(choice: VectorChoice): Promise<void>;
  /** Removes what an engine made, or what all did. Those of the table are made again by themselves. */
  dropVectors(request?: { readonly engine?: string }): Promise<{ readonly observations: number }>;
}
