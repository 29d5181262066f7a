import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelServer } from "../../test/support/model-server.ts";
import { human, openTemporaryStore, START, seed } from "../../test/support/seed.ts";
import type { VectorChoice } from "../core/vector-choice.ts";
import type { Store } from "../store/store.ts";
import { type Embedding, quantise } from "../vectors/static-embedder.ts";
import { queryEmbedder } from "./query-embedder.ts";

const TABLE = { engine: "static/t/1", vector: vector(1, 0) };
let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore(() => START);
  await seed(store, { id: "00000001-tide", messages: [human("count barnacles")] });
});
afterEach(() => store.close());

describe("a query", () => {
  it.each<[string, VectorChoice]>([
    ["the table was chosen", { engine: "static" }],
    ["the model has embedded nothing", { engine: "minilm" }],
    ["the endpoint has embedded nothing", { engine: "openai-compatible", model: "small", url: "http://127.0.0.1:9" }],
  ])("is embedded by the table where %s", async (_, choice) => {
    expect(await embedderFor(choice).embedQuery("barnacle")).toEqual(TABLE);
  });

  it("is not embedded where that is off", async () => {
    expect(await embedderFor({ engine: "off" }).embedQuery("barnacle")).toBeUndefined();
  });

  it("is embedded by the endpoint that was chosen", async () => {
    const { url, calls } = await modelServer(() => ({ body: JSON.stringify({ data: [{ embedding: [0, 3] }] }) }));
    await covered("openai-compatible/small", 2);
    const { embedQuery } = embedderFor({ engine: "openai-compatible", model: "small", url });
    expect(await embedQuery("barnacle")).toEqual({ engine: "openai-compatible/small", vector: vector(0, 1) });
    expect(calls.map(({ body }) => JSON.parse(body).input)).toEqual([["barnacle"]]);
  });

  it.each([
    ["fails", { status: 500 }],
    ["is too slow", "hang"],
    ["has another model by that name", { body: JSON.stringify({ data: [{ embedding: [1, 2, 3] }] }) }],
  ] as const)("goes without where the endpoint %s", async (_, reply) => {
    const { url } = await modelServer(() => reply);
    await covered("openai-compatible/small", 2);
    const started = performance.now();
    const { embedQuery } = embedderFor({ engine: "openai-compatible", model: "small", url });
    expect(await embedQuery("barnacle")).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_800);
  });

  it("is embedded by the model: at once where a person waits, else when it is loaded", async () => {
    await covered("minilm/all-MiniLM-L6-v2", 384);
    const patient = embedderFor({ engine: "minilm" });
    const found = await patient.embedQuery("barnacle");
    expect(found?.engine).toBe("minilm/all-MiniLM-L6-v2");
    const agents = embedderFor({ engine: "minilm" }, false);
    expect(await agents.embedQuery("barnacle")).toEqual(TABLE);
    await expect
      .poll(async () => (await agents.embedQuery("barnacle"))?.engine, { timeout: 20_000, interval: 200 })
      .toBe("minilm/all-MiniLM-L6-v2");
    expect(await agents.embedQuery("barnacle")).toEqual(found);
    await Promise.all([patient.close(), agents.close()]);
  }, 30_000);
});

function embedderFor(choice: VectorChoice, isPatient = true) {
  return queryEmbedder({
    store,
    setting: { read: () => choice, write: () => undefined },
    vectors: { asking: async () => ({ id: TABLE.engine, dims: 2, embed: async () => [TABLE.vector] }) },
    // The model that is installed for tests lies beside the program.
    yoreHome: "/nowhere/.yore",
    environment: { home: "/home/ana", variables: {} },
    isPatient,
  });
}

/** Has an engine embed what there is. */
async function covered(engine: string, dims: number): Promise<void> {
  const writer = await store.writer();
  for (const session of await store.vectors.pending(engine, 9)) {
    const some = await store.vectors.toEmbed(session, engine, 9);
    const entries = some.map(({ observation, lastSeq }) => ({
      observation,
      lastSeq,
      vector: vector(...new Array(dims).fill(1)),
    }));
    await writer.transaction((tx) => tx.saveVectors(session, { id: engine, dims }, entries));
  }
}

function vector(...numbers: number[]): Embedding {
  const made = quantise(Float64Array.from(numbers));
  if (made === undefined) throw new Error("There is no vector");
  return made;
}
