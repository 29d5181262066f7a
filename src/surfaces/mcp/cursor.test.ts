import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCursors, type PagedInput, pagingOf } from "./cursor.ts";

const cursors = createCursors(new Uint8Array(32).fill(1));
const paging = pagingOf("search", cursors);
const INPUT: PagedInput & { readonly query?: string; readonly project?: string } = { query: "fence", limit: 5 };
const OTHER: typeof INPUT = { query: "other" };

describe("paging", () => {
  it("begins at 0 without a cursor and goes on where one says", () => {
    expect(paging.start(INPUT)).toBe(0);
    expect(paging.start({ ...INPUT, cursor: paging.next(INPUT, 20) })).toBe(20);
  });

  it("is not bound to the order of arguments or the size of the page", () => {
    const first: typeof INPUT = { query: "a", project: "b", limit: 5 };
    const second: typeof INPUT = { limit: 9, project: "b", query: "a", cursor: paging.next(first, 7) };
    expect(paging.start(second)).toBe(7);
  });

  it.each([
    ["other arguments", () => paging.next(OTHER, 5)],
    ["another tool", () => pagingOf("list_tags", cursors).next(INPUT, 5)],
    ["another process", () => pagingOf("search", createCursors(new Uint8Array(32).fill(2))).next(INPUT, 5)],
    ["nobody", () => "abc"],
    ["a person", () => "20"],
    ["a longer one", () => `${paging.next(INPUT, 5)}AAAA`],
    ["another spelling of the same bytes", () => `${paging.next(INPUT, 5)}=`],
  ])("refuses a cursor of %s and says how to start over", (_, make) => {
    const start = () => paging.start({ ...INPUT, cursor: make() });
    expect(start).toThrow("The cursor does not fit");
    expect(start).toThrow(expect.objectContaining({ hint: expect.stringContaining("without cursor") }));
  });

  it("refuses a cursor with any character changed", () => {
    const cursor = paging.next(INPUT, 5);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(..."ABCxyz019-_"), (at, letter) => {
        const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        if (changed !== cursor) expect(() => paging.start({ ...INPUT, cursor: changed })).toThrow("does not fit");
      }),
    );
  });

  it("keeps cursors short and opaque", () => {
    expect(paging.next(INPUT, 4_000_000_000)).toMatch(/^[\w-]{20}$/);
  });
});
