import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitElements } from "./elements.ts";

describe("objects of a JSON text", () => {
  it.each([
    { what: "an array", text: '[{"a":1},{"b":[{"c":2}]}]', found: [{ a: 1 }, { b: [{ c: 2 }] }] },
    { what: "a mark before it", text: '\uFEFF [ {"a":1} ]', found: [{ a: 1 }] },
    { what: "one object", text: '{"a":{"b":[1]}}', found: [{ a: { b: [1] } }] },
    { what: "JSON Lines", text: '{"a":1}\n{"b":2}\n', found: [{ a: 1 }, { b: 2 }] },
    { what: "other values between", text: '[null,1,"{",[{"a":1}],{"b":2}]', found: [{ b: 2 }] },
    { what: "braces and quotes in strings", text: '[{"a":"}]\\"{\\\\"}]', found: [{ a: '}]"{\\' }] },
    { what: "an end that is missing", text: '[{"a":1},{"b":', found: [{ a: 1 }] },
    { what: "nothing", text: "", found: [] },
    { what: "text", text: "Killed: 9", found: [] },
  ])("$what", ({ text, found }) => {
    for (const size of [1, 2, 3, 1_000]) expect(split(text, size)).toEqual(found);
  });

  it.each([
    { text: "", isWhole: true },
    { text: '[{"a":1}]', isWhole: true },
    { text: '{"a":1}\n', isWhole: true },
    { text: '[{"a":1}', isWhole: false },
    { text: '[{"a":1},{"b":"', isWhole: false },
    { text: '{"a":[', isWhole: false },
  ])("tells whether $text came to its end", ({ text, isWhole }) => {
    const elements = splitElements(pieces(text, 3));
    let next = elements.next();
    while (next.done !== true) next = elements.next();
    expect(next.value).toBe(isWhole);
  });

  it("are the same however the text is cut", () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 40 }), (values, size) => {
        expect(split(JSON.stringify(values), size)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it("that are too large are passed over, and told", () => {
    const text = JSON.stringify([{ a: "x".repeat(100) }, { b: 1 }]);
    const found = [...splitElements(pieces(text, 7), 50)].map((element) => element?.toString("utf8"));
    expect(found).toEqual([undefined, '{"b":1}']);
  });
});

function split(text: string, size: number): unknown[] {
  return [...splitElements(pieces(text, size))].map((element) => JSON.parse(element?.toString("utf8") ?? "null"));
}

/** Pieces of one buffer that is used again and again, as a file is read. */
function* pieces(text: string, size: number): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + size));
}
