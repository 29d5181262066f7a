import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bytesSource, openTokenTable, ROWS_PER_BLOCK, tokenTable, writeTokenTable } from "./token-table.ts";
import { numberOf } from "./vocabulary.ts";

const SHIPPED = join(import.meta.dirname, "../../assets/token-table.bin");

describe("the table that ships", () => {
  it("is the one that was built", () => {
    const sum = createHash("sha256").update(readFileSync(SHIPPED)).digest("hex");
    expect(`${sum}  token-table.bin\n`).toBe(readFileSync(`${SHIPPED}.sha256`, "utf8"));
  });

  it("has a row for each of BERT's pieces", () => {
    const { vocabulary, dims, weights, block } = tokenTable();
    expect(vocabulary.size).toBe(30_522);
    expect(["[PAD]", "[UNK]", "hello", "the"].map((name) => numberOf(vocabulary, name))).toEqual([0, 100, 7592, 1996]);
    expect(weights[100]).toBe(0);
    expect(weights[7592]).toBeGreaterThan(0);
    const last = Math.floor(30_521 / ROWS_PER_BLOCK);
    expect(block(last)).toHaveLength((30_522 - last * ROWS_PER_BLOCK) * dims);
  });

  it("is opened once", () => {
    expect(tokenTable()).toBe(tokenTable());
  });
});

describe("a table", () => {
  const pieces = Array.from({ length: ROWS_PER_BLOCK + 2 }, (_, index) => `p${index}`);
  const rows = Int8Array.from({ length: pieces.length * 3 }, (_, at) => (at % 256) - 128);
  const numbers = Float32Array.from(pieces.keys());
  const whole = writeTokenTable({ dims: 3, pieces, weights: numbers, scales: numbers.map((value) => value / 2), rows });

  it("is read as it was written", () => {
    const table = openTokenTable(bytesSource(whole));
    expect(table.dims).toBe(3);
    expect(table.weights).toEqual(numbers);
    expect(table.scales[9]).toBe(4.5);
    expect(numberOf(table.vocabulary, "p129")).toBe(129);
    expect([...table.block(1)]).toEqual([...rows.subarray(ROWS_PER_BLOCK * 3)]);
  });

  it("lies anywhere in memory", () => {
    const moved = new Uint8Array(whole.length + 1);
    moved.set(whole, 1);
    expect(openTokenTable(bytesSource(moved.subarray(1))).weights).toEqual(numbers);
  });

  it.each([
    ["is empty", new Uint8Array(0)],
    ["is something else", new TextEncoder().encode("A text, longer than the beginning of a table would be.")],
    ["is cut", whole.subarray(0, -1)],
    ["is cut within its beginning", whole.subarray(0, 20)],
    ["is longer than it says", Uint8Array.from([...whole, 0])],
    ["is of another version", whole.with(8, 2)],
    ["says another size of itself", whole.with(12, 4)],
    ["is damaged in what is read first", whole.with(60, 255)],
  ])("is refused when it %s", (_, bytes) => {
    expect(() => openTokenTable(bytesSource(bytes))).toThrow(
      expect.objectContaining({ name: "YoreError", code: "unreadable", hint: "Install yore anew." }),
    );
  });

  it("is refused where its rows are damaged, when they are read", () => {
    const table = openTokenTable(bytesSource(whole.with(whole.length - 1, 99)));
    expect(table.block(0)).toHaveLength(ROWS_PER_BLOCK * 3);
    expect(() => table.block(1)).toThrow(/damaged: its checksum/);
  });
});
