import { describe, expect, it } from "vitest";
import { messageUid, observationId } from "../core/ids.ts";
import type { FileTouch, Part, Role } from "../core/session.ts";
import { openingTraits, withMessage } from "../core/traits.ts";
import type { ObservationDraft, OpenObservation } from "../store/store.ts";
import { type DerivableMessage, type DerivationContext, deriveObservations } from "./derive.ts";

type Line = readonly [role: Role, part: Part, text: string, more?: Partial<DerivableMessage>];

const changed: readonly FileTouch[] = [{ path: "a.ts", changed: true }];
const read: readonly FileTouch[] = [{ path: "a.ts", changed: false }];

function messages(lines: readonly Line[]): DerivableMessage[] {
  return lines.map(([role, part, text, more], seq) => ({
    uid: messageUid("codex", `m${seq}`),
    seq,
    role,
    part,
    text,
    at: 1_000 + seq,
    ...more,
  }));
}

function derive(lines: readonly Line[], context: Partial<DerivationContext> = {}): Promise<ObservationDraft[]> {
  const whole = { agent: "codex", session: "s", lastAt: 500, opening: async () => ({ text: "" }), ...context };
  return deriveObservations(whole, messages(lines));
}

const spans = (drafts: readonly ObservationDraft[]): string[] =>
  drafts.map((draft) => `${draft.firstSeq}-${draft.lastSeq}${draft.part === 1 ? "" : ` part ${draft.part}`}`);

describe("where observations begin", () => {
  const long = "x".repeat(16_000);

  it.each<[string, readonly Line[], readonly string[]]>([
    [
      "a turn each",
      [
        ["human", "text", "a"],
        ["assistant", "text", "b"],
        ["human", "text", "c"],
      ],
      ["0-1", "2-2"],
    ],
    [
      "what comes before any prompt",
      [
        ["assistant", "text", "a"],
        ["human", "text", "b"],
      ],
      ["0-0", "1-1"],
    ],
    [
      "notices before anyone spoke are outside",
      [
        ["system", "notice", "a"],
        ["system", "notice", "b"],
        ["human", "text", "c"],
        ["system", "notice", "d"],
      ],
      ["2-3"],
    ],
    [
      "a long turn is cut where the agent speaks",
      [
        ["human", "text", "a"],
        ["tool", "call", long],
        ["tool", "result", "b"],
        ["assistant", "text", "c"],
        ["tool", "call", "d"],
      ],
      ["0-2", "3-4 part 2"],
    ],
    [
      "and again",
      [
        ["human", "text", long],
        ["assistant", "text", long],
        ["assistant", "text", "c"],
        ["human", "text", "d"],
      ],
      ["0-0", "1-1 part 2", "2-2 part 3", "3-3"],
    ],
    [
      "a turn without words is cut in any case",
      [
        ["human", "text", "a"],
        ["tool", "result", "x".repeat(64_000)],
        ["tool", "result", "b"],
      ],
      ["0-1", "2-2 part 2"],
    ],
    ["nothing", [], []],
  ])("%s", async (_, lines, expected) => {
    expect(spans(await derive(lines))).toEqual(expected);
  });

  it("cuts before the index runs out of numbers for messages", async () => {
    const lines = Array.from(
      { length: 2_500 },
      (_, at): Line => [at === 0 ? "human" : "tool", at === 0 ? "text" : "call", "x"],
    );
    expect(spans(await derive(lines))).toEqual(["0-999", "1000-1999 part 2", "2000-2499 part 3"]);
  });

  it("cuts by numbers where messages have been taken back from between", async () => {
    const lines: Line[] = [
      ["human", "text", "a"],
      ["tool", "call", "b", { seq: 999 }],
      ["tool", "call", "c", { seq: 1_000 }],
    ];
    const drafts = await derive(lines);
    expect(spans(drafts)).toEqual(["0-999", "1000-1000 part 2"]);
    expect(drafts[0]?.pieces.map((piece) => piece.message)).toEqual([0, 999]);
  });
});

