import { readFileSync } from "node:fs";
import { percentile } from "../../bench/lib/measure.mjs";
import { bm25 } from "./bm25.mjs";
import { compare, readOther } from "./compare.mjs";
import { DEPTH, remembering } from "./memory.mjs";
import { interval, mean } from "./metrics.mjs";
import { describeRetrieval } from "./retrieval-text.mjs";

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string} project Where it is asked.
 * @property {ReadonlySet<string>} gold What answers it: ids of messages, or of conversations.
 * @property {string} [group] What kind of question it is.
 *
 * @typedef {object} Collection A set that was read: what is remembered, and what is asked.
 * @property {readonly import("./claude-home.mjs").Conversation[]} conversations
 * @property {readonly Question[]} questions
 * @property {number} leftOut Questions that have no answer in the data.
 *
 * @typedef {object} Ranking What was found, best first, each once.
 * @property {readonly string[]} messages
 * @property {readonly string[]} sessions
 *
 * @typedef {object} Task
 * @property {(ranking: Ranking, question: Question) => Record<string, number>} measure Shares from 0 to 1, by names like
 *   `turns/recall@10`.
 * @property {"messages" | "sessions"} sought What the gold names.
 *
 * @typedef {{ question: Question, own: Ranking, ms: number, tier: string, plain: Ranking }} Asked
 */

/** Messages of which BM25 makes its lists; there are many in one of our hits. */
const PLAIN_DEPTH = 1_000;
/** Questions whose answers are all behind this place are told as missed. */
const SEEN = 10;

/**
 * Asks all questions of a set, of the product and of plain BM25, and sums up.
 *
 * @param {import("../run.mjs").Context} context
 * @param {Collection} collection
 * @param {Task} task
 * @returns {Promise<import("../run.mjs").Outcome>}
 */
export async function retrieval({ inside, half, keep, engine, misses, each: isEach, against }, collection, task) {
  const { conversations, questions, leftOut } = collection;
  const { asked, index, memory, vectors } = await askAll(inside, { keep, engine }, collection);
  const own = asked.map((one) => task.measure(one.own, one.question));
  const plain = asked.map((one) => task.measure(one.plain, one.question));
  const { intervals, ...figures } = summary(own);
  const each = questions.map(({ text, project }, at) => ({ project, question: text, measured: own[at] }));
  const other = against === undefined ? undefined : readOther(against, each);
  const kinds = questions.map(({ group }) => group);
  const tiers = asked.map(({ tier }) => tier);
  const times = asked.map(({ ms }) => ms);
  const report = {
    ...(half !== undefined && { half }),
    questions: questions.length,
    leftOut,
    ...figures,
    ms: { p50: rounded(percentile(times, 0.5)), p95: rounded(percentile(times, 0.95)) },
    intervals,
    groups: grouped(kinds, own),
    tiers: grouped(tiers, own),
    baseline: { name: "bm25", ...summary(plain), groups: grouped(kinds, plain), tiers: grouped(tiers, plain) },
    index,
    vectors,
    memory,
    settings: { depth: DEPTH, projects: new Set(conversations.map(({ project }) => project)).size, ...versions() },
    ...(other !== undefined && { against: compare(other, own) }),
    ...(misses && { misses: missed(asked, task) }),
    ...(isEach && { each }),
  };
  return { report, text: describeRetrieval(report, SEEN) };
}

/** @returns {Promise<{ asked: Asked[], index: object, memory: object, vectors: object }>} */
async function askAll(inside, { keep, engine }, { conversations, questions }) {
  const { answers, index, memory, vectors } = await remembering(
    inside,
    { conversations, keep, engine },
    async (yore) => {
      const answers = [];
      for (const { project, text } of questions) answers.push(await yore.ask(project, text));
      return { answers, index: yore.index, memory: yore.memory(), vectors: yore.vectors };
    },
  );
  const plain = bm25(conversations);
  const asked = questions.map((question, at) => {
    const { ms, tier, ...own } = answers[at];
    return { question, own, ms, tier, plain: plain.ask(question.project, question.text, PLAIN_DEPTH) };
  });
  plain.close();
  return { asked, index, memory, vectors };
}

/** Means in percent, and where they lie, by what they are of. @param {readonly Record<string, number>[]} measured */
function summary(measured) {
  const figures = {};
  const intervals = {};
  for (const name of Object.keys(measured[0] ?? {})) {
    const values = measured.map((one) => one[name]);
    const [of, metric] = name.split("/");
    figures[of] = { ...figures[of], [metric]: percent(mean(values)) };
    intervals[of] = { ...intervals[of], [metric]: interval(values).map(percent) };
  }
  return { ...figures, intervals };
}

/** The same for each group of questions; undefined, and so absent, where there are no groups. */
function grouped(groupOf, measured) {
  const groups = [...new Set(groupOf)].filter((group) => group !== undefined).sort();
  if (groups.length === 0) return undefined;
  return Object.fromEntries(
    groups.map((group) => {
      const within = measured.filter((_, at) => groupOf[at] === group);
      const { intervals: _, ...figures } = summary(within);
      return [group, { questions: within.length, ...figures }];
    }),
  );
}

/** Questions of which no answer is among the first. @param {readonly Asked[]} asked @param {Task} task */
function missed(asked, { sought }) {
  return asked.flatMap(({ question, own, plain }) => {
    const placesIn = (ranking) =>
      Object.fromEntries([...question.gold].map((id) => [id, ranking[sought].indexOf(id) + 1 || null]));
    const places = placesIn(own);
    if (Object.values(places).some((place) => place !== null && place <= SEEN)) return [];
    const { text, project, group } = question;
    return [{ question: text, project, ...(group !== undefined && { group }), places, baseline: placesIn(plain) }];
  });
}

function versions() {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return { version, node: process.versions.node };
}

function percent(share) {
  return Math.round(share * 1_000) / 10;
}

function rounded(ms) {
  return Math.round(ms * 10) / 10;
}
