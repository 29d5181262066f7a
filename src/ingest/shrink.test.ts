import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createShrinker, type ShrinkLimits } from "./shrink.ts";

const MARKER = / \[…cut (\d+) bytes…\] /;

function shrink(json: string, limits: ShrinkLimits, pieceBytes = Number.POSITIVE_INFINITY): string {
  const shrinker = createShrinker(limits);
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) shrinker.push(bytes.subarray(at, at + pieceBytes));
  return shrinker.finish()?.toString() ?? "too long";
}

/** As writers that know ASCII only put it. */
const toAscii = (json: string): string =>
  json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("createShrinker", () => {
  it("keeps the head and the end of a long string, and says what is gone", () => {
    const text = Array.from({ length: 400 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
    const { a, b } = JSON.parse(shrink(JSON.stringify({ a: text, b: "short" }), { maxStringBytes: 80 }));
    const [head = "", cut = "", tail = ""] = a.split(MARKER);
    expect(head).toBe(text.slice(0, 60));
    expect(tail.length).toBeGreaterThan(10);
    expect(tail.length).toBeLessThanOrEqual(20);
    expect(text.endsWith(tail)).toBe(true);
    expect(Number(cut)).toBe(400 - head.length - tail.length);
    expect(b).toBe("short");
  });

  it("keeps a string of just the limit", () => {
    const json = JSON.stringify(["x".repeat(80), "y".repeat(79)]);
    expect(shrink(json, { maxStringBytes: 80 })).toBe(json);
  });

  it("cuts long keys", () => {
    const value = JSON.parse(shrink(JSON.stringify({ ["k".repeat(500)]: 1, short: 2 }), { maxStringBytes: 80 }));
    const [long = "", short] = Object.keys(value);
    expect(long).toMatch(MARKER);
    expect(short).toBe("short");
    expect(value).toEqual({ [long]: 1, short: 2 });
  });

  it.each([
    ["an escape", "\\n"],
    ["an escaped quote", '\\"'],
    ["an escaped backslash", "\\\\"],
    ["an escape in hexadecimal", "\\u00e9"],
    ["a surrogate pair", "\\ud83d\\ude00"],
    ["a surrogate pair in capitals", "\\uD83D\\uDE00"],
    ["two bytes", "é"],
    ["three bytes", "鍵"],
    ["four bytes", "😀"],
  ])("never cuts %s in two", (_, unit) => {
    const character = JSON.parse(`"${unit}"`);
    for (let before = 0; before < 14; before++) {
      const json = `["${"a".repeat(before)}${unit.repeat(200)}"]`;
      const [text] = JSON.parse(shrink(json, { maxStringBytes: 80 }));
      const [head = "", cut, tail = ""] = text.split(MARKER);
      expect(head.replaceAll(character, "")).toBe("a".repeat(before));
      expect(tail.replaceAll(character, "")).toBe("");
      const kept = (head.length - before + tail.length) / character.length;
      expect(Number(cut)).toBe((200 - kept) * Buffer.byteLength(unit));
    }
  });

  it("gives up where the structure itself is too long", () => {
    const json = JSON.stringify(Array.from({ length: 1000 }, (_, at) => at));
    expect(shrink(json, { maxResultBytes: 1000 })).toBe("too long");
    expect(shrink(json, { maxResultBytes: json.length })).toBe(json);
  });

  it("copies what is not JSON", () => {
    const torn = '{"a": "unfinished \\u00';
    expect(shrink(torn, {})).toBe(torn);
    expect(shrink("plain words", {})).toBe("plain words");
  });

  const longString = fc
    .tuple(fc.string({ unit: "binary", maxLength: 20 }), fc.string({ unit: "grapheme", maxLength: 5 }), fc.nat(40))
    .map(([once, often, times]) => once + often.repeat(times));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      longString,
      fc.jsonValue(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(longString, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const json = fc
    .tuple(value, fc.constantFrom(0, 1), fc.boolean())
    .map(([tree, indent, ascii]) =>
      ascii ? toAscii(JSON.stringify(tree, null, indent)) : JSON.stringify(tree, null, indent),
    );

  it("keeps structure and short strings of any JSON", () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 16, max: 64 }), (text, maxStringBytes) => {
        const literals = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
        const shrunk = shrink(text, { maxStringBytes });
        const found = shrunk.match(/"(?:[^"\\]|\\.)*"/g) ?? [];

        // Structure: all that is not inside a string.
        expect(shrunk.replace(/"(?:[^"\\]|\\.)*"/g, '""')).toBe(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
        expect(() => JSON.parse(shrunk)).not.toThrow();
        literals.forEach((literal, at) => {
          const kept = found[at] ?? "";
          if (Buffer.byteLength(literal) - 2 <= maxStringBytes) expect(kept).toBe(literal);
          else if (kept !== literal) expectCut(JSON.parse(literal), JSON.parse(kept));
        });
      }),
      { numRuns: 500 },
    );
  });

  function expectCut(whole: string, cut: string): void {
    const [head = "", , tail = ""] = cut.split(MARKER);
    expect(whole.startsWith(head)).toBe(true);
    expect(whole.endsWith(tail)).toBe(true);
    expect(head + tail).not.toBe(whole);
    if (isWellFormed(whole)) expect(isWellFormed(cut)).toBe(true);
  }

  function isWellFormed(text: string): boolean {
    return Buffer.from(text).toString() === text;
  }

  it("gives the same whatever the pieces", () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 16, max: 64 }), (text, maxStringBytes) => {
        const whole = shrink(text, { maxStringBytes });
        expect(shrink(text, { maxStringBytes }, 1)).toBe(whole);
        expect(shrink(text, { maxStringBytes }, 2)).toBe(whole);
        expect(shrink(text, { maxStringBytes }, 7)).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same wherever two pieces meet, also in bytes that are not UTF-8", () => {
    const bytes = Buffer.concat([
      Buffer.from(`{"a":"${"é鍵😀\\ud83d\\ude00\\n\\\\".repeat(12)}","b":"`),
      Buffer.alloc(150, 0x80),
      Buffer.from('","c":[1,"x"]}'),
    ]);
    const shrinkIn = (...pieces: readonly Buffer[]): string | undefined => {
      const shrinker = createShrinker({ maxStringBytes: 48 });
      for (const piece of pieces) shrinker.push(piece);
      return shrinker.finish()?.toString("latin1");
    };
    const whole = shrinkIn(bytes);
    for (let at = 0; at <= bytes.length; at++) expect(shrinkIn(bytes.subarray(0, at), bytes.subarray(at))).toBe(whole);
  });
});
