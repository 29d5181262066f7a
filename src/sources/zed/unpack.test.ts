import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCutter } from "./shorten.ts";
import { unpack } from "./unpack.ts";

describe("unpack", () => {
  const thread = { title: "Tides ☂", messages: [{ Text: "x".repeat(5_000) }] };

  it.each([
    { what: "plain", data: plain(thread), type: "json" },
    { what: "compressed", data: frame(plain(thread)), type: "zstd" },
  ])("gives what is in $what data", ({ data, type }) => {
    expect(unpack(data, type)).toEqual(thread);
  });

  it.each([
    { what: "is damaged", data: frame(plain(thread)).subarray(0, 40), type: "zstd" },
    { what: "is not compressed as it says", data: plain(thread), type: "zstd" },
    { what: "is no JSON", data: Buffer.from("{half"), type: "json" },
    { what: "is empty", data: new Uint8Array(), type: "zstd" },
    { what: "asks for a window of gigabytes", data: Buffer.from("28b52ffd00b8", "hex"), type: "zstd" },
  ])("gives nothing where data $what", ({ data, type }) => {
    expect(unpack(data, type)).toBeUndefined();
  });

  it("cuts long strings, and gives up what is long without them", () => {
    const limits = { stringBytes: [1_000, 100], maxBytes: 400 };
    expect(unpack(frame(plain(thread)), "zstd", limits)).toEqual({
      title: "Tides ☂",
      messages: [{ Text: `${"x".repeat(100)} […cut…]` }],
    });
    expect(unpack(plain({ list: Array.from({ length: 300 }, (_, n) => n) }), "json", limits)).toBeUndefined();
  });
});

describe("createCutter", () => {
  const shortened = (json: string, maxBytes: number, sizes: readonly number[]): unknown => {
    const shorten = createCutter(maxBytes);
    const bytes = Buffer.from(json);
    const out: Uint8Array[] = [];
    let at = 0;
    for (const size of [...sizes, bytes.length]) {
      out.push(...shorten(bytes.subarray(at, at + size)));
      at += size;
    }
    return JSON.parse(Buffer.concat(out).toString("utf8"));
  };

  it("leaves JSON with short strings as it is, however it comes in pieces", () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.integer({ min: 1, max: 9 })), (json, sizes) => {
        expect(shortened(json, 10_000, sizes)).toEqual(JSON.parse(json));
      }),
    );
  });

  it("keeps the beginning of a long string, and all that stands beside it", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.array(fc.integer({ min: 1, max: 9 })), (first, second, sizes) => {
        const value = [{ first }, second, 7];
        const limit = 12;
        const kept = (part: unknown, whole: string) => {
          const beginning = String(part).replace(/ \[…cut…\]$/, "");
          if (Buffer.byteLength(JSON.stringify(whole)) - 2 <= limit) expect(part).toBe(whole);
          expect(whole.startsWith(beginning)).toBe(true);
        };
        const [object, other, number] = shortened(JSON.stringify(value), limit, sizes) as [
          { first: string },
          string,
          number,
        ];
        kept(object.first, first);
        kept(other, second);
        expect(number).toBe(7);
      }),
    );
  });
});

function plain(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** A Zstandard frame of one block that is not compressed (RFC 8878, sections 3.1.1 and 3.1.1.2). */
function frame(content: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const block = Buffer.alloc(3);
  block.writeUIntLE((content.length << 3) | 1, 0, 3);
  return Buffer.concat([header, block, content]);
}
