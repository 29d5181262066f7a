import { spawnSync } from "node:child_process";
import { CORPUS_END } from "./corpus.mjs";
import { median, percentile } from "./lib/measure.mjs";
import { queriesFor } from "./lib/queries.mjs";
import { indexedStage, large, opened } from "./lib/stage.mjs";

const SCANNED = 12;

/**
 * Search in process over many observations, against a plain scan of the raw files for the same words.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function search({ inside, rounds, observations, options, detail }) {
  const staged = await indexedStage(large(observations), inside, options);
  const { store, sources } = await opened(staged, inside);
  const totals = await store.figures.totals({});
  const size = { observations: totals.observations, messages: totals.messages, pieces: await store.words.size() };
  const queries = queriesFor(staged.facts);
  const steps = new Map();
  const watched = watch(store, steps);
  const ask = async ({ text }) => {
    const where = { now: CORPUS_END, timeZone: "UTC" };
    const { input } = await inside.understand(watched, sources, { query: text, limit: 10 }, where);
    return inside.search(watched, input);
  };

  const asked = queries.map((query) => ({ query, ms: [], cpuMs: [], steps: {}, tier: "" }));
  for (const query of queries.slice(0, 40)) await ask(query);
  for (let round = 0; round < rounds; round++) {
    // One after the other through all of them, so that no query finds the pages of its own last run still at hand.
    for (const entry of asked) {
      steps.clear();
      const started = performance.now();
      const used = process.cpuUsage();
      entry.tier = (await ask(entry.query)).tier;
      const { user, system } = process.cpuUsage(used);
      entry.ms.push(performance.now() - started);
      entry.cpuMs.push((user + system) / 1_000);
      entry.steps = Object.fromEntries(steps);
    }
  }
  await store.close();

  // The fastest of several: what others do on the machine only ever adds.
  const times = asked.map((entry) => Math.min(...entry.ms));
  const cpuTimes = asked.map((entry) => Math.min(...entry.cpuMs));
  const few = asked.filter((_, at) => at % Math.ceil(asked.length / SCANNED) === 0);
  const scan = scanner(staged.home);
  const scans = few.map((entry) => scan.ms(entry.query.words));
  detail({ size, tiers: countBy(asked, (entry) => entry.tier), kinds: byKind(asked), slowest: slowest(asked) });
  const count = `${totals.observations.toLocaleString("en")} observations`;
  const row = (what, value, most) => ({
    what: `search ${what}, ${count}`,
    value,
    unit: "ms",
    ...(most !== undefined && { budget: { kind: "value", most } }),
  });
  return [
    { ...row("p50", median(times), 5), against: { what: `${scan.name} p50`, value: median(scans), unit: "ms" } },
    row("p95", percentile(times, 0.95), 25),
    row("max", Math.max(...times)),
    row("p50, processor time", median(cpuTimes)),
    row("p95, processor time", percentile(cpuTimes, 0.95)),
  ];
}

/** The same store, that adds up how long each of its methods works. */
function watch(store, steps) {
  const watchedPart = (name, capability) =>
    new Proxy(capability, {
      get(target, method) {
        const run = Reflect.get(target, method);
        if (typeof run !== "function") return run;
        return (...values) => {
          const started = performance.now();
          // SQLite works before the promise is handed out, so this is all of its time, and none of others'.
          const result = run.apply(target, values);
          steps.set(
            `${name}.${String(method)}`,
            (steps.get(`${name}.${String(method)}`) ?? 0) + performance.now() - started,
          );
          return result;
        };
      },
    });
  return {
    ...store,
    words: watchedPart("words", store.words),
    observations: watchedPart("observations", store.observations),
    sessions: watchedPart("sessions", store.sessions),
  };
}

function byKind(asked) {
  const kinds = new Map();
  for (const entry of asked) kinds.set(entry.query.kind, [...(kinds.get(entry.query.kind) ?? []), entry]);
  return [...kinds].map(([kind, entries]) => {
    const times = entries.map((entry) => Math.min(...entry.cpuMs));
    return {
      kind,
      p50: round(median(times)),
      p95: round(percentile(times, 0.95)),
      max: round(Math.max(...times)),
      tiers: countBy(entries, (entry) => entry.tier),
      steps: meanSteps(entries),
    };
  });
}

function meanSteps(entries) {
  const sum = {};
  let rest = 0;
  for (const entry of entries) {
    const last = entry.ms.at(-1) ?? 0;
    rest += last;
    for (const [step, ms] of Object.entries(entry.steps)) {
      sum[step] = (sum[step] ?? 0) + ms;
      rest -= ms;
    }
  }
  return Object.fromEntries(
    Object.entries({ ...sum, "snippets and ranking": rest })
      .sort((a, b) => b[1] - a[1])
      .map(([step, ms]) => [step, round(ms / entries.length)])
      .filter(([, ms]) => ms >= 0.05),
  );
}

function slowest(asked) {
  return asked
    .toSorted((a, b) => Math.min(...b.cpuMs) - Math.min(...a.cpuMs))
    .slice(0, 15)
    .map((entry) => ({
      kind: entry.query.kind,
      text: entry.query.text,
      tier: entry.tier,
      ms: round(Math.min(...entry.cpuMs)),
      steps: meanSteps([entry]),
    }));
}

/** ripgrep where there is one, else grep: counts lines with any of the words. */
function scanner(home) {
  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  const [name, fixed] = hasRipgrep ? ["rg", ["--no-ignore", "--hidden", "-ciF"]] : ["grep", ["-rciF"]];
  return {
    name: `${name} of raw files`,
    ms(words) {
      const started = performance.now();
      spawnSync(name, [...fixed, ...words.flatMap((word) => ["-e", word]), home], {
        env: { ...process.env, LC_ALL: "C" },
        // Read, since grep stops at the first hit where nobody does.
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 1 << 28,
      });
      return performance.now() - started;
    },
  };
}

function countBy(entries, key) {
  const counts = {};
  for (const entry of entries) counts[key(entry)] = (counts[key(entry)] ?? 0) + 1;
  return counts;
}

function round(ms) {
  return Math.round(ms * 100) / 100;
}
