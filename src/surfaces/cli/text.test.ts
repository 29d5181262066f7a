import { describe, expect, it } from "vitest";
import { block, cut, displayWidth, oneLine, pad, wrap } from "./text.ts";

const FAMILY = "👨‍👩‍👧";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["日本語", 6],
    ["한국어 ok", 9],
    ["ＦＵＬＬ", 8],
    ["🎉 done", 7],
    ["𠮷野家", 6],
    ["→ … █", 5],
  ])("counts the columns of %j as %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("cut", () => {
  it.each([
    ["short", 5, "short"],
    ["shorter", 5, "shor…"],
    ["two words", 5, "two…"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["日本語", 1, "…"],
    ["any", 0, ""],
    ["any", Number.POSITIVE_INFINITY, "any"],
  ])("cuts %j to %d columns: %j", (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it("never splits a surrogate pair", () => {
    expect(cut(`a${FAMILY}${FAMILY}`, 4)).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("pad", () => {
  it.each([
    ["日本", 6, "left" as const, "日本  "],
    ["日本", 6, "right" as const, "  日本"],
    ["too long", 3, "left" as const, "too long"],
  ])("pads %j to %i columns, %s", (text, width, align, expected) => {
    expect(pad(text, width, align)).toBe(expected);
  });
});

describe("wrap", () => {
  const lines = (text: string, width: number) => wrap(text, width).map(([start, end]) => text.slice(start, end));

  it.each([
    ["one two three", 7, ["one two ", "three"]],
    ["one two three", 8, ["one two ", "three"]],
    ["one two three", Number.POSITIVE_INFINITY, ["one two three"]],
    ["unbreakable", 4, ["unbr", "eaka", "ble"]],
    ["a unbreakable", 4, ["a ", "unbr", "eaka", "ble"]],
    ["日本語日本語", 5, ["日本", "語日", "本語"]],
    ["日本", 1, ["日", "本"]],
    ["", 10, []],
  ])("wraps %j at %d", (text, width, expected) => {
    expect(lines(text, width)).toEqual(expected);
  });

  it("loses no character", () => {
    const text = "  leading, a-very-long-word-in-the-middle and 🎉 trailing  ";
    for (let width = 1; width < 30; width += 1) expect(lines(text, width).join("")).toBe(text);
  });
});

describe("stored text", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["two\nlines\tand\r\nmore", "two lines and more"],
    ["  padded  ", "padded"],
    ["\u202eright to left", "right to left"],
  ])("%j becomes the safe line %j", (text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });

  it("keeps its lines as a block, with line ends of one kind", () => {
    expect(block("a\r\n  b\u001b[2J\rc\n\n")).toBe("a\n  b\nc");
  });
});
