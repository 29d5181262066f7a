import { describe, expect, it } from "vitest";
import { isoTime, toJson } from "./json.ts";

describe("toJson", () => {
  it.each(["half \ud83d of a pair", "\udc00", "whole 🎉 pair"])("has no half surrogate pair: %j", (text) => {
    const json = toJson({ text });
    expect(json).not.toMatch(/\p{Surrogate}|\\ud[89a-f]/iu);
    expect(JSON.parse(json)).toEqual({ text: text.replace(/\p{Surrogate}/gu, "\ufffd") });
  });

  it("has none in names of fields either, and leaves an escape that was typed as it is", () => {
    const json = toJson({ "half \ud83d": "\\ud83d \\\\udc00" });
    expect(json).not.toMatch(/[^\\]\\ud[89a-f]/i);
    expect(JSON.parse(json)).toEqual({ "half \ufffd": "\\ud83d \\\\udc00" });
  });

  it("escapes what a terminal acts on and leaves the value the same", () => {
    const text = "\u001b[31m \u009b31m \u202e \u200b \u2028";
    const json = toJson({ text });
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual({ text });
  });

  it("is one line, or indented for a person", () => {
    expect(toJson({ a: [1] })).toBe('{"a":[1]}');
    expect(toJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  });
});

describe("isoTime", () => {
  it.each([
    [0, "1970-01-01T00:00:00.000Z"],
    [undefined, null],
    [Number.NaN, null],
    [9e15, null],
  ])("writes %s as %s", (at, expected) => {
    expect(isoTime(at)).toBe(expected);
  });
});
