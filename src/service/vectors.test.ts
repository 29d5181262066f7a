import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, human, openTemporaryStore, type SeedSession, START, seed } from "../../test/support/seed.ts";
import { tinyTable } from "../../test/support/tiny-table.ts";
import type { Store } from "../store/store.ts";
import { createStaticEmbedder } from "../vectors/static-embedder.ts";
import { createStaticEngine, STATIC, staticEngineId } from "../vectors/static-engine.ts";
import type { TokenTable } from "../vectors/token-table.ts";
import { Vectors } from "./vectors.ts";

const clock = (): number => START;
let store: Store;
let vectors: Vectors;

beforeEach(async () => {
  store = await openTemporaryStore(clock);
  vectors = new Vectors(store, clock, () => tableOf(3));
});
afterEach(async () => {
  await vectors.close();
  await store.close();
});

describe("making vectors", () => {
  it("embeds what is new or has grown, and nothing twice", async () => {
    expect(await vectors.embed()).toBeUndefined();
    await seed(store, ...sessions(0, 3));
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 3 });
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 0 });
    await seed(store, { ...session(0), messages: [...session(0).messages, answer("harbour")] }, session(3));
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 2 });
    expect(await store.vectors.coverage(id(1))).toMatchObject({ covered: 4, observations: 4 });
  });

  it("finds what is meant, and tells cosines", async () => {
    await seed(store, ...sessions(0, 2));
    await vectors.embed();
    const engine = await vectors.asking();
    const [query] = (await engine?.embed(["tide"])) ?? [];
    if (engine === undefined || query === undefined) throw new Error("nothing to ask with");
    const { found } = await store.vectors.nearest(query, engine.id, { limit: 2, most: 10 });
    expect(found.map(({ cosine }) => cosine > 0.69 && cosine < 0.72)).toEqual([true, true]);
    expect((await engine.embed(["zanderquill"]))[0]).toBeUndefined();
  });

  it("goes on where it was stopped, and counts what was done", async () => {
    await seed(store, ...sessions(0, 3));
    const stop = new AbortController();
    const progress: unknown[] = [];
    const first = await vectors.embed({
      signal: stop.signal,
      onProgress: (one) => {
        progress.push(one);
        stop.abort();
      },
    });
    expect([first?.embedded, progress]).toEqual([1, [{ done: 1, total: 3 }]]);
    expect(await vectors.embed()).toMatchObject({ embedded: 2 });
  });

  it("leaves writing to another process, and goes on later", async () => {
    await seed(store, ...sessions(0, 2));
    const writer = await store.writer();
    const other = { host: "elsewhere", pid: 1, token: "a" };
    await writer.acquireLease(other, START + 60_000, START);
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 0 });
    await writer.releaseLease(other);
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 2 });
  });

  it("is done behind answers, once for many calls, and never after the end", async () => {
    await seed(store, ...sessions(0, 2));
    for (let call = 0; call < 5; call += 1) vectors.behind();
    await vi.waitFor(async () => expect(await store.vectors.pending(id(1), 9)).toEqual([]));
    await seed(store, session(2));
    vectors.behind();
    await vectors.close();
    vectors.behind();
    expect(await store.vectors.pending(id(1), 9)).toHaveLength(1);
  });
});

describe("generations of weights", () => {
  it("follow each other when there is twice as much, and the old one goes when the new one has all", async () => {
    await seed(store, ...sessions(0, 4));
    await vectors.embed();
    await seed(store, ...sessions(4, 7));
    expect(await vectors.embed()).toEqual({ engine: id(1), embedded: 3 });
    expect((await store.vectors.engines()).map(({ id: name, counted }) => [name, counted])).toEqual([[id(1), 4]]);
    await seed(store, session(7));
    await vectors.embed();
    expect(await vectors.embed()).toEqual({ engine: id(2), embedded: 8 });
    expect((await store.vectors.engines()).map(({ id: name, counted }) => [name, counted])).toEqual([[id(2), 8]]);
  });

  it("are asked by what they cover: the old one until the new one has as much", async () => {
    await seed(store, ...sessions(0, 3));
    expect(await vectors.asking()).toBeUndefined();
    await vectors.embed();
    const writer = await store.writer();
    await writer.transaction((tx) => tx.saveWeights({ id: id(2), dims: 3 }, 3, Uint8Array.of()));
    const asked: (string | undefined)[] = [(await vectors.asking())?.id];
    const stopAfter = async (count: number) => {
      const stop = new AbortController();
      await vectors.embed({ signal: stop.signal, onProgress: ({ done }) => done >= count && stop.abort() });
      asked.push((await vectors.asking())?.id);
    };
    await stopAfter(1);
    await stopAfter(1);
    await stopAfter(1);
    expect(asked).toEqual([id(1), id(1), id(1), id(2)]);
  });

  it("of another table are never asked, and go when this one's has all", async () => {
    await seed(store, ...sessions(0, 2));
    await vectors.embed();
    const changed = new Vectors(store, clock, () => tableOf(4));
    expect(await changed.asking()).toBeUndefined();
    const report = await changed.embed();
    expect(report).toMatchObject({ embedded: 2 });
    expect((await store.vectors.engines()).map((one) => one.id)).toEqual([report?.engine]);
  });

  it("leave the vectors of other engines alone", async () => {
    await seed(store, ...sessions(0, 1));
    const other = { id: "other/1", dims: 3 };
    const [pending = 0] = await store.vectors.pending(other.id, 1);
    const entries = (await store.vectors.toEmbed(pending, other.id, 9)).map(({ observation, lastSeq }) => ({
      observation,
      lastSeq,
    }));
    await (await store.writer()).transaction((tx) => tx.saveVectors(pending, other, entries));
    await vectors.embed();
    expect((await store.vectors.engines()).map(({ id: name }) => name)).toEqual([other.id, id(1)]);
    expect((await vectors.asking())?.id).toBe(id(1));
  });
});

describe("the engine of the table", () => {
  it("has another id for each table and generation", () => {
    const ids = [tableOf(3), tableOf(4)].flatMap((table) =>
      [1, 2].map((generation) => staticEngineId(table, generation)),
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((one) => one.startsWith(`${STATIC}/`))).toBe(true);
  });

  it("weighs as the table does where its own weights are none", async () => {
    const table = tableOf(3);
    const [plain, damaged] = await Promise.all(
      [undefined, Uint8Array.of(1, 2)].map((factors) =>
        createStaticEngine(table, createStaticEmbedder(table), 1, factors).embed(["tide harbour"]),
      ),
    );
    expect(damaged).toEqual(plain);
  });
});

function session(index: number): SeedSession {
  return { id: `0000000${index}-tide`, messages: [human("tide"), answer(`harbour ${index}`)] };
}

function sessions(from: number, to: number): readonly SeedSession[] {
  return Array.from({ length: to - from }, (_, index) => session(from + index));
}

function id(generation: number): string {
  return staticEngineId(tableOf(3), generation);
}

function tableOf(dims: number): TokenTable {
  return tinyTable(["tide", "harbour"], dims);
}
