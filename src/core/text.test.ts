import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipLine, clipMiddle, estimateTokens, joinEnds, splitAtBorders } from "./text.ts";

/** Text with characters of two units, and with halves of them. */
const anyText = fc.string({ unit: "binary", maxLength: 400 });
const wholeText = fc.string({ unit: "grapheme", maxLength: 400 });
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

describe("clipMiddle", () => {
  it.each([
    ["short text stays", "0123456789", 10, "0123456789"],
    ["three quarters and one", "0123456789ab", 8, "012345\n[…cut 4 characters…]\nab"],
    ["no half characters", "01234😀789a😀", 8, "01234\n[…cut 6 characters…]\n😀"],
    ["a tail that would begin with half a character", "0123456789😀b", 8, "012345\n[…cut 6 characters…]\nb"],
    ["nothing kept", "abc", 0, "\n[…cut 3 characters…]\n"],
    ["what was clipped before stays", "012345\n[…cut 4 characters…]\nab", 8, "012345\n[…cut 4 characters…]\nab"],
  ])("%s", (_, text, limit, clipped) => {
    expect(clipMiddle(text, limit)).toBe(clipped);
  });

  it("says how much is missing, and splits no character", () => {
    fc.assert(
      fc.property(wholeText, fc.integer({ min: 0, max: 100 }), (text, limit) => {
        const clipped = clipMiddle(text, limit);
        const [, head, cut, tail] = /^([\s\S]*)\n\[…cut (\d+) characters…\]\n([\s\S]*)$/.exec(clipped) ?? [];
        if (text.length <= limit) expect(clipped).toBe(text);
        else {
          expect(Number(head?.length) + Number(cut) + Number(tail?.length)).toBe(text.length);
          expect(Number(head?.length) + Number(tail?.length)).toBeLessThanOrEqual(limit);
          expect(text.startsWith(head ?? "?") && text.endsWith(tail ?? "?") && isWhole(clipped)).toBe(true);
        }
      }),
    );
  });
});

describe("joinEnds", () => {
  it("counts what is missing of the whole", () => {
    expect(joinEnds("abcdefgh", "tuvwxyz", 8, 1_000)).toBe("abcdef\n[…cut 992 characters…]\nyz");
  });

  it("takes what there is", () => {
    expect(joinEnds("ab", "z", 100, 1_000)).toBe("ab\n[…cut 997 characters…]\nz");
  });
});

describe("clipLine", () => {
  it.each([
    ["a short line", "fix the login", 20, "fix the login"],
    ["one line of several", "fix\n\tthe   login ", 20, "fix the login"],
    ["cut at a word", "fix the login of the page", 15, "fix the login…"],
    ["cut within a long word", `fix ${"x".repeat(40)}`, 15, `fix ${"x".repeat(10)}…`],
    ["no half character", "0123456789abc😀😀😀", 15, "0123456789abc…"],
    ["space before everything", `${" ".repeat(500)}fix`, 20, "fix"],
    ["space after everything", `fix${" ".repeat(500)}`, 20, "fix"],
    ["much space between", `fix${" ".repeat(500)}it`, 20, "fix…"],
    ["empty", "", 10, ""],
  ])("%s", (_, text, limit, line) => {
    expect(clipLine(text, limit)).toBe(line);
  });

  it("is one line within the limit", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, limit) => {
        const line = clipLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line).not.toMatch(/[\n\r\t]| {2}|^ | $/);
      }),
    );
  });
});

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["abcd", 1],
    ["abcde", 2],
    ["配置文件", 4],
    ["ab配置cd", 3],
    ["한글", 2],
  ])("%j → %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});

describe("splitAtBorders", () => {
  it.each([
    ["short", "one two", 10, ["one two"]],
    ["empty", "", 10, [""]],
    ["at a blank line", "aaaa b\n\ncc dd", 10, ["aaaa b\n\n", "cc dd"]],
    ["at a line", "aaaaaaa\nb cc dd", 10, ["aaaaaaa\n", "b cc dd"]],
    ["at a sentence", "aaaaa. bb cc dd", 10, ["aaaaa. ", "bb cc dd"]],
    ["at a space", "aaaaa bb ccdddd", 10, ["aaaaa bb ", "ccdddd"]],
    ["not at a border that comes early", "a bbbbbbbbbbbbb", 10, ["a bbbbbbbb", "bbbbb"]],
    ["anywhere", "abcdefghijklm", 5, ["abcde", "fghij", "klm"]],
    ["not within a character", "abcd😀efgh", 5, ["abcd", "😀efg", "h"]],
  ])("%s", (_, text, limit, pieces) => {
    expect(splitAtBorders(text, limit)).toEqual(pieces);
  });

  it("loses nothing, keeps the limit, splits no character, and makes no small pieces", () => {
    fc.assert(
      fc.property(wholeText, fc.integer({ min: 4, max: 40 }), (text, limit) => {
        const pieces = splitAtBorders(text, limit);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) expect(piece.length <= limit && isWhole(piece)).toBe(true);
        for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeGreaterThanOrEqual(limit / 2 - 1);
      }),
    );
  });
});
