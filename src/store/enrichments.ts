import type { SessionKey } from "./store.ts";

/** What a model that a person named made of a session. It lies over what was read, and changes none of it. */
export interface StoredEnrichment {
  /** One line. */
  readonly title: string;
  readonly summary: string;
  readonly model: string;
  /** Of what the model was told: another one means that the session, or what is asked for, is not the same any more. */
  readonly promptHash: string;
  readonly input: number;
  readonly output: number;
  /** The tokens are not what the model's endpoint reported. */
  readonly isEstimated: boolean;
  readonly at: number;
}

/** Kept by agent and native id: no pass and no rebuild loses them, since they cost tokens. */
export interface EnrichmentReader {
  /** Undefined also where the session is hidden. */
  of(session: SessionKey): Promise<StoredEnrichment | undefined>;
  /** How many sessions each model enriched, and for how many tokens; by name of the model, without hidden sessions. */
  perModel(): Promise<readonly EnrichmentFigures[]>;
}

export interface EnrichmentFigures {
  readonly model: string;
  readonly sessions: number;
  readonly input: number;
  readonly output: number;
}

export interface EnrichmentWrites {
  /**
   * In place of what stood there. False, and nothing is stored, where the session is there no more or was forgotten
   * meanwhile.
   */
  enrich(session: SessionKey, enrichment: StoredEnrichment): Promise<boolean>;
  /** Removes all, or those of one model, also of sessions that are hidden. How many there were. */
  dropEnrichments(model?: string): Promise<number>;
}
