import fc from "fast-check";
import { expect, it } from "vitest";
import { isWithinCollection, levelsOf, normaliseCollection, normaliseForeignTag, normaliseName } from "./annotation.ts";

it.each([
  ["auth", "auth"],
  ["#Auth", "auth"],
  ["  Needs Review ", "needs-review"],
  ["v1.2_rc/linux-x64", "v1.2_rc/linux-x64"],
  ["Größe", "größe"],
  ["Gro\u0308ße", "größe"],
  ["決定", "決定"],
  ["हिन्दी", "हिन्दी"],
  ["42", "42"],
  ["", undefined],
  ["#", undefined],
  ["-x", undefined],
  ["../up", undefined],
  ["a//b", undefined],
  ["a/", undefined],
  ["/a", undefined],
  ["a,b", undefined],
  ["a\nb", "a-b"],
  ["a\u202eb", undefined],
  ["a\u200bb", undefined],
  ["<b>", undefined],
  ["x".repeat(64), "x".repeat(64)],
  ["x".repeat(65), undefined],
])("the name %j is stored as %j", (text, name) => {
  expect(normaliseName(text)).toBe(name);
});

it.each([
  ["Work", "work"],
  ["work/Q3 plan/api", "work/q3-plan/api"],
  ["/work/", "work"],
  ["work / api", "work/api"],
  ["a/b/c/d/e/f/g/h", "a/b/c/d/e/f/g/h"],
  ["a/b/c/d/e/f/g/h/i", undefined],
  ["", undefined],
  ["/", undefined],
  ["a/../b", undefined],
  ["a/#b", undefined],
])("the collection %j is stored as %j", (text, path) => {
  expect(normaliseCollection(text)).toBe(path);
});

it.each([
  ["Bug Fix", "bug-fix"],
  ["team: core!", "team-core"],
  ["a//b", "a/b"],
  ["(wip)", "wip"],
  ["🚀", undefined],
])("an agent's tag %j becomes %j", (text, tag) => {
  expect(normaliseForeignTag(text)).toBe(tag);
});

it("levels of a collection begin with the outermost", () => {
  expect(levelsOf("a/b/c")).toEqual(["a", "a/b", "a/b/c"]);
});

it.each([
  ["a", "a", true],
  ["a/b", "a", true],
  ["ab", "a", false],
  ["a", "a/b", false],
])("%s is within %s: %s", (collection, outer, expected) => {
  expect(isWithinCollection(collection, outer)).toBe(expected);
});

it("a name that was stored is stored the same again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      for (const normalise of [normaliseName, normaliseCollection, normaliseForeignTag]) {
        const once = normalise(text);
        if (once !== undefined) expect(normalise(once)).toBe(once);
      }
    }),
  );
});
