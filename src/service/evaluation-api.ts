import type { IndexProgress, WorkProgress } from "./yore.ts";

/** The part of `Yore` that measures how well search finds things in the history that is there. */
export interface Evaluating {
  /**
   * Reads new history to its end, then asks questions whose answers are known, since they were found in the history, and
   * counts. Changes nothing else in the store. Throws `not-found` where the history has nothing to ask for, and what the
   * signal says when it comes.
   */
  evaluate(request?: EvaluateRequest): Promise<Evaluation>;
}

export interface EvaluateRequest {
  /** At most so many. Default 200. */
  readonly questions?: number;
  /** Whether others than search are asked the same. Default true. */
  readonly baselines?: boolean;
  /** What search is compared with: itself with another setting, or places of first right answers by id of the question. */
  readonly against?: { readonly setting: SearchSetting } | { readonly ranks: ReadonlyMap<string, number | undefined> };
  readonly onProgress?: (progress: IndexProgress | WorkProgress) => void;
  readonly signal?: AbortSignal;
}

/** What can be set about a search, and may change what it finds. */
export const SEARCH_SETTINGS = { subagents: ["on", "off"] } as const;
export interface SearchSetting {
  readonly name: keyof typeof SEARCH_SETTINGS;
  readonly value: string;
}

/** A figure with the interval that holds it in 95 of 100 samples of as many questions. */
export interface MeasuredFigure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Shares are from 0 to 1. */
export interface MeasuredFigures {
  readonly questions: number;
  /** The first is right. */
  readonly hit1: MeasuredFigure;
  /** Something right is among the first five; all that is. */
  readonly any5: MeasuredFigure;
  readonly all5: MeasuredFigure;
  readonly mrr10: MeasuredFigure;
  /** The session of something right is among the first five: the same as `any5`, but for questions that ask for a turn. */
  readonly session5: MeasuredFigure;
  /** Of a page of five, on average. */
  readonly tokens: MeasuredFigure;
  readonly ms50: MeasuredFigure | undefined;
  readonly ms95: MeasuredFigure | undefined;
}

export interface MeasuredFinder {
  readonly name: string;
  readonly about: string;
  readonly all: MeasuredFigures;
  readonly kinds: Readonly<Record<string, MeasuredFigures>>;
  readonly controls: {
    /** Share of questions without an answer for which something was found, and for which it claims to have all. */
    readonly answered: MeasuredFigure;
    readonly sure: MeasuredFigure | undefined;
  };
}

export interface Evaluation {
  /** The moment that questions were asked at: that of the last message. */
  readonly asOf: number | undefined;
  readonly surveyed: { readonly sessions: number; readonly ofSessions: number; readonly messages: number };
  /** How many questions there were to choose from, by kind. */
  readonly found: Readonly<Record<string, number>>;
  /** How many of those that were tried could not be asked, by the reason. */
  readonly unusable: Readonly<Record<string, number>>;
  readonly controls: number;
  /** Search first, then the setting it is compared with, then the baselines. */
  readonly finders: readonly MeasuredFinder[];
  readonly questions: readonly AskedQuestion[];
  /**
   * Questions that plain BM25 has no right answer to among its first five, for how many of them search has one, and how many
   * it has none to of those that plain BM25 has.
   */
  readonly misses?: { readonly ofBm25: number; readonly found: number; readonly lost: number };
  readonly comparison?: EvaluationComparison;
}

export interface AskedQuestion {
  readonly id: string;
  readonly kind: string;
  /** Text of the history. */
  readonly query: string;
  /** Ids of sessions and observations that are right. */
  readonly sessions: readonly string[];
  readonly observations: readonly string[];
  /** Place of the first right answer among ten, by finder. */
  readonly ranks: Readonly<Record<string, number | undefined>>;
}

/** What changed, by the questions that both were asked. */
export interface EvaluationComparison {
  readonly questions: number;
  readonly hit1: MeasuredFigure;
  readonly any5: MeasuredFigure;
  readonly mrr10: MeasuredFigure;
  /** Ids of questions with a right answer among the first five now and not before, and the other way round. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
}
