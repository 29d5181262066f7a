import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, NOW, sessionsOf } from "../../test/support/search.ts";
import { answer, human, openTemporaryStore, type SeedSession, seed } from "../../test/support/seed.ts";
import { embedPending } from "../ingest/embed.ts";
import type { Store } from "../store/store.ts";
import type { VectorEngine } from "../vectors/engine.ts";
import { type Embedding, quantise } from "../vectors/static-embedder.ts";
import type { Meaning } from "./meaning.ts";

/** Knows two things that texts may be about. */
const ABOUT = [/harbour|quay|ships?|pier/gi, /summit|ridge|climb/gi];

function vectorOf(text: string): Embedding | undefined {
  return quantise(Float32Array.from(ABOUT.map((words) => text.match(words)?.length ?? 0)));
}

const ENGINE: VectorEngine = { id: "about/1", dims: 2, embed: async (texts) => texts.map(vectorOf) };

const meaningOf = async (text: string): Promise<Meaning | undefined> => {
  const vector = vectorOf(text);
  return vector && { engine: ENGINE.id, vector };
};

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
});
afterEach(() => store.close());

async function told(...texts: readonly string[]): Promise<void> {
  const sessions = texts.map(
    (text, at): SeedSession => ({ id: String.fromCharCode(97 + at), messages: [human(text), answer("done")] }),
  );
  await seed(store, ...sessions);
  await embedPending({ store, clock: () => NOW }, ENGINE);
}

describe("meaning", () => {
  const QUESTION = "where do the ships wait forever";

  it("lists what says it in other words, behind what has more of the words", async () => {
    await told("we wait for the tests forever", "the pier at the quay", "climb the ridge", "ships wait here forever");
    expect(sessionsOf(await find(store, QUESTION))).toEqual(["d", "a"]);
    const found = await find(store, QUESTION, { meaningOf });
    expect(sessionsOf(found).slice(0, 3)).toEqual(["d", "a", "b"]);
    expect(found.tier).toBe("some");
    const signals = Object.fromEntries(found.hits.map((hit) => [hit.observation.session, hit.factors.meaning]));
    expect(signals.b).toBeCloseTo(1);
    expect(Object.keys(signals)).not.toContain("c");
    expect(signals.a).toBeUndefined();
  });

  it.each([
    ["a word that is nowhere", "xylophonist"],
    ["words that are nowhere", "xylophonist zanzibarian quasiharbouring"],
  ])("finds nothing for %s", async (_, query) => {
    await told("ships in the harbour", "climb the ridge");
    const always = async (): Promise<Meaning | undefined> => meaningOf("harbour");
    const found = await find(store, query, { meaningOf: always });
    expect([found.tier, found.hits]).toEqual(["none", []]);
  });

  it.each([
    ["a code", "E_CONN_17"],
    ["a code among words", "E_CONN_17 in the harbour"],
    ["a path", "where is src/pier.ts used again"],
    ["a flag", "what does --dry-run do there"],
    ["a word", "harbour"],
  ])("is not asked where the query is exact: %s", async (_, query) => {
    await told("E_CONN_17 when we connect", "the harbour", "see src/pier.ts, with --dry-run");
    let asked = 0;
    const counting = async (text: string): Promise<Meaning | undefined> => {
      asked += 1;
      return meaningOf(text);
    };
    const plain = await find(store, query);
    expect(await find(store, query, { meaningOf: counting })).toEqual(plain);
    expect(asked).toBe(0);
  });

  it("of another engine is never compared", async () => {
    await told("we wait for the tests forever", "the pier at the quay", "ships wait here forever");
    const other = async (text: string): Promise<Meaning | undefined> => {
      const meaning = await meaningOf(text);
      return meaning && { ...meaning, engine: "about/2" };
    };
    expect(await find(store, QUESTION, { meaningOf: other })).toEqual(await find(store, QUESTION));
  });

  it("lists nothing that a filter or an exclusion leaves out", async () => {
    await told("ships wait here forever", "the pier at the quay");
    const within = await find(store, QUESTION, { meaningOf, filter: { agent: "codex" } });
    expect(within.hits).toEqual([]);
    const { hits } = await find(store, `${QUESTION} -quay`, { meaningOf });
    expect(hits.map(({ observation }) => observation.session)).toEqual(["a"]);
  });
});
