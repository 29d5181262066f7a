import { describe, expect, it } from "vitest";
import { currentSessions } from "./current-session.ts";

describe("currentSessions", () => {
  it.each([
    ["nothing is known", undefined, undefined, []],
    ["the agent set it for the server", undefined, "abc", ["abc"]],
    [
      "Codex sends it with the call",
      { "x-codex-turn-metadata": { session_id: "s1", thread_id: "t1" } },
      undefined,
      ["s1", "t1"],
    ],
    ["Codex sends it as JSON", { "x-codex-turn-metadata": '{"session_id":"s1"}' }, undefined, ["s1"]],
    ["only the thread is known", { threadId: "t1" }, undefined, ["t1"]],
    ["all say the same", { "x-codex-turn-metadata": { session_id: "s1" }, threadId: "s1" }, "s1", ["s1"]],
    ["the metadata is broken", { "x-codex-turn-metadata": "{", threadId: 7 }, undefined, []],
    ["the id is absurdly long", { threadId: "x".repeat(201) }, "", []],
  ])("when %s", (_, meta, started, expected) => {
    expect(currentSessions(meta, started)).toEqual(expected);
  });
});
