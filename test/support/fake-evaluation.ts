import type { Evaluation, MeasuredFigures } from "../../src/service/evaluation-api.ts";
import { START } from "./fake-data.ts";

const figure = (value: number) => ({ value, low: value / 2, high: Math.min(1, value * 2) });

const figures = (any5: number): MeasuredFigures => ({
  questions: 2,
  hit1: figure(0.5),
  any5: figure(any5),
  all5: figure(0.5),
  mrr10: figure(0.5),
  session5: figure(any5),
  tokens: { value: 250, low: 200, high: 300 },
  ms50: { value: 4, low: 3, high: 5 },
  ms95: { value: 9, low: 8, high: 12 },
});

/** A measurement of two questions, as it is compared with an earlier one. */
export const EVALUATED: Evaluation = {
  asOf: START,
  surveyed: { sessions: 3, ofSessions: 4, messages: 120 },
  found: { title: 1, commit: 1 },
  unusable: { ambiguous: 3 },
  controls: 1,
  finders: [
    {
      name: "yore",
      about: "search, as it answers",
      all: figures(1),
      kinds: { title: figures(1), commit: figures(1) },
      controls: { answered: figure(1), sure: figure(0) },
    },
    {
      name: "bm25",
      about: "plain BM25",
      all: { ...figures(0.5), ms50: undefined, ms95: undefined },
      kinds: { title: figures(0.5), commit: figures(0.5) },
      controls: { answered: figure(1), sure: undefined },
    },
  ],
  misses: { ofBm25: 1, found: 1, lost: 0 },
  comparison: {
    questions: 2,
    hit1: figure(0.5),
    any5: figure(0),
    mrr10: figure(0.25),
    won: ["q-0000000001"],
    lost: [],
  },
  questions: [
    {
      id: "q-0000000001",
      kind: "title",
      query: "Fence for recalled text",
      sessions: ["0197f2c4-0000-7000-8000-000000000001"],
      observations: [],
      ranks: { yore: 1, bm25: 2 },
    },
    {
      id: "q-0000000002",
      kind: "commit",
      query: "Close the fence \u001b[31mat the end",
      sessions: ["0197f2c4-0000-7000-8000-000000000001"],
      observations: ["k00000000001"],
      ranks: { yore: 7, bm25: undefined },
    },
  ],
};
