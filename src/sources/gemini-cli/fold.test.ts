import { describe, expect, it } from "vitest";
import { type Entry, textKey } from "../gemini-format/entry.ts";
import { textsOf } from "../gemini-format/parts.ts";
import { Fold } from "./fold.ts";

/** Records of a log in short: a message as `id: text`, or the record itself. */
type Step = string | Readonly<Record<string, unknown>>;

const OPENING = "env: <session_context>";

describe("a fold tells each thing once", () => {
  it.each<{ what: string; steps: readonly Step[]; told: readonly string[] }>([
    { what: "a message that is written again", steps: ["u1: a", "m1: ", "m1: b"], told: ["u1: a", "m1: b"] },
    {
      what: "a prompt that is stopped and taken out of the history",
      steps: [set(OPENING), "u1: a", "m1: b", "u2: c", set(OPENING, "u1: a", "m1: b"), "u3: d"],
      told: ["u1: a", "m1: b", "u2: c", "u3: d"],
    },
    {
      what: "a prompt that is stopped and typed anew",
      steps: [set(OPENING), "u1: a", set(OPENING), "u2: a", "m2: b"],
      told: ["u1: a", "u2: a", "m2: b"],
    },
    {
      what: "the same prompt twice, of which the second is stopped",
      steps: [set(OPENING), "u1: go on", "m1: b", "u2: go on", set(OPENING, "u1: go on", "m1: b")],
      told: ["u1: go on", "m1: b", "u2: go on"],
    },
    {
      what: "a history replaced by a summary and the end of it",
      steps: [
        OPENING,
        "u1: a",
        "m1: b",
        "u2: c",
        "m2: d",
        set(OPENING, "u8: sum", "m8: ok", "u9: c", "m9: d"),
        "u3: c",
      ],
      told: ["u1: a", "m1: b", "u2: c", "m2: d", "u8: sum", "m8: ok", "u3: c"],
    },
    {
      what: "a history written again as lines before it is replaced",
      steps: [
        OPENING,
        "u1: a",
        "m1: b",
        "env2: <session_context>",
        "u8: a",
        "m8: b",
        set("env2: ", "u8: a", "m8: b"),
        "u2: a",
      ],
      told: ["u1: a", "m1: b", "u2: a"],
    },
    {
      what: "the same, told as differences",
      steps: [OPENING, "u1: a", "m1: b", "u8: a", "m8: b", { $patch: { removeIds: ["u1", "m1"] } }, "u2: a"],
      told: ["u1: a", "m1: b", "u2: a"],
    },
    {
      what: "parts of a history that is written again with neighbours in one",
      steps: [
        OPENING,
        "u1: a",
        "m1: b",
        "m2: c",
        { $set: { messages: [both("u8", "user", "<session_context>", "a"), both("m8", "gemini", "b", "c")] } },
      ],
      told: ["u1: a", "m1: b", "m2: c"],
    },
    {
      what: "an earlier end of the history that is brought back",
      steps: [OPENING, "u1: a", "m1: b", set(OPENING, "u7: sum"), "u2: c", set(OPENING, "u8: a", "m8: b"), "u3: d"],
      told: ["u1: a", "m1: b", "u7: sum", "u2: c", "u3: d"],
    },
    {
      what: "messages that a differing rewrite leaves where they are",
      steps: [OPENING, "u1: a", "m1: b", "u2: a", { $patch: { removeIds: ["m1"] } }],
      told: ["u1: a", "m1: b", "u2: a"],
    },
    {
      what: "what was taken back, with a mark",
      steps: ["u1: a", "m1: b", "u2: c", { $rewindTo: "u2" }, "u3: c", { $rewindTo: "unknown" }, "u4: a"],
      told: ["u1: a", "m1: b", "u2: c", "<u2 1", "u3: c", "<unknown 2", "u4: a"],
    },
    { what: "nothing of a rewind in an empty log", steps: [{ $rewindTo: "u1" }, "u1: a"], told: ["u1: a"] },
  ])("$what", ({ steps, told }) => {
    const fold = new Fold();
    for (const step of steps) fold.apply(typeof step === "string" ? message(step) : step);
    expect(
      [...fold.steps()].flatMap((step) => ("target" in step ? [`<${step.target} ${step.prompts}`] : said(step))),
    ).toEqual(told);
  });

  it("and keeps the latest facts, without the messages", () => {
    const fold = new Fold();
    fold.apply({ sessionId: "s", projectHash: "h", startTime: "t" });
    fold.apply({ $set: { summary: "first", messages: [] } });
    fold.apply({ $set: { summary: "second" } });
    expect(fold.header).toEqual({ sessionId: "s", projectHash: "h", startTime: "t", summary: "second" });
  });
});

describe("textKey", () => {
  it.each([
    ["user", " a\n", "user:a"],
    ["gemini", "a\u200b b", "model:a b"],
    ["gemini", "a<!-- x --> b<!-- y", "model:a b<!-- y"],
  ])("of a %s's %j is %j", (type, text, key) => {
    expect(textKey(type, text)).toBe(key);
  });
});

function message(short: string): Record<string, unknown> {
  const at = short.indexOf(": ");
  const id = short.slice(0, at);
  return { id, type: id.startsWith("m") ? "gemini" : "user", content: [{ text: short.slice(at + 2) }] };
}

function both(id: string, type: string, ...texts: string[]): Record<string, unknown> {
  return { id, type, content: texts.map((text) => ({ text })) };
}

function set(...messages: string[]): Record<string, unknown> {
  return { $set: { messages: messages.map(message) } };
}

function said({ id, message: { type, content }, repeats }: Entry): string[] {
  return textsOf(content)
    .filter((text) => !text.startsWith("<session_context>") && !repeats.has(textKey(type, text)))
    .map((text) => `${id}: ${text}`);
}
