import { describe, expect, it } from "vitest";
import { entriesIn, readUiLog } from "./ui-log.ts";

const RULES = { inputMayHoldCache: false };
const T = 1767258000000;

describe("readUiLog", () => {
  it("dates a message by the entries that were made after the one before it", () => {
    const log = readUiLog(
      [
        entry(1, "text", -1, "begin"),
        entry(5, "api_req_started", -1),
        entry(9, "reasoning", 0),
        entry(11, "text", 0),
        entry(20, "tool", 1),
        entry(25, "user_feedback", 1, "no"),
        entry(30, "api_req_started", 1),
        entry(40, "command_output", 3),
        entry(41, "api_req_started", 3),
      ],
      RULES,
    );
    const times = [0, 1, 2, 3, 4, 5].map((position) =>
      log.timeOf(position, position % 2 === 0 ? "user" : "assistant", 1),
    );
    expect(times).toEqual([T + 1, T + 9, T + 25, undefined, T + 41, undefined]);
    expect([0, 1, 2].map(log.typedAt)).toEqual(["begin", undefined, "no"]);
    expect(log.startedAt).toBe(T + 1);
  });

  it("takes the nth request where entries name no position", () => {
    const log = readUiLog([entry(1, "task"), entry(5, "api_req_started"), entry(9, "api_req_started")], RULES);
    expect(log.timeOf(0, "user", 1)).toBe(T + 1);
    expect(log.timeOf(2, "user", 2)).toBe(T + 9);
    expect(log.timeOf(3, "assistant", 2)).toBe(T + 9);
    expect(log.timeOf(4, "user", 3)).toBeUndefined();
  });

  it.each([
    ["apart", false, { tokensIn: 10, cacheReads: 5, cacheWrites: 2 }, 10],
    ["apart, though it could hold it", false, { tokensIn: 100, cacheReads: 5, cacheWrites: 2 }, 100],
    ["within", true, { tokensIn: 100, cacheReads: 5, cacheWrites: 2 }, 93],
    ["apart, since it is too small to hold it", true, { tokensIn: 6, cacheReads: 5, cacheWrites: 2 }, 6],
    ["not at all, in text", true, { tokensIn: "6" }, 6],
  ])("counts what was cached %s", (_, inputMayHoldCache, counts, input) => {
    const text = JSON.stringify({ tokensOut: 3, ...counts });
    const [request] = readUiLog([entry(1, "api_req_started", -1, text)], { inputMayHoldCache }).requests;
    expect(request).toMatchObject({ at: T + 1, usage: { input, output: 3 } });
  });

  it.each([undefined, "", "{", "{}", "[null, 1]"])("knows nothing of %j", (text) => {
    const log = readUiLog(entriesIn(text), RULES);
    expect(log.requests).toEqual([]);
    expect(log.timeOf(0, "user", 1)).toBeUndefined();
  });
});

function entry(seconds: number, say: string, conversationHistoryIndex?: number, text?: string): object {
  return { ts: T + seconds, type: "say", say, conversationHistoryIndex, text };
}
