import { CORPUS_END } from "./corpus.mjs";
import { median } from "./lib/measure.mjs";
import { queriesFor } from "./lib/queries.mjs";
import { indexedStage, large, opened } from "./lib/stage.mjs";

const SCANS = [10_000, 50_000, Number.POSITIVE_INFINITY];
const QUERIES = 12;
const CANDIDATES = 200;

/**
 * Making the vectors of a large store, and finding by them.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function vectors({ inside, rounds, observations, options }) {
  const staged = await indexedStage(large(observations), inside, options);
  const { store, clock } = await opened(staged, inside);
  const { messages } = await store.figures.totals({});
  await (await store.writer()).transaction((tx) => tx.dropVectors());
  const maker = new inside.Vectors(store, clock, inside.tokenTable);
  const used = process.cpuUsage();
  await maker.embed();
  const { user, system } = process.cpuUsage(used);
  const engine = await maker.asking();
  if (engine === undefined) throw new Error("no vectors were made");
  const { bytes, observations: all } = await store.vectors.coverage(engine.id);

  const texts = queriesFor(staged.facts)
    .filter(({ kind }) => kind !== "nothing")
    .map(({ text }) => text);
  const queries = (await engine.embed(texts)).filter((query) => query !== undefined).slice(0, QUERIES);
  const scan = async (most) => {
    const ms = [];
    for (let round = 0; round < rounds; round++) {
      for (const [at, query] of queries.entries()) {
        const started = performance.now();
        await store.vectors.nearest(query, engine.id, { limit: 100, most });
        ms[at] = Math.min(ms[at] ?? Number.POSITIVE_INFINITY, performance.now() - started);
      }
    }
    return median(ms);
  };
  const scans = [];
  for (const most of SCANS.filter((most) => most < all || most === Number.POSITIVE_INFINITY)) {
    const count = Math.min(most, all).toLocaleString("en");
    scans.push({ what: `nearest of ${count} observations, ${engine.dims} numbers each`, value: await scan(most) });
  }
  const { items } = await store.observations.recent(
    { subagents: true, until: CORPUS_END },
    { offset: 0, limit: CANDIDATES * 50 },
  );
  // Of as many sessions as can be, as what a search has found seldom is.
  const apart = items.filter((_, at) => at % 50 === 0).map(({ id }) => id);
  const fetched = [];
  for (let round = 0; round < rounds * QUERIES; round++) {
    const started = performance.now();
    await store.vectors.of(apart, engine.id);
    fetched.push(performance.now() - started);
  }
  await store.close();
  return [
    { what: "making vectors, processor time, 1,000 messages", value: (user + system) / messages, unit: "ms" },
    { what: `vectors of ${all.toLocaleString("en")} observations in the store`, value: bytes, unit: "bytes" },
    ...scans.map((row) => ({ ...row, unit: "ms" })),
    { what: `vectors of ${apart.length} observations of different sessions`, value: Math.min(...fetched), unit: "ms" },
  ];
}
