import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findChats, readBeam, turnsIn } from "./beam.mjs";
import { findFunctions, readCosqa } from "./cosqa.mjs";
import { NoData } from "./lib/find-data.mjs";
import { findSamples, readLocomo } from "./locomo.mjs";
import { findSessions, readTspec } from "./tspec.mjs";

/** All written for this, in the shapes of the sets. */
const SAMPLE = {
  sample_id: "conv-26",
  conversation: {
    speaker_a: "Ida",
    speaker_b: "Bo",
    session_10_date_time: "12:05 am on 3 March, 2024",
    session_10: [
      { speaker: "Bo", dia_id: "D10:1", text: "The keel is painted.", blip_caption: "a red keel", query: "keel" },
    ],
    session_2_date_time: "1:56 pm on 8 May, 2023",
    session_2: [
      { speaker: "Ida", dia_id: "D2:1", text: "I bought a boat." },
      { speaker: "Bo", dia_id: "D2:2", text: "Which one?" },
    ],
    session_3_date_time: "1:00 pm on 9 May, 2023",
  },
  qa: [
    { question: "What did Ida buy?", evidence: ["D2:1; D10:1", "D:2:2"], category: 4 },
    { question: "What is painted?", evidence: ["D10:1", "D99:1"], category: 2 },
    { question: "Who is Ulf?", evidence: ["D"], category: 3 },
    { question: "And who is Eva?", evidence: [], category: 5 },
  ],
};
const BATCHES = [
  {
    turns: [
      [
        { role: "user", id: 0, time_anchor: "March-15-2024", content: "Plan my sail." },
        { role: "assistant", id: 1, content: "In three steps." },
      ],
      [{ role: "user", id: 2, content: "And the mast?" }],
    ],
  },
  { turns: [[{ role: "user", id: 3, content: "It broke." }]] },
];
const PROBING = {
  abstention: [{ question: "Who is Ulf?" }],
  knowledge_update: [{ question: "How is the mast?", source_chat_ids: { original_info: [2], updated_info: [3, 77] } }],
  event_ordering: [{ question: "What came first?", source_chat_ids: [0, 3] }],
};
const FUNCTIONS = { "def reef(): pass": 0, "def gybe(): pass": 1 };
const ASKED = [
  { doc: "python take in sail", retrieval_idx: 0 },
  { doc: "python sink", retrieval_idx: 9 },
];
const COMMITS = {
  messages: [
    { s: "s1", k: "user", t: "Fix the rudder", ts: "2026-02-19T02:03:56.236Z" },
    { s: "s2", k: "tool_use", t: "Read {}", ts: "2026-02-20T02:03:56.236Z" },
    { s: "s1", k: "thinking", t: "Hm.", ts: "2026-02-19T02:03:57.236Z" },
  ],
  questions: [
    { q: "Fix rudder", g: ["s1"] },
    { q: "Fix keel", g: ["gone"] },
  ],
};

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-sets-"));
  const files = {
    "friends/a.json": [SAMPLE, { ...SAMPLE, sample_id: "conv-48" }],
    "100K/2/chat.json": BATCHES,
    "100K/2/asked.json": PROBING,
    "100K/11/chat.json": BATCHES,
    "100K/11/asked.json": PROBING,
    "code/map.txt": FUNCTIONS,
    "code/q-dev.json": ASKED,
    "code/q-test.json": [ASKED[0]],
    "commits/bench-dev.json": COMMITS,
    "commits/bench-test.json": { ...COMMITS, questions: [] },
  };
  for (const [path, json] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(json));
  }
  writeFileSync(join(folder, "ORIGINS.txt"), "from here and there");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("finding data", () => {
  it.each([
    { half: undefined, samples: 2, chats: ["100K/2", "100K/11"], asked: 3 },
    { half: "development", samples: 1, chats: ["100K/2"], asked: 2 },
    { half: "test", samples: 1, chats: ["100K/11"], asked: 1 },
  ])(
    "takes each set's own of a folder with all, of the half that is asked: $half",
    ({ half, samples, chats, asked }) => {
      expect(findSamples(folder, half)).toHaveLength(samples);
      expect(findChats(folder, half).map(({ name }) => name)).toEqual(chats);
      expect(findFunctions(folder, half)).toMatchObject({ functions: FUNCTIONS, asked: { length: asked } });
      expect(findSessions(folder, half).questions).toHaveLength(half === "test" ? 0 : 2);
    },
  );

  it("takes a file of whatever name", () => {
    expect(findSamples(join(folder, "friends/a.json"), undefined)).toHaveLength(2);
    expect(findSessions(join(folder, "commits/bench-test.json"), undefined).questions).toEqual([]);
  });

  it.each([findSamples, findChats, findFunctions, findSessions])("says where there is nothing: %o", (find) => {
    expect(() => find(join(folder, "gone"), undefined)).toThrow(NoData);
    expect(() => find(join(folder, "ORIGINS.txt"), undefined)).toThrow(NoData);
  });
});

