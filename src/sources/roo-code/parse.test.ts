import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readItems } from "../../../test/support/read-items.ts";
import { rooCode } from "./source.ts";

describeFixtures(rooCode);

describe("a subtask", () => {
  it("is its parent's subagent, asked by it and then by a person", () => {
    const [, child] = fixtureFiles(rooCode, "subtask").map((file) => readItems(rooCode, file));
    const session = child?.items.find(({ kind }) => kind === "session");
    expect(session).toMatchObject({
      parent: { session: "0a1b2c3d-0000-4000-8000-000000000001", relation: "subagent" },
    });
    const roles = messagesIn(child?.items ?? []).map(({ role }) => role);
    expect(roles.filter((role) => role === "system" || role === "human")).toEqual(["system", "human"]);
  });
});

describe("a condensed task", () => {
  it("tells what was condensed, the summaries, and each call once", () => {
    const said = fixtureFiles(rooCode, "condensed").flatMap((file) => messagesIn(readItems(rooCode, file).items));
    expect(said.filter(({ role }) => role === "summary").map(({ text }) => text)).toEqual([
      "The coast is mapped to the north.",
      "## Conversation Summary\nAll of the coast is mapped.",
    ]);
    expect(said.filter(({ part }) => part === "call")).toHaveLength(1);
    expect(said.filter(({ role }) => role === "human").map(({ text }) => text)).toEqual([
      "map the coast",
      "now the south",
    ]);
  });
});
