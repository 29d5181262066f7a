import { describe, expect, it } from "vitest";
import { measureArguments } from "./record-call.ts";

describe("arguments in the record of calls", () => {
  it.each<[unknown, readonly object[]]>([
    [
      { query: "secret words", limit: 10 },
      [
        { name: "query", chars: 12 },
        { name: "limit", chars: 2 },
      ],
    ],
    [{ ids: ["a", "b"] }, [{ name: "ids", chars: 9 }]],
    [{ "my password is": "hunter2", other: "12" }, [{ name: "?", chars: 9 }]],
    [
      { query: undefined, limit: null },
      [
        { name: "query", chars: 0 },
        { name: "limit", chars: 4 },
      ],
    ],
    ["text", []],
    [undefined, []],
  ])("%j are names and lengths", (given, expected) => {
    expect(measureArguments(given, ["query", "limit", "ids"])).toEqual(expected);
  });
});