describe("LoCoMo", () => {
  const { conversations, questions, leftOut } = readLocomo([SAMPLE]);

  it("makes each dated session a session, by its date, and each turn a prompt with its speaker and picture", () => {
    expect(conversations.map(({ id, project }) => [id, project])).toEqual([
      ["conv-26/session_2", "locomoconvcg"],
      ["conv-26/session_10", "locomoconvcg"],
    ]);
    expect(conversations.flatMap(({ entries }) => entries)).toEqual([
      {
        id: "conv-26/D2:1",
        kind: "prompt",
        text: "Ida: I bought a boat.",
        at: Date.parse("2023-05-08T13:56:00Z"),
      },
      { id: "conv-26/D2:2", kind: "prompt", text: "Bo: Which one?", at: Date.parse("2023-05-08T13:57:00Z") },
      {
        id: "conv-26/D10:1",
        kind: "prompt",
        text: "Bo: The keel is painted. [shares a red keel; keel]",
        at: Date.parse("2024-03-03T00:05:00Z"),
      },
    ]);
  });

  it("asks what is answered by a turn that is there, and counts the rest", () => {
    expect(questions.map(({ text, gold, group }) => [text, [...gold], group])).toEqual([
      ["What did Ida buy?", ["conv-26/D2:1", "conv-26/D10:1", "conv-26/D2:2"], "single-hop"],
      ["What is painted?", ["conv-26/D10:1"], "temporal"],
    ]);
    expect(leftOut).toBe(2);
  });
});

describe("BEAM", () => {
  const { conversations, questions, leftOut } = readBeam([{ name: "100K/2", batches: BATCHES, probing: PROBING }]);

  it("makes each batch a session of its day, or of the day after the one before", () => {
    expect(conversations.map(({ id, entries }) => [id, entries.map(({ kind }) => kind), entries[0].at])).toEqual([
      ["100K/2/batch 1", ["prompt", "answer", "prompt"], Date.parse("2024-03-15T09:00:00Z")],
      ["100K/2/batch 2", ["prompt"], Date.parse("2024-03-16T09:00:00Z")],
    ]);
  });

  it("takes an answer and its prompt for one turn", () => {
    expect([...turnsIn(conversations)]).toEqual([
      ["100K/2/0", "100K/2/0"],
      ["100K/2/1", "100K/2/0"],
      ["100K/2/2", "100K/2/2"],
      ["100K/2/3", "100K/2/3"],
    ]);
  });

  it("takes sources from lists and from lists by what they are for", () => {
    expect(questions.map(({ gold, group }) => [group, [...gold]])).toEqual([
      ["knowledge_update", ["100K/2/2", "100K/2/3"]],
      ["event_ordering", ["100K/2/0", "100K/2/3"]],
    ]);
    expect(leftOut).toBe(1);
  });
});

describe("CoSQA", () => {
  it("makes each function a pasted prompt in a session of its own", () => {
    const { conversations, questions, leftOut } = readCosqa(FUNCTIONS, ASKED);
    expect(conversations.map(({ id, entries }) => [id, entries.map(({ kind, text }) => [kind, text])])).toEqual([
      ["function 0", [["prompt", "def reef(): pass"]]],
      ["function 1", [["prompt", "def gybe(): pass"]]],
    ]);
    expect(questions.map(({ gold }) => [...gold])).toEqual([["function 0"]]);
    expect(leftOut).toBe(1);
  });
});

describe("tspec", () => {
  it("gathers messages that stand among those of other sessions, in their order", () => {
    const { conversations, questions, leftOut } = readTspec(COMMITS);
    expect(conversations.map(({ id, entries }) => [id, entries.map(({ kind, text }) => [kind, text])])).toEqual([
      [
        "s1",
        [
          ["prompt", "Fix the rudder"],
          ["thinking", "Hm."],
        ],
      ],
      ["s2", [["call", "Read {}"]]],
    ]);
    expect(questions.map(({ text, gold }) => [text, [...gold]])).toEqual([["Fix rudder", ["s1"]]]);
    expect(leftOut).toBe(1);
  });
});
