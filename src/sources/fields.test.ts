import { describe, expect, it } from "vitest";
import { hashOf, jsonOf, nameOf, numberOf, pairsOf, stringsOf, timeOf, tokensOf } from "./fields.ts";

const AT = Date.parse("2026-03-02T09:00:00.500Z");

describe("timeOf", () => {
  it.each([
    ["2026-03-02T09:00:00.500Z", AT],
    ["Mon, 02 Mar 2026 09:00:00 GMT", AT - 500],
    [AT, AT],
    [AT + 0.4, AT],
    [AT / 1_000, AT],
    [String(AT), AT],
    [String(AT / 1_000), AT],
    ["soon", undefined],
    ["", undefined],
    [0, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [1e18, undefined],
    [null, undefined],
    [{}, undefined],
  ])("of %j is %s", (value, time) => {
    expect(timeOf(value)).toBe(time);
  });
});

describe("numberOf and tokensOf", () => {
  it.each([
    [7, 7, 7],
    ["7", 7, 7],
    [" 7.6 ", 7.6, 8],
    [-7, -7, 0],
    ["", undefined, 0],
    [" ", undefined, 0],
    ["many", undefined, 0],
    [Number.POSITIVE_INFINITY, undefined, 0],
    [true, undefined, 0],
    [null, undefined, 0],
    [[7], undefined, 0],
  ])("of %j are %s and %s", (value, number, tokens) => {
    expect([numberOf(value), tokensOf(value)]).toEqual([number, tokens]);
  });
});

describe("names", () => {
  it("keep what is short, and have one length otherwise", () => {
    expect(nameOf("call_1")).toBe("call_1");
    expect(nameOf("")).toBeUndefined();
    expect(nameOf(7)).toBeUndefined();
    expect(nameOf("x".repeat(101))).toBe(hashOf("x".repeat(101)));
    expect(hashOf("x".repeat(100_000)).length).toBeLessThan(20);
  });

  it("are the same for texts that differ in white space alone", () => {
    expect(hashOf("why is\n the total  wrong?")).toBe(hashOf("why is the total wrong? "));
    expect(hashOf("why is the total wrong")).not.toBe(hashOf("why is the total wrong?"));
  });
});

describe("lists", () => {
  it("leave out what does not belong", () => {
    expect(stringsOf(["a", 1, null, "b"])).toEqual(["a", "b"]);
    expect(stringsOf({ 0: "a" })).toEqual([]);
    expect(pairsOf([["a", "b"], ["c"], "d", ["e", 1], ["f", "g", "h"]])).toEqual([
      ["a", "b"],
      ["f", "g"],
    ]);
    expect(pairsOf(undefined)).toEqual([]);
  });

  it("nested too deep to be written are no text", () => {
    const deep: unknown[] = [];
    let inner = deep;
    for (let depth = 0; depth < 50_000; depth++) {
      const next: unknown[] = [];
      inner.push(next);
      inner = next;
    }
    expect(jsonOf(deep)).toBe("");
    expect(jsonOf({ a: 1 })).toBe('{"a":1}');
  });
});
