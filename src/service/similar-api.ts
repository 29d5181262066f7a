import type { ObservationType } from "../core/session.ts";
import type { Filter, Freshness, ObservationHead } from "./yore.ts";

/** What means nearly the same as something that is there, whatever words it is said in. */
export interface Likeness {
  /**
   * Observations like an observation, or sessions like a session. Neither the session that it is of nor subagents of that are
   * among them. Throws `not-found` or `ambiguous` for the id, and `not-found` where there are no vectors to tell by.
   */
  similar(request: SimilarRequest): Promise<SimilarReply>;
}

export interface SimilarRequest {
  /** Of an observation or a session, or its alias. */
  readonly id: string;
  /** Default 10, in the project and elsewhere. */
  readonly limit?: number;
  /** In other projects too, after those of its own. A project in the filter stands in the place of its own. */
  readonly everywhere?: boolean;
  readonly filter?: Filter;
  readonly type?: ObservationType;
  /** Part of a path; the observation read or changed such a file. */
  readonly file?: string;
  readonly includeSubagents?: boolean;
}

export interface SimilarReply {
  readonly of: { readonly kind: "observation" | "session"; readonly id: string; readonly title: string };
  /** The most alike first; those of other projects after those of its own. */
  readonly hits: readonly SimilarHit[];
  readonly warnings: readonly string[];
  readonly freshness: Freshness;
}

/** Of a session, the observation of it that is nearest. */
export interface SimilarHit extends ObservationHead {
  /** Between its vector and that of what was named: 1 for the same, about 0 for what has nothing to do with it. */
  readonly cosine: number;
}
