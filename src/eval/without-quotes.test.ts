import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, human, openTemporaryStore, seed } from "../../test/support/seed.ts";
import { search } from "../search/search.ts";
import type { Store } from "../store/store.ts";
import { quoting } from "./quoting.ts";
import { withoutQuotes } from "./without-quotes.ts";

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
  await seed(
    store,
    {
      id: "00000001-tide",
      cwd: "/home/ana/lagoon",
      titles: [{ kind: "generated", text: "Keep the tide table warm" }],
      messages: [
        human("The harbour page is slow"),
        answer("It reads the tide table anew for each boat."),
        human("Please commit"),
        answer("Committed: keep the tide table warm"),
      ],
    },
    {
      id: "00000002-else",
      cwd: "/home/ana/quay",
      messages: [human("What is in the log?"), answer("The last one says: Keep the tide table warm. Then a merge.")],
    },
  );
});
afterEach(() => store.close());

const ask = async (from: Store, ...words: string[]) => {
  const { hits, tier } = await search(from, {
    terms: words.map((text) => ({ text, isPhrase: false })),
    excluded: [],
    filter: { subagents: true },
    offset: 0,
    limit: 10,
    now: Date.parse("2026-07-01"),
  });
  return { tier, sessions: [...new Set(hits.map(({ observation }) => observation.session.slice(0, 8)))].sort(), hits };
};
const without = async (text: string): Promise<Store> => {
  const leftOut = await quoting(store, text);
  if (leftOut === undefined) throw new Error("quoted too often");
  return withoutQuotes(store, leftOut);
};

describe("the store without what quotes a text", () => {
  it("finds by what else is said, and not by messages and titles that quote it", async () => {
    const whole = await ask(store, "tide", "table", "warm");
    expect(whole).toMatchObject({ tier: "all", sessions: ["00000001", "00000002"] });
    const left = await ask(await without("keep the tide table warm"), "tide", "table", "warm");
    expect(left).toMatchObject({ tier: "some", sessions: ["00000001"] });
    expect(left.hits[0]?.snippet.text).toContain("anew for each boat");
  });

  it("finds nothing by a word that stands in quotes alone", async () => {
    expect(await ask(await without("keep the tide table warm"), "warm")).toMatchObject({ tier: "none", sessions: [] });
  });

  it("shows no title that was left out", async () => {
    const { hits } = await ask(await without("keep the tide table warm"), "boat");
    expect(hits.map(({ observation }) => observation.sessionTitle)).toEqual([""]);
  });

  it("still knows the project of a session whose title is left out", async () => {
    expect(await ask(await without("keep the tide table warm"), "lagoon")).toMatchObject({ tier: "all" });
  });

  it("is the store itself where nothing quotes", async () => {
    expect(await without("nobody ever said that")).toBe(store);
  });

  it("leaves the store as it is", async () => {
    await ask(await without("keep the tide table warm"), "warm");
    expect(await ask(store, "warm")).toMatchObject({ tier: "all", sessions: ["00000001", "00000002"] });
  });
});
