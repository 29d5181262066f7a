import { describe, expect, it } from "vitest";
import { type Column, formatTable } from "./table.ts";
import { displayWidth } from "./text.ts";

interface Row {
  readonly name: string;
  readonly count: number;
  readonly note: string;
}

const columns: readonly Column<Row>[] = [
  { header: "NAME", value: (row) => row.name, min: 6 },
  { header: "COUNT", value: (row) => String(row.count), align: "right", leaves: 1 },
  { header: "NOTE", value: (row) => row.note, min: 4, leaves: 2 },
];

const rows: readonly Row[] = [
  { name: "a-long-name", count: 7, note: "remarks here" },
  { name: "日本語", count: 1234, note: "ok" },
];

const plain = (text: string) => text;

describe("formatTable", () => {
  it("aligns columns, wide characters counted as two", () => {
    expect(formatTable(rows, columns, 80, plain)).toEqual([
      "NAME         COUNT  NOTE",
      "a-long-name      7  remarks here",
      "日本語        1234  ok",
    ]);
  });

  it("narrows what may be narrowed, the widest first", () => {
    expect(formatTable(rows, columns, 26, plain)).toEqual([
      "NAME      COUNT  NOTE",
      "a-long-…      7  remarks…",
      "日本語     1234  ok",
    ]);
  });

  it("drops columns when narrowing is not enough", () => {
    expect(formatTable(rows, columns, 14, plain)).toEqual(["NAME    NOTE", "a-lon…  remar…", "日本語  ok"]);
    expect(formatTable(rows, columns, 8, plain)).toEqual(["NAME", "a-long-…", "日本語"]);
  });

  it("leaves out a column with nothing in it", () => {
    const empty = rows.map((row) => ({ ...row, note: "" }));
    expect(formatTable(empty, columns, 80, plain)[0]).toBe("NAME         COUNT");
  });

  it.each(Array.from({ length: 40 }, (_, width) => width + 1))("is at most %i columns wide", (width) => {
    for (const line of formatTable(rows, columns, width, plain)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it("paints after it has measured", () => {
    const painted = columns.map((column) => ({ ...column, paint: (text: string) => `<${text}>` }));
    expect(formatTable(rows, painted, 80, plain)[1]).toBe("<a-long-name>  <    7>  <remarks here>");
  });
});
