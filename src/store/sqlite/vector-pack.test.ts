import { describe, expect, it } from "vitest";
import type { VectorEntry } from "../vectors.ts";
import { entryAt, packVectors, unpackVectors, vectorAt } from "./vector-pack.ts";

const ENTRIES: readonly VectorEntry[] = [
  { observation: 7, lastSeq: 3, vector: { values: Int8Array.of(127, -127, 0), scale: Math.fround(0.0123) } },
  { observation: 8, lastSeq: 90 },
  { observation: 4_000_000_000, lastSeq: 91, vector: { values: Int8Array.of(-1, 2, -3), scale: 0.25 } },
];

describe("packVectors", () => {
  it.each([0, 1, 3])("gives back the first %d as they were, also where the bytes stand anywhere", (count) => {
    const entries = ENTRIES.slice(0, count);
    const packed = packVectors(entries, 3);
    const moved = new Uint8Array(packed.length + 3).subarray(3);
    moved.set(packed);
    for (const bytes of [packed, moved]) {
      const pack = unpackVectors(bytes, 3);
      if (pack === undefined) throw new Error("not unpacked");
      expect(Array.from({ length: pack.count }, (_, index) => entryAt(pack, index))).toEqual(entries);
    }
  });

  it("takes a vector of another length for none", () => {
    const [first] = ENTRIES;
    const pack = unpackVectors(packVectors(first === undefined ? [] : [first], 4), 4);
    expect(pack && vectorAt(pack, 0)).toBeUndefined();
  });

  it("is the same bytes for the same entries", () => {
    expect(packVectors(ENTRIES, 3)).toEqual(packVectors(ENTRIES, 3));
  });
});

describe("unpackVectors", () => {
  const packed = packVectors(ENTRIES, 3);
  const otherVersion = Uint8Array.from(packed);
  otherVersion[0] = 9;
  it.each([
    ["what is no bytes", "text", 3],
    ["nothing", undefined, 3],
    ["less than a head", packed.subarray(0, 11), 3],
    ["one that was cut off", packed.subarray(0, packed.length - 1), 3],
    ["one with something behind it", Buffer.concat([packed, Buffer.of(0)]), 3],
    ["one of vectors of another length", packed, 4],
    ["one of another version", otherVersion, 3],
  ])("takes %s for missing", (_, column, dims) => {
    expect(unpackVectors(column, dims)).toBeUndefined();
  });
});
