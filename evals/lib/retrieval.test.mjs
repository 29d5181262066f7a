import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as inside from "../entry.ts";
import { NoData } from "./find-data.mjs";
import { hitAt, reciprocalRank } from "./metrics.mjs";
import { retrieval } from "./retrieval.mjs";

const DAY = Date.parse("2026-03-01T10:00:00Z");
const TASK = {
  sought: "messages",
  measure: ({ messages, sessions }, { gold }) => ({
    "messages/mrr": reciprocalRank(messages, gold),
    "sessions/hit@1": hitAt(sessions, new Set([...gold].map((id) => id.split(":")[0])), 1),
  }),
};

/** @returns {import("./claude-home.mjs").Conversation} */
function conversation(id, project, ...texts) {
  const entries = texts.map((text, at) => ({ id: `${id}:${at}`, kind: at % 2 === 0 ? "prompt" : "answer", text }));
  return { id, project, entries: entries.map((entry, at) => ({ ...entry, at: DAY + at * 1_000 })) };
}

const COLLECTION = {
  conversations: [
    conversation("one", "sail", "How do we reef the mainsail?", "Lower the halyard first."),
    conversation("two", "sail", "Paint the keel", "It is red now."),
    conversation("three", "kite", "How do we reef the mainsail of the kite?", "It has none."),
  ],
  questions: [
    { text: "reef mainsail", project: "sail", gold: new Set(["one:0"]), group: "easy" },
    { text: "halyard", project: "sail", gold: new Set(["one:1"]), group: "easy" },
    { text: "keel", project: "kite", gold: new Set(["three:0"]), group: "unanswered" },
  ],
  leftOut: 2,
};

let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-retrieval-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("retrieval", () => {
  it("asks the product and plain BM25 in the project of each question, and sums up by kind", async () => {
    const { report, text } = await retrieval({ inside, data: "", half: "test", misses: true }, COLLECTION, TASK);
    expect(report).toMatchObject({
      half: "test",
      questions: 3,
      leftOut: 2,
      messages: { mrr: 66.7 },
      sessions: { "hit@1": 66.7 },
      intervals: { messages: { mrr: [0, 100] } },
      groups: { easy: { questions: 2, messages: { mrr: 100 } }, unanswered: { questions: 1, messages: { mrr: 0 } } },
      baseline: { messages: { mrr: 66.7 }, groups: { easy: { messages: { mrr: 100 } } } },
      tiers: { all: { questions: 2, messages: { mrr: 100 } }, none: { questions: 1, messages: { mrr: 0 } } },
      index: { sessions: 3, messages: 6, observations: 3 },
      misses: [{ question: "keel", project: "kite", places: { "three:0": null }, baseline: { "three:0": null } }],
    });
    expect(report.ms.p50).toBeGreaterThan(0);
    expect(text).toContain("kite unanswered: keel (three:0 –; three:0 –)");
  });

  it("leaves the index where it is to be kept, finds it there, and takes no other for it", async () => {
    const keep = join(folder, "kept");
    const first = await retrieval({ inside, data: "", keep, misses: false }, COLLECTION, TASK);
    expect(existsSync(join(keep, "home"))).toBe(true);
    const {
      ms: _,
      memory: __,
      index,
      ...again
    } = (await retrieval({ inside, data: "", keep, misses: false }, COLLECTION, TASK)).report;
    expect(first.report).toMatchObject(again);
    expect(index).toMatchObject({ sessions: 3 });
    const others = [conversation("four", "sail", "Reef it")];
    const questions = [{ text: "reef", project: "sail", gold: new Set(["four:0"]) }];
    await expect(
      retrieval({ inside, data: "", keep, misses: false }, { conversations: others, questions, leftOut: 0 }, TASK),
    ).rejects.toThrow(NoData);
  });
});
