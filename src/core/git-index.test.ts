import { describe, expect, it } from "vitest";
import { findInIndex } from "./git-index.ts";

interface Entry {
  readonly name: string;
  readonly size?: number;
  readonly seconds?: number;
  readonly isExtended?: boolean;
}

/** As git writes versions 2 and 3. */
function indexOf(entries: readonly Entry[], version = 2): Buffer {
  const head = Buffer.alloc(12);
  head.write("DIRC");
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(entries.length, 8);
  const bodies = entries.map(({ name, size = 1, seconds = 1, isExtended = false }) => {
    const length = Buffer.byteLength(name);
    const start = isExtended ? 64 : 62;
    const body = Buffer.alloc((start + length + 8) & ~7);
    body.writeUInt32BE(seconds, 8);
    body.writeUInt32BE(500, 12);
    body.writeUInt32BE(size, 36);
    body.writeUInt16BE((isExtended ? 0x4000 : 0) | Math.min(length, 0x0fff), 60);
    body.write(name, start);
    return body;
  });
  return Buffer.concat([head, ...bodies, Buffer.alloc(20)]);
}

describe("looking files up in git's index", () => {
  it("finds those that are tracked, with size and time", () => {
    const index = indexOf([
      { name: "README.md", size: 10, seconds: 7 },
      { name: "src/a.ts", size: 20 },
      { name: "src/ünïcode.ts", size: 30 },
      { name: "x", size: 40 },
    ]);
    const found = findInIndex(index, new Set(["src/ünïcode.ts", "README.md", "src/b.ts", "x"]));
    expect(found).toEqual(
      new Map([
        ["README.md", { seconds: 7, nanoseconds: 500, size: 10 }],
        ["src/ünïcode.ts", { seconds: 1, nanoseconds: 500, size: 30 }],
        ["x", { seconds: 1, nanoseconds: 500, size: 40 }],
      ]),
    );
  });

  it("reads entries with further flags, and names that are longer than the flags can tell", () => {
    const long = `src/${"a".repeat(5_000)}.ts`;
    const index = indexOf(
      [{ name: "added.ts", isExtended: true, size: 3 }, { name: long, size: 4 }, { name: "z.ts" }],
      3,
    );
    expect([...(findInIndex(index, new Set(["added.ts", long, "z.ts"])) ?? [])].map(([, { size }]) => size)).toEqual([
      3, 4, 1,
    ]);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["another file", Buffer.from("not an index at all, but some text")],
    ["names spelt by what they share", indexOf([{ name: "a" }], 4)],
    ["half of it", indexOf([{ name: "a" }, { name: "b" }]).subarray(0, 80)],
  ])("says that it cannot tell: %s", (_, index) => {
    expect(findInIndex(index, new Set(["a"]))).toBeUndefined();
  });
});
