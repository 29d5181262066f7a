import { lots } from "./chance.ts";
import { type Answer, PAGE, RANKED } from "./finder.ts";
import type { Question } from "./question.ts";

/** A figure with the interval that holds it in 95 of 100 samples of as many questions. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How well questions were answered; shares are from 0 to 1. Undefined where nothing tells. */
export interface Figures {
  readonly questions: number;
  /** The first of what was found is right. */
  readonly hit1: Figure;
  /** Something right is among the first five; all that is. */
  readonly any5: Figure;
  readonly all5: Figure;
  /** One through the place of the first right one, if that is among ten; else 0. */
  readonly mrr10: Figure;
  /** The session of something right is among the first five: the same as `any5`, but for questions that ask for a turn. */
  readonly session5: Figure;
  readonly tokens: Figure;
  readonly ms50: Figure | undefined;
  readonly ms95: Figure | undefined;
}

/** What came of one question. */
export interface Score {
  /** Place of the first right one among the first ten: of a turn where the question asks for one, else of a session. */
  readonly rank: number | undefined;
  /** Whether all that is right is among the first five. */
  readonly hasAll: boolean;
  readonly sessionRank: number | undefined;
  readonly tokens: number;
  readonly ms: number | undefined;
}

/** An finder that knows no turns is asked for sessions only. */
export function scoreOf({ gold }: Question, { conversations, observations, tokens, ms }: Answer): Score {
  const sessions = placed(
    gold.conversations.map((one) => [one]),
    conversations,
  );
  const asksForTurn = gold.turns.length > 0 && observations !== undefined;
  const { rank, hasAll } = asksForTurn
    ? placed(
        gold.turns,
        observations.map((id) => [id]),
      )
    : sessions;
  return { rank, hasAll, sessionRank: sessions.rank, tokens, ms };
}

function placed<T>(
  right: readonly (readonly T[])[],
  found: readonly (readonly T[])[],
): { readonly rank: number | undefined; readonly hasAll: boolean } {
  const isRight = (one: readonly T[], held: readonly T[]): boolean => held.some((part) => one.includes(part));
  const at = found.slice(0, RANKED).findIndex((held) => right.some((one) => isRight(one, held)));
  const page = found.slice(0, PAGE);
  return {
    rank: at === -1 ? undefined : at + 1,
    hasAll: right.every((one) => page.some((held) => isRight(one, held))),
  };
}

export function figuresOf(scores: readonly Score[]): Figures {
  const times = scores.flatMap(({ ms }) => ms ?? []);
  return {
    questions: scores.length,
    hit1: figure(scores.map(hit1), mean),
    any5: figure(scores.map(any5), mean),
    all5: figure(
      scores.map(({ hasAll }) => Number(hasAll)),
      mean,
    ),
    mrr10: figure(scores.map(reciprocal), mean),
    session5: figure(
      scores.map(({ sessionRank }) => any5({ rank: sessionRank })),
      mean,
    ),
    tokens: figure(
      scores.map(({ tokens }) => tokens),
      mean,
    ),
    ms50: times.length === 0 ? undefined : figure(times, quantile(0.5)),
    ms95: times.length === 0 ? undefined : figure(times, quantile(0.95)),
  };
}

type Ranked = Pick<Score, "rank">;

export const hit1 = ({ rank }: Ranked): number => Number(rank === 1);
export const any5 = ({ rank }: Ranked): number => Number(rank !== undefined && rank <= PAGE);
export const reciprocal = ({ rank }: Ranked): number => (rank === undefined ? 0 : 1 / rank);

/** As many samples are drawn, with what was drawn put back. */
const SAMPLES = 1_000;

/** By bootstrap; the same values give the same interval. */
export function figure(values: readonly number[], sum: (values: readonly number[]) => number): Figure {
  const draw = lots(values.length);
  const sums = Array.from({ length: SAMPLES }, () =>
    sum(values.map(() => values[Math.floor(draw() * values.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return {
    value: sum(values),
    low: sums[Math.floor(SAMPLES * 0.025)] ?? 0,
    high: sums[Math.ceil(SAMPLES * 0.975) - 1] ?? 0,
  };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantile(share: number): (values: readonly number[]) => number {
  return (values) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}
