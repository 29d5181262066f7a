import { readFileSync } from "node:fs";
import { percentile } from "../../bench/lib/measure.mjs";
import { bm25 } from "./bm25.mjs";
import { DEPTH, remembering } from "./memory.mjs";
import { interval, mean } from "./metrics.mjs";

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
 * @typedef {{ question: Question, own: Ranking, ms: number, plain: Ranking }} Asked
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
export async function retrieval({ inside, half, keep, misses }, collection, task) {
  const { conversations, questions, leftOut } = collection;
  const { asked, index, memory } = await askAll(inside, keep, collection);
  const own = asked.map((one) => task.measure(one.own, one.question));
  const plain = asked.map((one) => task.measure(one.plain, one.question));
  const { intervals, ...figures } = summary(own);
  const times = asked.map(({ ms }) => ms);
  const report = {
    ...(half !== undefined && { half }),
    questions: questions.length,
    leftOut,
    ...figures,
    ms: { p50: rounded(percentile(times, 0.5)), p95: rounded(percentile(times, 0.95)) },
    intervals,
    groups: grouped(questions, own),
    baseline: { name: "bm25", ...summary(plain), groups: grouped(questions, plain) },
    index,
    memory,
    settings: { depth: DEPTH, projects: new Set(conversations.map(({ project }) => project)).size, ...versions() },
    ...(misses && { misses: missed(asked, task) }),
  };
  return { report, text: describe(report) };
}

/** @returns {Promise<{ asked: Asked[], index: object, memory: object }>} */
async function askAll(inside, keep, { conversations, questions }) {
  const { answers, index, memory } = await remembering(inside, { conversations, keep }, async (yore) => {
    const answers = [];
    for (const { project, text } of questions) answers.push(await yore.ask(project, text));
    return { answers, index: yore.index, memory: yore.memory() };
  });
  const plain = bm25(conversations);
  const asked = questions.map((question, at) => {
    const { ms, ...own } = answers[at];
    return { question, own, ms, plain: plain.ask(question.project, question.text, PLAIN_DEPTH) };
  });
  plain.close();
  return { asked, index, memory };
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

/** The same for each kind of question; undefined, and so absent, where there is one kind. */
function grouped(questions, measured) {
  const groups = [...new Set(questions.flatMap(({ group }) => group ?? []))].sort();
  if (groups.length === 0) return undefined;
  return Object.fromEntries(
    groups.map((group) => {
      const { intervals: _, ...figures } = summary(measured.filter((_, at) => questions[at].group === group));
      return [group, { questions: questions.filter((one) => one.group === group).length, ...figures }];
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

function describe({
  half,
  questions,
  leftOut,
  ms,
  intervals,
  groups,
  baseline,
  index,
  memory,
  misses = [],
  ...figures
}) {
  const lines = [
    `${questions} questions${half === undefined ? "" : ` of the ${half} half`}, ${leftOut} left out; ${index.sessions} sessions, ${index.messages} messages, ${index.observations} observations, indexed in ${index.seconds} s`,
    `p50 ${ms.p50} ms, p95 ${ms.p95} ms a question; memory ${memory.beforeMb} MB before indexing, ${memory.peakMb} MB at most`,
    "",
    `${"".padEnd(22)}${cell("Yore", 7)}  ${"95 % interval".padEnd(13)}${cell("BM25", 7)}  95 % interval`,
  ];
  for (const [of, metrics] of Object.entries(intervals)) {
    for (const metric of Object.keys(metrics)) {
      const row = (one) =>
        `${cell(show(one[of][metric]), 7)}  ${one.intervals[of][metric].map(show).join(" to ").padEnd(13)}`;
      lines.push(`${`${of} ${metric}`.padEnd(22)}${row({ ...figures, intervals })}${row(baseline)}`.trimEnd());
    }
  }
  for (const [group, { questions: count, ...own }] of Object.entries(groups ?? {})) {
    lines.push("", `${group}: ${count} questions`);
    for (const [of, metrics] of Object.entries(own)) {
      for (const [metric, value] of Object.entries(metrics)) {
        const plain = baseline.groups[group][of][metric];
        lines.push(`${`  ${of} ${metric}`.padEnd(22)}${cell(show(value), 7)}${" ".repeat(15)}${cell(show(plain), 7)}`);
      }
    }
  }
  if (misses.length > 0) lines.push("", `none among the first ${SEEN} (its places in Yore; in BM25):`);
  for (const { question, project, group, places, baseline: plain } of misses) {
    lines.push(`${[project, group].filter(Boolean).join(" ")}: ${question} (${told(places)}; ${told(plain)})`);
  }
  return lines.join("\n");
}

function told(places) {
  return Object.entries(places)
    .map(([id, place]) => `${id} ${place ?? "–"}`)
    .join(", ");
}

function show(value) {
  return value.toFixed(1);
}

function cell(value, width) {
  return String(value).padStart(width);
}
