import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { find, NOW, sessionsOf } from "../../test/support/search.ts";
import { DAY, human, openTemporaryStore, type SeedSession, seed } from "../../test/support/seed.ts";
import type { Store } from "../store/store.ts";

/** Words that stand in so many pieces that their lists are not read out. */
const SESSIONS = 60;
const TURNS = 100;
const TEXTS = ["harbour gate", "harbour gate lantern", "the gate of a harbour", "harbour", "gate", "harbour gate wall"];

let store: Store;

beforeAll(async () => {
  store = await openTemporaryStore();
  const sessions = Array.from({ length: SESSIONS }, (_, at): SeedSession => {
    const messages = Array.from({ length: TURNS }, (_, turn) =>
      human(`${TEXTS[(at * 7 + turn) % TEXTS.length]} ${turn}`),
    );
    return {
      id: `s${String(at).padStart(2, "0")}`,
      at: NOW - (SESSIONS - at) * DAY,
      messages,
      titles: [{ kind: "custom", text: "untitled" }],
    };
  });
  await seed(
    store,
    { id: "titled", cwd: "/code/quay", messages: [human("first"), human("harbour by the sea")] },
    ...sessions,
  );
}, 120_000);

afterAll(() => store.close());

describe("words that stand nearly everywhere", { timeout: 60_000 }, () => {
  it.each([
    ["one", "harbour"],
    ["two", "harbour gate"],
    ["two in a row", '"harbour gate"'],
    ["two, one excluded", "harbour gate -wall"],
    ["some of them", "harbour gate absent"],
  ])("are listed in pages that neither repeat nor miss a hit: %s", async (_, query) => {
    const { hits, total, totalIsExact } = await find(store, query, { limit: 300 });
    const whole = hits.map((hit) => hit.observation.publicId);
    expect([whole.length >= 100, total >= whole.length, totalIsExact]).toEqual([true, true, false]);
    expect(new Set(whole).size).toBe(whole.length);
    for (const limit of [7, 50, 130]) {
      const paged: string[] = [];
      for (let offset = 0; offset < whole.length; offset += limit) {
        const page = await find(store, query, { offset, limit: Math.min(limit, whole.length - offset) });
        paged.push(...page.hits.map((hit) => hit.observation.publicId));
      }
      expect(paged).toEqual(whole);
    }
  });

  it("show what was looked for on every page", async () => {
    for (const offset of [0, 50, 350]) {
      const { hits } = await find(store, "harbour gate", { offset, limit: 20 });
      expect(hits).toHaveLength(20);
      for (const { snippet } of hits) expect(snippet.found).toBe(2);
    }
  });

  it.each([
    ["a rarer word", "harbour sea", "titled"],
    ["a project", "harbour quay", "titled"],
    ["a phrase", '"the sea" harbour', "titled"],
  ])("are found together with %s", async (_, query, session) => {
    const outcome = await find(store, query);
    expect([sessionsOf(outcome), outcome.tier]).toEqual([[session], "all"]);
  });

  it("are found within a filter, however few pass it", async () => {
    const filter = { since: NOW - SESSIONS * DAY, until: NOW - SESSIONS * DAY + 60_000 * 3 };
    const outcome = await find(store, "harbour gate", { filter });
    expect(outcome.hits.map((hit) => hit.observation.title)).toEqual(
      expect.arrayContaining(["harbour gate 0", "harbour gate lantern 1", "the gate of a harbour 2"]),
    );
    expect(outcome.hits).toHaveLength(3);
  });
});
