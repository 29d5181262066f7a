import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, NOW, seedTexts, sessionsOf } from "../../test/support/search.ts";
import {
  answer,
  call,
  DAY,
  human,
  openTemporaryStore,
  result,
  type SeedSession,
  seed,
} from "../../test/support/seed.ts";
import type { Store } from "../store/store.ts";

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
});
afterEach(() => store.close());

const order = async (query: string, more: Parameters<typeof find>[2] = {}): Promise<string> =>
  sessionsOf(await find(store, query, more)).join("");

describe("what comes first", () => {
  it.each([
    ["all words before some", ["harbour", "harbour lighthouse", "lighthouse"], "harbour lighthouse absent", "b"],
    [
      "words close together",
      [`harbour ${"and more of it ".repeat(70)} lighthouse`, "harbour lighthouse"],
      "harbour lighthouse",
      "b",
    ],
    ["the word as typed", ["migrations of it", "a migration of it"], "migration", "b"],
    ["a symbol as typed", ["dry run it, then run it dry: dry run, dry run", "--dry-run"], "--dry-run", "b"],
  ])("%s", async (_, texts, query, first) => {
    await seedTexts(store, ...texts);
    expect((await order(query))[0]).toBe(first);
  });

  it("is what people and agents said, before what tools printed", async () => {
    await seedTexts(
      store,
      [human("x"), result("harbour")],
      [human("x"), call("harbour")],
      [human("harbour"), answer("y")],
    );
    expect(await order("harbour")).toBe("cba");
  });

  it("is the newer of two that are alike", async () => {
    const at = (days: number, id: string): SeedSession => ({ id, at: NOW - days * DAY, messages: [human("harbour")] });
    await seed(store, at(100, "a"), at(1, "b"), at(10, "c"));
    expect(await order("harbour")).toBe("bca");
  });

  it("is not one conversation alone", async () => {
    const turns = Array.from({ length: 6 }, () => human("harbour"));
    await seed(store, { id: "a", messages: turns }, { id: "b", messages: [human("the harbour")] });
    expect((await order("harbour")).slice(0, 3)).toContain("b");
  });
});

describe("what moves a hit", () => {
  const TEXT = "please make the harbour gate open by itself whenever a ship comes near it";

  it("is that something before it says the same, but for numbers", async () => {
    const sessions = [1, 2, 3].map(
      (at): SeedSession => ({ id: `s${at}`, messages: [human(`${TEXT} ${at}`)], at: NOW - at * DAY }),
    );
    const other = { id: "other", messages: [human(`an old gate, ${"and much else ".repeat(9)}`)], at: NOW - 9 * DAY };
    await seed(store, ...sessions, other);
    const { hits } = await find(store, "gate");
    expect(hits.map(({ observation }) => observation.session)).toEqual(["s1", "other", "s2", "s3"]);
    expect(hits.map(({ factors }) => factors.alike)).toEqual([undefined, undefined, 0.6, 0.6]);
  });

  it("is the project and the branch where it is asked", async () => {
    const at = (id: string, cwd: string, branch: string): SeedSession => ({
      id,
      cwd,
      branch,
      messages: [human("gate")],
    });
    await seed(store, at("a", "/code/reef", "main"), at("b", "/code/quay", "main"), at("c", "/code/quay", "fix"));
    const [quay] = await store.sessions.matchProjects("quay");
    const here = { project: quay?.id ?? 0, branch: "fix" };
    expect((await order("gate", { here })).slice(0, 2)).toBe("cb");
    expect((await order("gate", { here: { ...here, branch: "main" } })).slice(0, 2)).toBe("bc");
  });

  it("is what stands right beside it in its session", async () => {
    const turns = (before: string): SeedSession["messages"] => [human(before), human("gate"), human("good day")];
    await seed(
      store,
      { id: "a", messages: turns("nothing here") },
      { id: "b", messages: turns("the harbour and its gate") },
    );
    const { hits } = await find(store, "gate by night");
    const gates = hits.filter(({ observation }) => observation.title === "gate");
    expect(gates.map(({ observation }) => observation.session)).toEqual(["b", "a"]);
  });

  it("is that its words stand in a row", async () => {
    await seedTexts(store, "message to the queue that was committed", "the commit message was wrong today, it said");
    expect(await order("commit message")).toBe("ba");
  });
});

