import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGE_OUTPUTS, MEASURED, SHORT_TURNS } from "../corpus/session.mjs";
import { CORPUS_VERSION, removeCorpus, writeCorpus } from "../corpus.mjs";
import { CACHE } from "./build.mjs";

/** @typedef {import("../corpus.mjs").Shape} Shape */
/** @typedef {import("../corpus.mjs").Facts} Facts */
/** @typedef {typeof import("../entry.ts")} Inside */

/**
 * A corpus, and where its store goes.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} home Serves as HOME.
 * @property {string} yoreHome
 * @property {Facts} facts
 */

/** About the size and the proportions of a few months of one person's work. @type {Shape} */
export const MIXED = shape("mixed", { files: 220, bytes: 40_000_000, spread: 2.2, manner: MEASURED, codexShare: 0.1 });
/** Many small files. @type {Shape} */
export const MANY = shape("many", { files: 5_000, turns: 5_000, spread: 0, manner: SHORT_TURNS });
/** Next to nothing. @type {Shape} */
export const SMALL = shape("small", { files: 20, bytes: 1_000_000, spread: 1, manner: MEASURED });

/**
 * So many observations: a turn is one, unless it is so long that it is cut.
 *
 * @param {number} observations
 * @returns {Shape}
 */
export function large(observations) {
  const files = Math.ceil(observations / 30);
  return shape(`large-${observations}`, { files, turns: observations, spread: 1.1, manner: SHORT_TURNS, projects: 60 });
}

/**
 * One session of so many bytes.
 *
 * @param {number} bytes
 * @returns {Shape}
 */
export function oneFile(bytes) {
  return shape(`one-${bytes}`, { files: 1, bytes, spread: 0, manner: LARGE_OUTPUTS, codexShare: 0 });
}

/**
 * Writes the corpus unless an earlier run did.
 *
 * @param {Shape} corpus
 * @returns {Stage}
 */
export function stage(corpus) {
  const folder = join(CACHE, `${corpus.seed}-${digest([CORPUS_VERSION, corpus])}`);
  const home = join(folder, "home");
  const factsPath = join(folder, "facts.json");
  const finished = { name: corpus.seed, home, yoreHome: join(folder, "yore") };
  if (existsSync(factsPath)) return { ...finished, facts: JSON.parse(readFileSync(factsPath, "utf8")) };
  removeCorpus(folder);
  mkdirSync(home, { recursive: true });
  const facts = writeCorpus(home, corpus, (done) => tell(`writing corpus ${corpus.seed}`, done, corpus.files));
  // Last and at once, so that half a corpus is never taken for a whole one.
  writeFileSync(`${factsPath}.part`, JSON.stringify(facts));
  renameSync(`${factsPath}.part`, factsPath);
  return { ...finished, facts };
}

/**
 * Indexes the corpus unless an earlier run did so with the same schema and the same readers.
 *
 * @param {Shape} corpus
 * @param {Inside} inside
 * @param {{ fresh?: boolean }} [options] `fresh` indexes in any case.
 * @returns {Promise<Stage>}
 */
export async function indexedStage(corpus, inside, { fresh = false } = {}) {
  const staged = stage(corpus);
  const versions = inside.sources.map((source) => `${source.agent} ${source.version}`);
  const key = digest([inside.migrations, inside.DERIVATION_VERSION, versions]);
  const yoreHome = `${staged.yoreHome}-${key}`;
  const donePath = join(yoreHome, "bench-done");
  if (fresh || !existsSync(donePath)) rmSync(yoreHome, { recursive: true, force: true });
  // Also where it was done before: what the program now reads otherwise is read here and not while something is timed.
  await indexAll({ ...staged, yoreHome }, inside);
  writeFileSync(donePath, "");
  return { ...staged, yoreHome };
}

/**
 * The environment of a process that is to see only this stage.
 *
 * @param {Stage} staged
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentOf({ home, yoreHome }) {
  return { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC", NO_COLOR: "1" };
}

/**
 * What ingest and search take of a stage, with a store that the caller closes.
 *
 * @param {Stage} staged
 * @param {Inside} inside
 */
export async function opened({ home, yoreHome }, inside) {
  const clock = Date.now;
  const store = await inside.openSqliteStore(inside.storePathIn(yoreHome), clock);
  const environment = { home, platform: process.platform, variables: {}, workFolders: [] };
  return { store, sources: inside.sources, environment, archive: inside.archivePathIn(yoreHome), clock };
}

/**
 * @param {Stage} staged
 * @param {Inside} inside
 */
async function indexAll(staged, inside) {
  const dependencies = await opened(staged, inside);
  await inside.catchUp(dependencies, {
    onProgress: ({ filesDone, files }) => tell(`indexing ${staged.name}`, filesDone + 1, files),
  });
  await dependencies.store.close();
}

let toldAt = 0;

/** Progress, at most once a second. */
function tell(what, done, of) {
  if (done !== of && performance.now() - toldAt < 1_000) return;
  toldAt = performance.now();
  process.stderr.write(`${what}: ${done} of ${of}\n`);
}

function shape(seed, rest) {
  return { seed, codexShare: 0.08, projects: 25, ...rest };
}

function digest(value) {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}
