import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare, readOther } from "./compare.mjs";
import { NoData } from "./find-data.mjs";

const EACH = [
  { project: "sail", question: "reef", measured: { "turns/hit@1": 1 } },
  { project: "sail", question: "gybe", measured: { "turns/hit@1": 0 } },
];

describe("compare", () => {
  it("tells how far the mean moved, and how many questions are better and worse off", () => {
    const before = [0, 0, 1, 1, 1].map((value) => ({ "turns/hit@1": value }));
    const after = [1, 1, 0, 1, 1].map((value) => ({ "turns/hit@1": value, "turns/new": 1 }));
    const { interval, ...rest } = compare(before, after)["turns/hit@1"];
    expect(rest).toEqual({ by: 20, better: 2, worse: 1 });
    expect(interval[0]).toBeLessThan(20);
    expect(interval[1]).toBeGreaterThan(20);
    expect(Object.keys(compare(before, after))).toEqual(["turns/hit@1"]);
  });

  it("finds no difference where there is none", () => {
    const same = EACH.map(({ measured }) => measured);
    expect(compare(same, same)).toEqual({ "turns/hit@1": { by: 0, interval: [0, 0], better: 0, worse: 0 } });
  });
});

describe("readOther", () => {
  let folder;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "yore-compare-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function written(name, report) {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(report));
    return path;
  }

  it("reads how each question was answered", () => {
    expect(readOther(written("same.json", { each: EACH }), EACH)).toEqual(EACH.map(({ measured }) => measured));
  });

  it.each([
    { name: "which does not tell each", report: {} },
    { name: "of other questions", report: { each: EACH.toReversed() } },
    { name: "of fewer", report: { each: EACH.slice(1) } },
  ])("refuses a report $name", ({ report }) => {
    expect(() => readOther(written("other.json", report), EACH)).toThrow(NoData);
  });

  it("refuses what is not there", () => {
    expect(() => readOther(join(folder, "gone.json"), EACH)).toThrow(NoData);
  });
});