describe("words of time", () => {
  beforeEach(async () => {
    await seed(
      store,
      { id: "a", at: NOW - DAY, messages: [human("harbour gate")] },
      { id: "b", at: NOW - 20 * DAY, messages: [human("harbour gate")] },
      { id: "c", at: NOW - 90 * DAY, messages: [human("harbour gate")] },
    );
  });

  it.each([
    ["harbour", "abc"],
    ["harbour yesterday", "abc"],
    ["what about the harbour last month?", "bac"],
    ["harbour last month", "bac"],
    ["harbour, 3 months ago", "cab"],
    ["harbour in April 2027", "cab"],
  ])("move up but do not cut: %s", async (query, expected) => {
    const outcome = await find(store, query);
    expect([sessionsOf(outcome).join(""), outcome.tier]).toEqual([expected, "all"]);
  });

  it.each([
    ["last month", "b"],
    ["yesterday?", "a"],
    ["last week", ""],
  ])("alone list what was then: %s", async (query, expected) => {
    expect(await order(query)).toBe(expected);
  });

  it("in quotes are words", async () => {
    await seed(store, { id: "d", messages: [human("as of yesterday")] });
    expect(await order('"yesterday"')).toBe("d");
  });
});

describe("the same question", () => {
  it("has the same answer every time, ties by time and then by id", async () => {
    const alike = Array.from(
      { length: 12 },
      (_, at): SeedSession => ({ id: `s${at}`, messages: [human("harbour gate")] }),
    );
    await seed(store, ...alike, { id: "newer", at: NOW - DAY, messages: [human("harbour gate")] });
    const outcomes = [await find(store, "harbour gate"), await find(store, "harbour gate")];
    expect(outcomes[0]).toEqual(outcomes[1]);
    const [first, ...rest] = (outcomes[0]?.hits ?? []).map((hit) => hit.observation);
    expect(first?.session).toBe("newer");
    const ids = rest.map((observation) => observation.publicId);
    expect(ids).toEqual(ids.toSorted());
    expect(ids).toHaveLength(12);
  });

  it("has the same answer over another connection", async () => {
    await seedTexts(store, "harbour wall", "the harbour", "gate");
    const [here, there] = [await find(store, "harbour gate"), await find(store, "harbour gate")];
    expect(here).toEqual(there);
  });
});

describe("pages", () => {
  it("neither repeat nor miss a hit, whatever their size", { timeout: 60_000 }, async () => {
    const texts = ["harbour", "harbour gate", "gate", "harbour harbour", "the gate of the harbour", "lantern"];
    const sessions = Array.from({ length: 130 }, (_, at): SeedSession => {
      const [first = "", second = ""] = [texts[at % 6], texts[(at * 7) % 5]];
      return {
        id: `s${at}`,
        at: NOW - (at % 11) * DAY,
        messages: [human(first), answer(second), human(second), answer("x")],
      };
    });
    await seed(store, ...sessions);
    const queries = [
      "harbour",
      "harbour gate",
      "gate lantern absent",
      "harb",
      "gate -lantern",
      "harbour yesterday",
      "",
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...queries), fc.integer({ min: 1, max: 60 }), async (query, limit) => {
        const { total } = await find(store, query, { limit: 1 });
        const whole = (await find(store, query, { limit: 1_000 })).hits.map((hit) => hit.observation.publicId);
        const paged: string[] = [];
        for (let offset = 0; offset < total; offset += limit) {
          const { hits } = await find(store, query, { offset, limit });
          expect(hits).toHaveLength(Math.min(limit, total - offset));
          paged.push(...hits.map((hit) => hit.observation.publicId));
        }
        expect(new Set(paged).size).toBe(total);
        expect(paged).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it("show the words on every one of them", async () => {
    const sessions = Array.from({ length: 400 }, (_, at): SeedSession => {
      const words = at % 2 === 0 ? "harbour" : "harbour harbour";
      return { id: `s${at}`, messages: [human("x"), answer(`${"lorem ".repeat(50)}${words}`)] };
    });
    await seed(store, ...sessions);
    for (const offset of [0, 90, 380]) {
      const { hits } = await find(store, "harbour", { offset, limit: 20 });
      expect(hits).toHaveLength(20);
      for (const hit of hits) expect(hit.snippet.marks.length).toBeGreaterThan(0);
    }
  });

  it("end", async () => {
    await seedTexts(store, "harbour");
    expect(await find(store, "harbour", { offset: 10, limit: 10 })).toMatchObject({ total: 1, hits: [] });
  });
});
