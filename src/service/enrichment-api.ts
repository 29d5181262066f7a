import type { Filter, WorkProgress } from "./yore.ts";

/** Which model is asked, and how. */
export type EngineRequest =
  | {
      readonly kind: "anthropic";
      readonly model: string;
      /** Default: `ANTHROPIC_BASE_URL`, or Anthropic's own. */
      readonly url?: string;
      /** Name of the variable with the key. Default: `ANTHROPIC_API_KEY`. */
      readonly keyVariable?: string;
    }
  | {
      readonly kind: "openai-compatible";
      readonly model: string;
      /** With the path before `/chat/completions`; `/v1` where it has none. */
      readonly url: string;
      /** Default: `OPENAI_API_KEY` for OpenAI's own address, and no key for any other. */
      readonly keyVariable?: string;
    }
  | {
      readonly kind: "command";
      /** Program and arguments. It gets the text on standard input and answers on standard output. */
      readonly command: readonly string[];
      /** What is noted as the model. Default: the program's name. */
      readonly model?: string;
    };

export const ENGINES = [
  "anthropic",
  "openai-compatible",
  "command",
] as const satisfies readonly EngineRequest["kind"][];

export interface EnrichRequest {
  readonly engine: EngineRequest;
  /** The newest of these first. */
  readonly filter?: Filter;
  /** At most so many sessions. */
  readonly limit?: number;
  /** Tokens in and out together. Default 100,000. */
  readonly budget?: number;
  /** Those too that were enriched before, and whose text is not the same any more. */
  readonly refresh?: boolean;
  /** How long one answer is waited for. Default 120,000. */
  readonly timeoutMs?: number;
}

/** What a run would send, as far as the budget goes. */
export interface EnrichPlan {
  /** What is noted as the model, and where the texts go: an address, or the program that is started. */
  readonly model: string;
  readonly to: string;
  readonly sessions: number;
  /** Estimated, answers included. */
  readonly tokens: number;
  readonly budget: number;
  /** False where the budget or the limit ends before the sessions do. */
  readonly isAll: boolean;
  /** A filter that names nothing: what was wrong and what there is. */
  readonly warnings: readonly string[];
}

export interface EnrichReport {
  readonly model: string;
  /**
   * `done`: no session is left; `limit`, `budget`: so many were asked for, or the next might have cost more than what is
   * left; `stopped`: by the signal; `failed`: the model cannot be asked. What was enriched before that stays.
   */
  readonly outcome: "done" | "limit" | "budget" | "stopped" | "failed";
  readonly enriched: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Some of these tokens are not what an endpoint reported. */
  readonly isEstimated: boolean;
  readonly budget: number;
  /** Sessions of which the answer could not be used, with the reason. They are asked for again by another run. */
  readonly unusable: readonly { readonly session: string; readonly problem: string }[];
  /** Why it failed, and what to do. */
  readonly problem?: { readonly message: string; readonly hint: string };
}

export interface Enrichments {
  /** By name of the model. */
  readonly models: readonly {
    readonly model: string;
    readonly sessions: number;
    readonly tokens: { readonly input: number; readonly output: number };
  }[];
}

/** The part of `Yore` that has a model write titles and summaries: the only one that asks a model anything. */
export interface Enriching {
  /** What models wrote so far. */
  enrichments(): Promise<Enrichments>;
  /** Asks no model. Throws `bad-input` where the engine cannot be used. */
  planEnrichment(request: EnrichRequest): Promise<EnrichPlan>;
  /**
   * Sends what was said in sessions to a model and keeps its titles and summaries beside them, one by one. Throws as
   * {@link planEnrichment}; that the model fails is told in the report.
   */
  enrich(
    request: EnrichRequest & {
      readonly onProgress?: (progress: WorkProgress) => void;
      readonly signal?: AbortSignal;
    },
  ): Promise<EnrichReport>;
  /** Removes what models wrote, or what one of them did. How many sessions that was. */
  dropEnrichments(request?: { readonly model?: string }): Promise<{ readonly sessions: number }>;
}
