import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OBSERVATION_TYPES } from "../../src/core/session.ts";

const LABELS = readFileSync(new URL("../../evals/types/labels.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): Record<string, string> => JSON.parse(line));

describe("labelled turns", () => {
  it("are ids and labels, and no text of anyone", () => {
    for (const label of LABELS) {
      expect(label).toEqual({
        agent: expect.stringMatching(/^[a-z-]{2,20}$/),
        session: expect.stringMatching(/^[\w-]{8,64}$/),
        message: expect.stringMatching(/^[0-9a-f]{24}$/),
        half: expect.stringMatching(/^(?:development|test)$/),
        type: expect.stringMatching(new RegExp(`^(?:${OBSERVATION_TYPES.join("|")})$`)),
        decision: expect.stringMatching(/^(?:stated|answered|none)$/),
      });
    }
  });

  it("are many, each once, of many agents", () => {
    expect(LABELS).toHaveLength(385);
    expect(new Set(LABELS.map(({ message }) => message)).size).toBe(385);
    expect(new Set(LABELS.map(({ agent }) => agent)).size).toBe(6);
  });

  it("have halves that share no session", () => {
    const halves = new Map<string, Set<string>>();
    for (const { session = "", half = "" } of LABELS) halves.set(session, (halves.get(session) ?? new Set()).add(half));
    expect([...halves.values()].filter((names) => names.size > 1)).toEqual([]);
  });
});