describe("what an observation says", () => {
  it("is known by agent, session and first message", async () => {
    const [first] = await derive([["human", "text", "a"]]);
    expect(first?.publicId).toBe(observationId("codex", "s", messageUid("codex", "m0")));
  });

  it.each<[string, readonly Line[], Partial<ObservationDraft>]>([
    ["its title", [["human", "text", "## Fix it\nnow"]], { title: "Fix it" }],
    [
      "when it was",
      [
        ["human", "text", "a", { at: 50 }],
        ["assistant", "text", "b", { at: 90 }],
      ],
      { at: 50, endedAt: 90 },
    ],
    [
      "also where clocks went back",
      [
        ["human", "text", "a", { at: 90 }],
        ["assistant", "text", "b", { at: 50 }],
      ],
      { at: 90, endedAt: 90 },
    ],
    [
      "how long it is",
      [
        ["human", "text", "abc"],
        ["assistant", "text", "de"],
      ],
      { chars: 5 },
    ],
    ["its branch", [["human", "text", "a", { branch: "fix" }]], { branch: "fix" }],
    ["the session's branch", [["human", "text", "a"]], { branch: "main" }],
    [
      "its files",
      [
        ["human", "text", "a"],
        ["tool", "call", "b", { files: read }],
        ["assistant", "text", "c"],
      ],
      { files: read, type: "discovery" },
    ],
    [
      "that it fixed something",
      [
        ["human", "text", "fix a"],
        ["tool", "call", "b", { files: changed }],
      ],
      { type: "bugfix" },
    ],
    [
      "that it changed something",
      [
        ["human", "text", "a"],
        ["tool", "call", "b", { files: changed }],
      ],
      { type: "change" },
    ],
    [
      "a decision, whatever was changed",
      [
        ["human", "text", "We decided to keep a"],
        ["tool", "call", "b", { files: changed }],
      ],
      { type: "decision", title: "We decided to keep a" },
    ],
    ["that nothing came of it", [["human", "text", "hello"]], { type: "note" }],
    [
      "a plan that was approved, until work begins",
      [
        ["human", "text", "make a plan"],
        ["tool", "call", "plan: # Two tides", { tool: "ExitPlanMode" }],
        ["tool", "result", "User has approved your plan.\n# Two tides", { tool: "ExitPlanMode" }],
      ],
      { type: "decision", title: "Plan approved: Two tides" },
    ],
    [
      "the work that follows on an approved plan",
      [
        ["human", "text", "add two tides"],
        ["tool", "call", "plan: # Two tides", { tool: "ExitPlanMode" }],
        ["tool", "result", "User has approved your plan.\n# Two tides", { tool: "ExitPlanMode" }],
        ["tool", "call", "edit", { files: changed }],
      ],
      { type: "feature", title: "add two tides" },
    ],
    [
      "what a plan that is handed over is about",
      [["human", "text", "Implement the following plan:\n\n# Plan: Two tides\n\nfix the bug"]],
      { title: "Two tides" },
    ],
    [
      "what was asked for, where the turn goes on",
      [
        ["human", "text", `fix the tide\n${"x".repeat(16_000)}`],
        ["assistant", "text", "Let me look."],
      ],
      { type: "bugfix" },
    ],
  ])("%s", async (_, lines, expected) => {
    const [draft] = await derive(lines, { branch: "main" });
    expect(draft).toMatchObject(expected);
  });

  it("is dated by what came before where it has no time", async () => {
    const lines = messages([["human", "text", "a"]]).map(({ at: _, ...message }) => message);
    const context = { agent: "codex", session: "s", lastAt: 500, opening: async () => ({ text: "" }) };
    expect(await deriveObservations(context, lines)).toMatchObject([{ at: 500, endedAt: 500 }]);
  });

  it("has the words of each message in their place", async () => {
    const [draft] = await derive([
      ["human", "text", "fix getUser"],
      ["assistant", "thinking", "hm"],
      ["system", "notice", "hidden"],
      ["tool", "call", "ls"],
      ["tool", "result", "配置"],
      ["assistant", "text", ""],
      ["assistant", "text", "done"],
    ]);
    expect(draft?.pieces).toEqual([
      { message: 0, piece: 0, place: "prompt", text: "fix getUser", parts: "get User" },
      { message: 1, piece: 0, place: "aside", text: "hm", parts: "" },
      { message: 3, piece: 0, place: "action", text: "ls", parts: "" },
      { message: 4, piece: 0, place: "output", text: " 配  置 ", parts: "" },
      { message: 6, piece: 0, place: "answer", text: "done", parts: "" },
    ]);
  });

  it("does not have what we ourselves handed back", async () => {
    const [draft] = await derive([
      ["human", "text", "a"],
      ["tool", "call", "query", { tool: "mcp__yore__search" }],
      ["tool", "result", "recalled", { tool: "mcp__yore__search" }],
    ]);
    expect(draft?.pieces.map((piece) => piece.text)).toEqual(["a"]);
    expect(draft?.lastSeq).toBe(2);
  });
});

describe("going on with an open observation", () => {
  const LOOKED = withMessage(0, { role: "tool", part: "call", text: "ls" });
  const open: OpenObservation = {
    id: 7,
    firstSeq: 10,
    part: 2,
    chars: 100,
    messages: 3,
    type: "discovery",
    traits: LOOKED,
  };
  const later = (lines: readonly Line[]): Line[] =>
    lines.map(([a, b, c, more], at) => [a, b, c, { seq: 13 + at, ...more }]);

  it("extends it", async () => {
    const drafts = await derive(
      later([
        ["tool", "call", "ls"],
        ["human", "text", "next"],
      ]),
      { open },
    );
    expect(drafts).toMatchObject([
      {
        id: 7,
        firstSeq: 10,
        lastSeq: 13,
        part: 2,
        chars: 102,
        type: "discovery",
        pieces: [{ message: 3, text: "ls" }],
      },
      { firstSeq: 14, lastSeq: 14, part: 1 },
    ]);
    expect(drafts[1]?.id).toBeUndefined();
  });

  it("knows what it was asked for", async () => {
    const traits = openingTraits({ role: "human", part: "text", text: "fix it" }, 0, false);
    const drafts = await derive(later([["tool", "call", "edit", { files: changed }]]), { open: { ...open, traits } });
    expect(drafts).toMatchObject([{ id: 7, type: "bugfix" }]);
    expect(drafts[0]?.title).toBeUndefined();
  });

  it("asks for its first message where it is a decision no more", async () => {
    const opening = async () => ({ text: "make a plan" });
    const answered = { role: "tool", part: "result", text: "User selected: SQLite", tool: "ask_user" } as const;
    const traits = withMessage(0, answered);
    const decision = { ...open, type: "decision", traits } as const;
    const drafts = await derive(later([["tool", "call", "edit", { files: changed }]]), { open: decision, opening });
    expect(drafts).toMatchObject([{ id: 7, type: "change", title: "make a plan" }]);
  });

  it("leaves it alone where nothing joins", async () => {
    const drafts = await derive(later([["human", "text", "next"]]), { open });
    expect(spans(drafts)).toEqual(["13-13"]);
  });

  it("goes on with its next part", async () => {
    const drafts = await derive(later([["assistant", "text", "b"]]), { open: { ...open, chars: 20_000 } });
    expect(spans(drafts)).toEqual(["10-12 part 2", "13-13 part 3"]);
    expect(drafts[0]?.pieces).toEqual([]);
  });
});
