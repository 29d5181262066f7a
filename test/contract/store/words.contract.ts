import { describe, expect, it } from "vitest";
import type { Place } from "../../../src/core/pieces.ts";
import type { Clause } from "../../../src/store/store.ts";
import { answer, call, human, result, type SeedSession, START, seed, thinking } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, storeForEach } from "./opened-store.ts";

const one = (id: string, ...messages: SeedSession["messages"]): SeedSession => ({
  id,
  at: START + Number(id.slice(1)) * 1_000,
  messages,
});

/** One observation each, numbered as they come. */
const SESSIONS: readonly SeedSession[] = [
  one("s1", human("fix the rate limiter"), answer("The limit of the rate was wrong."), call("grep rate")),
  one("s2", human("rates"), thinking("secretly about limiter"), result("output of limiter")),
  one("s3", human("call getUserProfile in foo_bar"), answer("配置文件 Café")),
  one("s4", human("rate"), answer("rate rate rate")),
  one("s5", human("unrelated")),
];

export function describeWords(open: OpenStore): void {
  describe("word index", () => {
    const { store } = storeForEach(open);
    const seeded = async (): Promise<Awaited<ReturnType<typeof store>>["words"]> => {
      await seed(await store(), ...SESSIONS);
      return (await store()).words;
    };

    it.each<[string, Clause, readonly Place[], readonly number[]]>([
      ["a word in any of its forms", { text: "rate" }, ALL_PLACES, [1, 2, 4]],
      ["in any case", { text: "RATE" }, ALL_PLACES, [1, 2, 4]],
      ["not a part of a word", { text: "rat" }, ALL_PLACES, []],
      ["only where it is looked for", { text: "limiter" }, ["prompt"], [1]],
      ["in another place", { text: "limiter" }, ["output"], [2]],
      ["in several places", { text: "limiter" }, ["prompt", "aside"], [1, 2]],
      ["a phrase", { text: "rate limiter" }, ALL_PLACES, [1]],
      ["no phrase over other words", { text: "limit rate" }, ALL_PLACES, []],
      ["a prefix", { text: "unre", prefix: true }, ALL_PLACES, [5]],
      ["no prefix unless asked for", { text: "unre" }, ALL_PLACES, []],
      ["a phrase whose last word is a prefix", { text: "the lim", prefix: true }, ALL_PLACES, [1]],
      ["a symbol by its words", { text: "foo bar" }, ALL_PLACES, [3]],
      ["a symbol as typed", { text: "getUserProfile" }, ALL_PLACES, [3]],
      ["parts of a symbol", { text: "user profile" }, ALL_PLACES, [3]],
      ["parts of a symbol, looked for where it stands", { text: "profile" }, ["prompt"], [3]],
      ["part of a Chinese run", { text: "置文" }, ALL_PLACES, [3]],
      ["without accents", { text: "cafe" }, ALL_PLACES, [3]],
      ["nothing", { text: "absent" }, ALL_PLACES, []],
    ])("finds %s", async (_, clause, places, expected) => {
      const words = await seeded();
      expect(await words.observationsWith(clause, places, 100)).toEqual(expected);
      expect(await words.among([5, 4, 3, 2, 1], clause, places)).toEqual(expected.toReversed());
      expect(await words.count(clause, places, 100)).toBeGreaterThanOrEqual(expected.length);
      const matches = await words.best({ clauses: [clause], places }, 100);
      expect([...new Set(matches.map((match) => match.observation))].sort()).toEqual(expected);
    });

    describe("near words", () => {
      const nearTo = async (word: string): Promise<readonly string[]> =>
        (await (await store()).words.near(word, 8)).map(({ term }) => term);

      it.each([
        ["a letter too few", "limter", "limit"],
        ["a letter too many", "rrate", "rate"],
        ["another letter", "unrelatex", "unrel"],
        ["two that are swapped", "grpe", "grep"],
        ["another first letter", "xrep", "grep"],
        ["no first letter", "nrelated", "unrel"],
        ["two of many letters", "getUsrProfle", "getuserprofil"],
        ["a beginning, which is kept without its ending", "unrelat", "unrel"],
        ["a wrong ending", "unrelaetd", "unrel"],
      ])("%s", async (_, word, expected) => {
        await seed(await store(), ...SESSIONS);
        expect(await nearTo(word.toLowerCase())).toContain(expected);
      });

      it.each(["absent", "zz", "rag", "", "配置", "oqzzrprofle"])("none: %s", async (word) => {
        await seed(await store(), ...SESSIONS);
        expect(await nearTo(word)).toEqual([]);
      });

      it("the nearest first, then the more frequent, with where they stand", async () => {
        const texts = ["the cachet", "a cachex", "cachex again", "cachexyz"];
        await seed(await store(), ...texts.map((text, at) => one(`s${at + 1}`, human(text))));
        const near = await (await store()).words.near("cachey", 8);
        expect(near.slice(0, 2).map(({ term }) => term)).toEqual(["cachex", "cachet"]);
        expect(near[0]?.pieces).toEqual([
          { observation: 2, message: 0, piece: 0 },
          { observation: 3, message: 0, piece: 0 },
        ]);
        expect((await (await store()).words.near("cachey", 1)).map(({ term }) => term)).toEqual(["cachex"]);
      });
    });

    it("counts pieces, up to a limit", async () => {
      const words = await seeded();
      expect(await words.count({ text: "rate" }, ALL_PLACES, 100)).toBe(6);
      expect(await words.count({ text: "rate" }, ["prompt"], 100)).toBe(3);
      expect(await words.count({ text: "rate" }, ALL_PLACES, 4)).toBe(4);
      expect(await words.size()).toBe(11);
    });

    it("takes the newest pieces where there are too many", async () => {
      const words = await seeded();
      expect(await words.observationsWith({ text: "rate" }, ALL_PLACES, 3)).toEqual([2, 4]);
    });

    it("says where each match stands", async () => {
      const words = await seeded();
      const clauses = [{ text: "rate" }, { text: "wrong" }];
      const matches = await words.newest({ clauses, places: ALL_PLACES }, "all", 9);
      expect(matches).toEqual([{ observation: 1, message: 1, piece: 0, score: 0 }]);
    });

    it("tells which pieces with any of some clauses have another one too", async () => {
      const words = await seeded();
      const query = { clauses: [{ text: "rate" }, { text: "absent" }], places: ALL_PLACES };
      const both = await words.beside(query, { text: "wrong" });
      expect(both).toEqual([{ observation: 1, message: 1, piece: 0, score: 0 }]);
      expect(await words.beside(query, { text: "absent" })).toEqual([]);
    });

    it("has the best first, and never a score below nothing", async () => {
      const words = await seeded();
      const matches = await words.best({ clauses: [{ text: "rate" }], places: ALL_PLACES }, 3);
      expect(matches).toHaveLength(3);
      const scores = matches.map((match) => match.score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    });

    it.each([
      [
        "all",
        [
          [1, 0],
          [1, 1],
        ],
      ],
      [
        "any",
        [
          [1, 0],
          [1, 1],
          [1, 2],
          [2, 0],
          [2, 2],
          [4, 0],
          [4, 1],
          [5, 0],
        ],
      ],
      [
        "pairs",
        [
          [1, 0],
          [1, 1],
        ],
      ],
    ] as const)("finds pieces with %s of the clauses", async (how, expected) => {
      const words = await seeded();
      const clauses = [{ text: "rate" }, { text: "limiter" }, ...(how === "all" ? [] : [{ text: "unrelated" }])];
      const places: readonly Place[] = ["prompt", "answer", "action", "output"];
      const query = { clauses, places };
      const matches = how === "any" ? await words.best(query, 100) : await words.newest(query, how, 100);
      expect(matches.map((match) => [match.observation, match.message]).sort()).toEqual(expected);
    });

    it("takes a single clause for a pair", async () => {
      const words = await seeded();
      const matches = await words.newest({ clauses: [{ text: "unrelated" }], places: ALL_PLACES }, "pairs", 9);
      expect(matches.map((match) => match.observation)).toEqual([5]);
    });

    it("numbers the pieces of a long message", async () => {
      const text = `${"lorem ".repeat(600)}needle`;
      await seed(await store(), one("s1", human("first"), answer(text)));
      const matches = await (await store()).words.best({ clauses: [{ text: "needle" }], places: ALL_PLACES }, 9);
      expect(matches).toMatchObject([{ observation: 1, message: 1, piece: 3 }]);
    });

    it("knows titles, projects and branches of sessions", async () => {
      await seed(await store(), { id: "s1", cwd: "/code/tide", branch: "fix/the-reef", messages: [human("prompt")] });
      const { words } = await store();
      for (const text of ["prompt", "tide", "fix/the-reef", "reefs"])
        expect(await words.sessionsWith({ text })).toEqual([1]);
      expect(await words.sessionsWith({ text: "pro", prefix: true })).toEqual([1]);
      expect(await words.sessionsWith({ text: "absent" })).toEqual([]);
    });

    it("goes from sessions to observations and back", async () => {
      await seed(await store(), one("s1", human("a"), human("b")), one("s2", human("c")), one("s3", human("d")));
      const { words } = await store();
      expect(await words.openingOf([3, 1, 99])).toEqual([1, 4]);
      expect(await words.openingOf([])).toEqual([]);
      expect(await words.sessionsOf([4, 2, 1])).toEqual([3, 1, 1]);
    });
  });
}
