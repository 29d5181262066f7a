import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textPage } from "./pages.ts";

function allPages(blocks: readonly string[], maxChars: number) {
  const pages: { readonly text: string; readonly from: number }[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page = textPage(blocks, offset, maxChars);
    if (page === undefined) break;
    pages.push({ text: page.text, from: offset });
    offset = page.next;
  }
  return pages;
}

describe("textPage", () => {
  it("ends pages between blocks", () => {
    expect(allPages(["one", "two", "three"], 9).map(({ text }) => text)).toEqual(["one\ntwo", "three"]);
  });

  it("cuts a block that is longer than a page at a line, and says that the next page continues it", () => {
    const blocks = ["head", "first line\nsecond line\nthird line"];
    const page = textPage(blocks, 5, 25);
    expect(page).toMatchObject({ text: "first line\nsecond line", firstBlock: 1, isContinued: false });
    expect(textPage(blocks, page?.next ?? 0, 25)).toMatchObject({
      text: "third line",
      firstBlock: 1,
      isContinued: true,
    });
  });

  it("cuts a line without spaces between code points", () => {
    const pages = allPages(["🙂".repeat(10)], 7);
    expect(pages.map(({ text }) => text).join("")).toBe("🙂".repeat(10));
    expect(pages.filter(({ text }) => /[\ud800-\udbff]$|^[\udc00-\udfff]/.test(text))).toEqual([]);
  });

  it.each([
    [0, []],
    [4, ["abc"]],
    [99, ["abc"]],
  ])("has nothing at offset %i of %j", (offset, blocks) => {
    expect(textPage(blocks, offset, 10)).toBeUndefined();
  });

  it("shows every character once, within the limit, whatever the blocks", () => {
    const block = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "🙂"), minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 2, max: 50 }),
        (blocks, maxChars) => {
          const pages = allPages(blocks, maxChars);
          expect(pages.every(({ text }) => text.length <= maxChars)).toBe(true);
          const squeeze = (text: string) => text.replaceAll("\n", "");
          expect(squeeze(pages.map(({ text }) => text).join(""))).toBe(squeeze(blocks.join("")));
        },
      ),
    );
  });
});
