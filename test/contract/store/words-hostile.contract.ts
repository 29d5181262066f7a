import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, human, START, seed } from "../../support/seed.ts";
import { ALL_PLACES, type OpenedStore, type OpenStore } from "./opened-store.ts";

const HOSTILE = [
  "",
  " ",
  '"',
  '""',
  '"""',
  "'",
  "''; DROP TABLE words; --",
  "*",
  "a*",
  "^a",
  "-a",
  "+a",
  "a + b",
  "NEAR(",
  "NEAR(a b, 2)",
  "AND",
  "OR",
  "NOT",
  "a AND",
  "AND AND",
  "a OR (b",
  ")(",
  "{prompt}: a",
  "prompt: a",
  "words : a",
  ":",
  "\\",
  "\u0000",
  "a\u0000b",
  "\u0000*",
  "\u001b[0m",
  "\n",
  "😀",
  "👩‍💻",
  "\ud800",
  "a\udc00",
  "\ufffe",
  "e\u0301",
  "\u0301",
  "配",
  "%",
  "_",
  "?",
  "c++",
  "c#",
  "@x $y :z ?1",
  "x".repeat(10_000),
  "x ".repeat(5_000),
  "配".repeat(10_000),
  '"'.repeat(10_000),
  "fooBar".repeat(1_500),
];

export function describeHostileWords(open: OpenStore): void {
  describe("any string is something to look for", () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open(() => START);
      await seed(opened.store, { id: "s1", messages: [human("fix the login"), answer("done 配置")] });
    });
    afterAll(() => opened.dispose());

    const lookFor = async (text: string, prefix: boolean): Promise<void> => {
      const { words, sessions, observations } = opened.store;
      const clause = { text, ...(prefix && { prefix }) };
      const clauses = [clause, { text: "login" }, clause];
      for (const places of [ALL_PLACES, ["prompt"] as const]) {
        expect(await words.count(clause, places, 10)).toBeGreaterThanOrEqual(0);
        await words.observationsWith(clause, places, 10);
        await words.among([1, 2, 3], clause, places);
        await words.best({ clauses, places }, 9);
        for (const how of ["all", "pairs"] as const) await words.newest({ clauses, places }, how, 9);
      }
      await words.sessionsWith(clause);
      await sessions.byPrefix(text, 5);
      await sessions.nearest(text, 5);
      await sessions.matchProjects(text);
      await observations.byPrefix(text, 5);
      await observations.nearest(text, 5);
      await observations.recent(
        { subagents: true, file: text, tag: text, branch: text, agent: text },
        { offset: 0, limit: 5 },
      );
    };

    it.each(HOSTILE.map((text) => [JSON.stringify(text.slice(0, 30)), text.length, text] as const))(
      "%s (%i characters)",
      async (_, __, text) => {
        await lookFor(text, false);
        await lookFor(text, true);
      },
    );

    it("whatever it is made of", async () => {
      const parts = fc.array(
        fc.oneof(fc.constantFrom(...HOSTILE.slice(0, 46)), fc.string({ unit: "binary", maxLength: 6 })),
        {
          maxLength: 6,
        },
      );
      await fc.assert(
        fc.asyncProperty(parts, fc.boolean(), async (some, prefix) => lookFor(some.join(""), prefix)),
        { numRuns: 100 },
      );
    });

    it.each(["AND", "*", '"', "-login", "login NOT done"])("and %j is no operator", async (text) => {
      const { words } = opened.store;
      expect(await words.observationsWith({ text }, ALL_PLACES, 10)).toEqual(text === "-login" ? [1] : []);
    });

    it("also where it is written", async () => {
      for (const [at, text] of HOSTILE.entries()) {
        await seed(opened.store, {
          id: `h${at}`,
          cwd: `/${text}`,
          branch: text,
          messages: [human(text)],
          tags: [text],
        });
      }
      const { sessions } = opened.store;
      const { total } = await sessions.list({}, { subagents: true }, { offset: 0, limit: 1 });
      expect(total).toBe(HOSTILE.length + 1);
      expect(await opened.store.figures.integrity()).toEqual({ ok: true });
    });
  });
}
