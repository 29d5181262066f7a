import { describe, expect, it } from "vitest";
import { SAMPLE } from "../../../test/support/fake-data.ts";
import { searchFake } from "../../../test/support/fake-search.ts";
import type { Hit } from "../../service/yore.ts";
import { hitRecord, listSome } from "./lines.ts";

function hit(change: Partial<Hit>): Hit {
  const [first] = searchFake(SAMPLE, { query: "retry" }).hits;
  if (first === undefined) throw new Error("The sample has no such hit");
  return { ...first, ...change };
}

const below = (record: string) => record.split("\n").slice(1);

describe("hitRecord", () => {
  const long = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
  const start = long.indexOf("needle");

  it.each([
    ["a short snippet whole", { snippet: "a needle here", marks: [[2, 8]] as const }, "  a needle here"],
    [
      "a long snippet from its start when the match is there",
      { snippet: `needle ${long}`, marks: [[0, 6]] as const },
      expect.stringMatching(/^ {2}needle before .*…$/),
    ],
    [
      "a long snippet around its match",
      { snippet: long, marks: [[start, start + 6]] as const },
      expect.stringMatching(/^ {2}…before (?:before )+needle after .*…$/),
    ],
    [
      "a match longer than a snippet",
      { snippet: `${"x".repeat(200)} tail`, marks: [[0, 200]] as const },
      expect.stringContaining("x".repeat(199)),
    ],
  ])("shows %s", (_, change, expected) => {
    expect(below(hitRecord(hit({ title: "A title", ...change }), "UTC"))).toEqual(["  A title", expected]);
  });

  it("does not say the title twice", () => {
    const record = hitRecord(
      hit({ title: "Fix the fence on…", snippet: "Fix the fence on Windows", marks: [] }),
      "UTC",
    );
    expect(below(record)).toEqual(["  Fix the fence on Windows"]);
  });

  it("is short however long its parts are", () => {
    const text = "as long as it gets ".repeat(100);
    const record = hitRecord(hit({ title: text, snippet: text, session: { id: "s", title: text }, marks: [] }), "UTC");
    expect(record.length).toBeLessThan(400);
  });
});

describe("listSome", () => {
  it.each([
    [["a", "b"], "a, b"],
    [["a", "b", "c", "d"], "a, b and 2 more"],
  ])("of %j", (items, expected) => {
    expect(listSome(items, 2)).toBe(expected);
  });
});
