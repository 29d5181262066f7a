import { describe, expect, it } from "vitest";
import { MutationLog } from "./mutation-log.ts";

const WHOLE = { kind: 0, v: { sessionId: "s", requests: [{ requestId: "a", response: [1, 2, 3] }] } };

describe("a log of changes", () => {
  it.each<{ what: string; entry: object; response: unknown }>([
    { what: "sets a value", entry: { kind: 1, k: at("response"), v: ["x"] }, response: ["x"] },
    { what: "sets one in a list", entry: { kind: 1, k: at("response", 1), v: "x" }, response: [1, "x", 3] },
    { what: "sets one behind the end", entry: { kind: 1, k: at("response", 3), v: "x" }, response: [1, 2, 3, "x"] },
    { what: "adds to a list", entry: { kind: 2, k: at("response"), v: [4, 5] }, response: [1, 2, 3, 4, 5] },
    { what: "cuts a list", entry: { kind: 2, k: at("response"), i: 1 }, response: [1] },
    { what: "cuts a list to nothing", entry: { kind: 2, k: at("response"), i: 0 }, response: [] },
    { what: "cuts a list and adds", entry: { kind: 2, k: at("response"), i: 1, v: [9] }, response: [1, 9] },
    { what: "cuts beyond the end", entry: { kind: 2, k: at("response"), i: 7, v: [9] }, response: [1, 2, 3, 9] },
    { what: "adds nothing", entry: { kind: 2, k: at("response") }, response: [1, 2, 3] },
    { what: "deletes", entry: { kind: 3, k: at("response") }, response: undefined },
    { what: "sets nothing", entry: { kind: 1, k: at("response") }, response: undefined },
    {
      what: "takes numbers that are text",
      entry: { kind: "2", k: ["requests", "0", "response"], i: "2" },
      response: [1, 2],
    },
  ])("$what", ({ entry, response }) => {
    const log = played(WHOLE, entry);
    expect(log.skips).toEqual([]);
    expect(log.chat).toEqual({ sessionId: "s", requests: [{ requestId: "a", response }] });
  });

  it.each<{ what: string; entry: object; skip: string }>([
    { what: "in nothing", entry: { kind: 1, k: ["requests", 3, "response"], v: 1 }, skip: "a change of nothing" },
    {
      what: "far behind the end",
      entry: { kind: 1, k: at("response", 100_000_000), v: 1 },
      skip: "a change of nothing",
    },
    { what: "of a list's length", entry: { kind: 1, k: at("response", "length"), v: 9 }, skip: "a change of nothing" },
    { what: "to what is no list", entry: { kind: 2, k: ["sessionId"], v: [1] }, skip: "a change of nothing" },
    { what: "of a prototype", entry: { kind: 1, k: ["__proto__", "x"], v: 1 }, skip: "a change of nothing" },
    { what: "of all", entry: { kind: 1, k: [], v: {} }, skip: "a change of nothing" },
    { what: "without a place", entry: { kind: 1, v: {} }, skip: "a change of nothing" },
    { what: "of another kind", entry: { kind: 4, k: ["sessionId"] }, skip: "kind-4" },
    { what: "to no chat", entry: { kind: 0, v: [] }, skip: "not a chat" },
  ])("passes over a change $what", ({ entry, skip }) => {
    const log = played(WHOLE, entry);
    expect(log.skips).toEqual([skip]);
    expect(log.chat).toEqual(WHOLE.v);
  });

  it("leaves drafts, which may hold pictures", () => {
    const log = played(
      { kind: 0, v: { sessionId: "s", inputState: { inputText: "a" }, pendingRequests: [] } },
      { kind: 1, k: ["inputState", "inputText"], v: "ab" },
    );
    expect(log).toEqual({ chat: { sessionId: "s", requests: [] }, skips: [] });
  });

  it("that lacks its beginning is followed from what is there", () => {
    const log = played({ kind: 2, k: ["requests"], v: [{ requestId: "a" }] }, { kind: 1, k: ["customTitle"], v: "T" });
    expect(log).toEqual({ chat: { requests: [{ requestId: "a" }], customTitle: "T" }, skips: [] });
  });

  it("that begins again keeps requests that the new beginning does not know", () => {
    const log = played(
      WHOLE,
      { kind: 0, v: { sessionId: "s", requests: [{ requestId: "b" }] } },
      { kind: 1, k: ["requests", 0, "response"], v: [7] },
    );
    expect(log.chat.requests).toEqual([
      { requestId: "a", response: [1, 2, 3] },
      { requestId: "b", response: [7] },
    ]);
  });

  it("leaves its records as they were", () => {
    const entries = [WHOLE, { kind: 2, k: at("response"), i: 0, v: [9] }, { kind: 1, k: ["sessionId"], v: "t" }];
    const before = JSON.stringify(entries);
    played(...entries);
    expect(JSON.stringify(entries)).toBe(before);
  });
});

function at(...path: readonly (string | number)[]): (string | number)[] {
  return ["requests", 0, ...path];
}

function played(...entries: readonly object[]) {
  const log = new MutationLog();
  const skips = entries.flatMap((entry) => log.apply({ ...entry })?.detail ?? []);
  return { chat: log.chat, skips };
}
