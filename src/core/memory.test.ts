import { describe, expect, it } from "vitest";
import { formatMemory, holdsAt, type Memory, memoryState, parseMemory } from "./memory.ts";

const AT = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const PLAIN: Memory = {
  id: "k3v9m2x7q0ab",
  type: "decision",
  title: "Tokens live 15 minutes",
  text: "Since mobile clients refresh in the background.",
  tags: [],
  anchors: [],
  by: "person",
  at: AT,
  evidence: [],
  supersedes: [],
};
const FULL: Memory = {
  ...PLAIN,
  title: 'Quotes "and": colons, #signs — and ünïcode',
  text: "# Why\n\n---\nid: nothing\n---\n\n- one\n",
  project: { key: "remote:example.org/shop", name: 'shop: the "new" one', identity: "remote" },
  tags: ["auth", "mobile/ios"],
  anchors: [
    { path: "src/a b.ts" },
    {
      path: "src/auth.ts",
      symbol: "issue",
      lines: [3, 9],
      span: { count: 6, hash: "a".repeat(16), first: "_-b0".repeat(4) },
    },
    { path: "docs/x.md", lines: [1, 2], span: { count: 2, hash: "c".repeat(16), first: "d".repeat(16) } },
    { path: "/etc/hosts", span: { count: 2, hash: "c".repeat(16), first: "d".repeat(16) } },
  ],
  by: "claude-code",
  session: { agent: "claude-code", nativeId: "5e550000-1b2c-4d3e-8f40-000000000009" },
  evidence: ["k3v9m2x7q0aa", "k3v9m2x7q0ac"],
  from: AT - DAY,
  until: AT + DAY,
  supersedes: ["k3v9m2x7q0ad"],
  superseded: { by: "k3v9m2x7q0ae", at: AT + 1 },
};

describe("a memory's file", () => {
  it.each([
    ["with as little as there can be", PLAIN],
    ["with everything", { ...FULL, text: FULL.text.trimEnd() }],
  ])("%s comes back as it was", (_, memory) => {
    expect(parseMemory(formatMemory(memory))).toEqual(memory);
  });

  it("reads well", () => {
    expect(formatMemory({ ...PLAIN, tags: ["auth"], anchors: [{ path: "src/auth.ts", symbol: "issue" }] })).toBe(
      `---
id: k3v9m2x7q0ab
type: decision
title: Tokens live 15 minutes
tags: auth
file: src/auth.ts#issue
by: person
at: 2026-06-01T00:00:00.000Z
---

Since mobile clients refresh in the background.
`,
    );
  });

  it.each([
    ["no head", "Tokens live 15 minutes"],
    ["no id", formatMemory(PLAIN).replace(/^id:.*\n/m, "")],
    ["an id that is none", formatMemory(PLAIN).replace(/^id:.*$/m, "id: ../../x")],
    ["no title", formatMemory(PLAIN).replace(/^title:.*\n/m, "")],
    ["no date", formatMemory(PLAIN).replace(/^at:.*$/m, "at: soon")],
  ])("with %s is none", (_, text) => {
    expect(parseMemory(text)).toBeUndefined();
  });

  it("keeps what it understands of a head edited by hand", () => {
    const text = formatMemory(FULL)
      .replace(/^type:.*$/m, "type: wisdom")
      .replace(/^tags:.*$/m, "tags: Auth  two words,, #new")
      .replace(/^until:.*$/m, "until: whenever")
      .replaceAll("\n", "\r\n");
    const memory = parseMemory(text);
    expect(memory).toMatchObject({ type: "note", tags: ["auth", "new", "two", "words"] });
    expect(memory?.until).toBeUndefined();
  });
});

describe("a memory holds", () => {
  it.each([
    ["from when it was saved", {}, AT, true],
    ["not before that", {}, AT - 1, false],
    ["from a date on", { from: AT - DAY }, AT - DAY, true],
    ["not before the date", { from: AT + DAY }, AT + 1, false],
    ["before its end", { until: AT + DAY }, AT + DAY - 1, true],
    ["not from its end on", { until: AT + DAY }, AT + DAY, false],
    ["until it is superseded", { superseded: { by: "x", at: AT + 5 } }, AT + 4, true],
    ["not once it is", { superseded: { by: "x", at: AT + 5 } }, AT + 5, false],
  ])("%s", (_, more, at, expected) => {
    expect(holdsAt({ ...PLAIN, ...more }, at)).toBe(expected);
  });

  it.each([
    [{}, "current"],
    [{ from: AT + 2 }, "coming"],
    [{ until: AT }, "ended"],
    [{ superseded: { by: "x", at: AT } }, "superseded"],
  ])("%j: %s", (more, expected) => {
    expect(memoryState({ ...PLAIN, ...more }, AT + 1)).toBe(expected);
  });
});
