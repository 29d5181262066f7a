import { describe, expect, it } from "vitest";
import { compareRanks } from "./compare.ts";
import { figure, figuresOf, mean, type Score, scoreOf } from "./figures.ts";
import type { Answer } from "./finder.ts";
import { type Gold, NOTHING_LEFT_OUT, type Question } from "./question.ts";

const asking = (gold: Gold): Question => ({
  id: "q",
  kind: "title",
  query: "tide table",
  gold,
  leftOut: NOTHING_LEFT_OUT,
});
const session = (...conversations: number[]): Question => asking({ conversations, turns: [] });
const turn = (...turns: string[][]): Question => asking({ conversations: [1], turns });
const found = (conversations: number[][], observations?: string[]): Answer => ({
  conversations,
  observations,
  isSure: true,
  tokens: 10,
  ms: 2,
});

describe("a score", () => {
  it.each<[string, Question, Answer, Partial<Score>]>([
    ["is the place of the first right session", session(7), found([[1], [7]]), { rank: 2, hasAll: true }],
    ["has no place for what is not found", session(7), found([[1], [2]]), { rank: undefined, hasAll: false }],
    ["takes a file for all its sessions", session(7), found([[1, 7]]), { rank: 1, hasAll: true }],
    [
      "tells whether all are on the page",
      session(7, 8),
      found([[7], [1], [2], [3], [4], [8]]),
      { rank: 1, hasAll: false },
    ],
    [
      "looks at ten places",
      session(7),
      found([..."abcdefghij"].map((_, at) => [at + 10]).concat([[7]])),
      { rank: undefined },
    ],
    ["is of the turn where one is asked for", turn(["a", "b"]), found([[1]], ["x", "b"]), { rank: 2, sessionRank: 1 }],
    ["counts a turn once, by any part", turn(["a", "b"], ["c"]), found([[1]], ["b", "c"]), { rank: 1, hasAll: true }],
    ["is of the session where no turns are known", turn(["a"]), found([[1]]), { rank: 1, hasAll: true }],
  ])("%s", (_, question, answer, score) => {
    expect(scoreOf(question, answer)).toMatchObject(score);
  });
});

describe("figures", () => {
  const scores = [1, 2, undefined, 10].map(
    (rank, at): Score => ({ rank, hasAll: rank === 1, sessionRank: 1, tokens: 100 * at, ms: at + 1 }),
  );

  it("are means and shares of all questions", () => {
    const { hit1, any5, all5, mrr10, session5, tokens, ms50, ms95 } = figuresOf(scores);
    expect([hit1, any5, all5, session5, tokens].map(({ value }) => value)).toEqual([0.25, 0.5, 0.25, 1, 150]);
    expect(mrr10.value).toBeCloseTo((1 + 0.5 + 0 + 0.1) / 4);
    expect([ms50?.value, ms95?.value]).toEqual([2, 4]);
  });

  it("have no milliseconds where none were taken", () => {
    expect(figuresOf(scores.map((score) => ({ ...score, ms: undefined }))).ms50).toBeUndefined();
  });

  it("have an interval around them, the same each time and narrower with more questions", () => {
    const few = figure([0, 1, 1, 1], mean);
    const many = figure(
      Array.from({ length: 400 }, (_, at) => Number(at % 4 !== 0)),
      mean,
    );
    expect(few).toEqual(figure([0, 1, 1, 1], mean));
    expect([few.value, many.value]).toEqual([0.75, 0.75]);
    expect(few.low).toBeLessThan(many.low);
    expect(many.low).toBeGreaterThan(0.69);
    expect(many.high).toBeLessThan(0.81);
  });

  it("of nothing are nothing", () => {
    expect(figure([], mean)).toEqual({ value: 0, low: 0, high: 0 });
  });
});

describe("a comparison", () => {
  it("is of questions that both asked, and names those won and lost at five", () => {
    const before = new Map([
      ["a", 6],
      ["b", 1],
      ["c", 2],
      ["gone", 1],
    ]);
    const after = new Map([
      ["a", 1],
      ["b", undefined],
      ["c", 1],
      ["new", 1],
    ]);
    const { questions, hit1, any5, won, lost } = compareRanks(before, after);
    expect({ questions, won, lost }).toEqual({ questions: 3, won: ["a"], lost: ["b"] });
    expect(hit1.value).toBeCloseTo(1 / 3);
    expect(any5.value).toBe(0);
  });
});
