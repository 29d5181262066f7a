import { describe, expect, it } from "vitest";
import type { Memory } from "../core/memory.ts";
import { saysTheSame, similarTo } from "./similar.ts";

const memory = (id: string, text: string): Memory => ({
  id,
  type: "decision",
  title: text,
  text,
  tags: [],
  anchors: [],
  by: "person",
  at: 0,
  evidence: [],
  supersedes: [],
});

const TOKENS = memory("a", "Access tokens live 15 minutes because mobile clients refresh in the background");

describe("memories that seem to say the same", () => {
  it.each([
    ["other words around it", "Decided: access tokens live 15 minutes, because clients refresh in the background"],
    ["another order", "Because mobile clients refresh in the background, tokens live 15 minutes"],
    ["another number", "Access tokens live 60 minutes because mobile clients refresh in the background"],
  ])("are told: %s", (_, text) => {
    expect(similarTo(memory("b", text), [TOKENS])).toEqual([TOKENS]);
  });

  it.each([
    ["another matter", "Retries are capped at three because the queue doubles the load in the background"],
    ["a few words that are everywhere", "In the background"],
    ["another part of the same", "Refresh tokens are rotated on every use and stored hashed"],
  ])("are not: %s", (_, text) => {
    expect(similarTo(memory("b", text), [TOKENS])).toEqual([]);
  });

  it("are told in order of likeness, and then of id", () => {
    const near = memory("z", "Access tokens live 15 minutes because mobile clients refresh in background jobs");
    const far = [
      memory("d", "Tokens live 15 minutes because clients refresh"),
      memory("c", "Tokens live 15 minutes because clients refresh"),
    ];
    expect(similarTo(TOKENS, [...far, near, TOKENS]).map(({ id }) => id)).toEqual(["z", "c", "d"]);
  });

  it("say the very same but for case, signs and blanks", () => {
    expect(saysTheSame(TOKENS, memory("b", `${TOKENS.text.toUpperCase()} !`))).toBe(true);
    expect(saysTheSame(TOKENS, memory("b", `${TOKENS.text} only`))).toBe(false);
    expect(saysTheSame(TOKENS, { ...TOKENS, type: "note" })).toBe(false);
  });
});
