import { describe, expect, it } from "vitest";
import type { Match } from "../../../src/store/store.ts";
import { answer, call, human, opening, result, seed, summary, thinking } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, storeForEach } from "./opened-store.ts";

/** Observation and message of each match. */
const where = (matches: readonly Match[]): string[] => matches.map((match) => `${match.observation}/${match.message}`);

export function describePieces(open: OpenStore): void {
  describe("pieces of the word index", () => {
    const { store } = storeForEach(open);
    const seeded = async (): Promise<Awaited<ReturnType<typeof store>>["words"]> => {
      await seed(
        await store(),
        { id: "s1", messages: [human("rate"), thinking("rate"), summary("rate"), answer("rate limit")] },
        { id: "s2", messages: [opening("rate"), call("rate"), result("limit")] },
        { id: "s3", messages: [human("limit"), human("rate limit")] },
      );
      return (await store()).words;
    };
    const rate = { text: "rate" };
    const limit = { text: "limit" };

    it("are listed, the newest first", async () => {
      const words = await seeded();
      expect(where((await words.list(rate, ALL_PLACES, 9)).newest(9))).toEqual([
        "4/0",
        "2/1",
        "2/0",
        "1/3",
        "1/2",
        "1/1",
        "1/0",
      ]);
      expect(where((await words.list(rate, ["prompt"], 9)).newest(9))).toEqual(["4/0", "1/0"]);
      expect(where((await words.list(rate, ALL_PLACES, 2)).newest(9))).toEqual(["4/0", "2/1"]);
      expect((await words.list({ text: "absent" }, ALL_PLACES, 9)).pieces).toBe(0);
    });

    it("are listed by all clauses or any two, the newest first", async () => {
      const words = await seeded();
      const query = { clauses: [rate, limit], places: ALL_PLACES };
      expect(where(await words.newest(query, "all", 9))).toEqual(["4/0", "1/3"]);
      const three = { ...query, clauses: [...query.clauses, { text: "absent" }] };
      expect(where(await words.newest(three, "pairs", 9))).toEqual(["4/0", "1/3"]);
      expect(await words.newest(three, "all", 9)).toEqual([]);
      expect(where(await words.newest(query, "all", 1))).toEqual(["4/0"]);
    });

    it("of one observation are listed in order", async () => {
      const words = await seeded();
      const query = { clauses: [rate, limit], places: ALL_PLACES };
      expect(where(await words.piecesIn(2, query, 9))).toEqual(["2/0", "2/1", "2/2"]);
      expect(where(await words.piecesIn(2, query, 1))).toEqual(["2/0"]);
      expect(where(await words.piecesIn(2, { ...query, places: ["output"] }, 9))).toEqual(["2/2"]);
      expect(await words.piecesIn(99, query, 9)).toEqual([]);
    });

    it("are those of one role alone, where it is asked for", async () => {
      const words = await seeded();
      const among = async (role: "assistant" | "summary" | "system" | "tool"): Promise<unknown> => [
        await words.count(rate, ALL_PLACES, 9, role),
        await words.observationsWith(rate, ALL_PLACES, 9, role),
        await words.among([4, 2, 1], rate, ALL_PLACES, role),
        where((await words.list(rate, ALL_PLACES, 9, role)).newest(9)),
        where(await words.best({ clauses: [rate], places: ALL_PLACES, role }, 9)).sort(),
        where(await words.newest({ clauses: [rate], places: ALL_PLACES, role }, "all", 9)),
        where(await words.piecesIn(1, { clauses: [rate], places: ALL_PLACES, role }, 9)),
      ];
      expect(await among("assistant")).toEqual([
        2,
        [1],
        [1],
        ["1/3", "1/1"],
        ["1/1", "1/3"],
        ["1/3", "1/1"],
        ["1/1", "1/3"],
      ]);
      expect(await among("summary")).toEqual([1, [1], [1], ["1/2"], ["1/2"], ["1/2"], ["1/2"]]);
      expect(await among("system")).toEqual([1, [2], [2], ["2/0"], ["2/0"], ["2/0"], []]);
      expect(await among("tool")).toEqual([1, [2], [2], ["2/1"], ["2/1"], ["2/1"], []]);
    });

    it("belong to observations, and those to sessions", async () => {
      const words = await seeded();
      expect(await words.observationsOf([3, 1, 99])).toEqual([1, 3, 4]);
      expect(await words.observationsOf([])).toEqual([]);
      expect(await words.extent()).toBeGreaterThan(0);
    });
  });
}
