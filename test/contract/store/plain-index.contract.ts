import { describe, expect, it } from "vitest";
import { type OpenStore, storeForEach } from "./opened-store.ts";

const TEXTS = [
  { id: 1, text: "the tide rises, and the tide falls" },
  { id: 2, text: "the tide table of the harbour" },
  { id: 3, text: "tides are no tide" },
  { id: 7, text: "a harbour light" },
  { id: 8, text: "a harbour light" },
];

export function describePlainIndex(open: OpenStore): void {
  describe("a plain index", () => {
    const { store } = storeForEach(open);

    it.each<[string, readonly string[], readonly number[]]>([
      ["finds texts with any of the words, what has rarer ones first", ["harbour", "table"], [2, 7, 8]],
      ["knows words as they stand and no others", ["tides"], [3]],
      ["ignores case", ["TABLE"], [2]],
      ["orders equals by id", ["nowhere", "light"], [7, 8]],
      ["finds nothing by no word", [], []],
      ["takes syntax for words", ['"', "OR", "a*"], [7, 8]],
    ])("%s", async (_, words, ids) => {
      const index = await (await store()).plainIndex();
      await index.add(TEXTS.slice(0, 2));
      await index.add(TEXTS.slice(2));
      expect(await index.search(words, 10)).toEqual(ids);
      await index.close();
    });

    it("gives no more than was asked for", async () => {
      const index = await (await store()).plainIndex();
      await index.add(TEXTS);
      expect(await index.search(["tide"], 1)).toHaveLength(1);
      await index.close();
    });

    it("is apart from the store and from others", async () => {
      const [one, other] = [await (await store()).plainIndex(), await (await store()).plainIndex()];
      await one.add(TEXTS);
      expect(await other.search(["tide"], 10)).toEqual([]);
      expect(await (await store()).words.size()).toBe(0);
      await one.close();
      await other.close();
    });
  });
}
