import { readFileSync } from "node:fs";
import { indexed } from "./lib/indexed.mjs";

/**
 * @typedef {object} Label A turn, by the message that opens it, and what it is; `README.md` has the guide.
 * @property {string} agent
 * @property {string} session
 * @property {string} message
 * @property {"development" | "test"} half
 * @property {import("../src/core/session.ts").ObservationType} type
 * @property {"stated" | "answered" | "none"} decision
 */

const LABELS = new URL("types/labels.jsonl", import.meta.url);
const EVERY_MESSAGE = { offset: 0, limit: 1_000_000 };

/**
 * How well rules find the types of turns, and the decisions in them.
 *
 * @param {import("./run.mjs").Context} context `data` is the home folder that the labelled sessions are in.
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function types({ inside, data }) {
  const labels = readLabels();
  const found = await indexed(inside, data, (store) => findAll(inside, store, labels));
  const halves = {};
  for (const half of ["development", "test"]) {
    halves[half] = judge(
      inside.OBSERVATION_TYPES,
      found.filter((one) => one.label.half === half),
    );
  }
  const report = { turns: found.length, missing: labels.length - found.length, halves };
  return { report, text: describe(report) };
}

/** @returns {Label[]} */
function readLabels() {
  return readFileSync(LABELS, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** What the rules say of each labelled turn that is there. */
async function findAll({ digest }, store, labels) {
  const found = [];
  let session;
  for (const label of labels) {
    if (session?.native !== label.session) session = await readSession(store, label);
    const at = session.messages.findIndex(({ uid }) => uid === label.message);
    if (at < 0) continue;
    const turn = turnFrom(session.messages, at);
    const observation = session.observations.find(({ firstSeq }) => firstSeq === turn[0].seq);
    const decisions = digest(turn).decisions.filter(({ by }) => by !== "agent");
    const decides = decisions.length > 0 || observation?.type === "decision";
    found.push({ label, type: observation?.type, decides });
  }
  return found;
}

async function readSession(store, { agent, session }) {
  const stored = await store.sessions.byKey({ agent, nativeId: session });
  if (stored === undefined) return { native: session, messages: [], observations: [] };
  const { items } = await store.sessions.messages(stored.id, {}, EVERY_MESSAGE);
  const within = { before: 0, after: EVERY_MESSAGE.limit, session: stored.id };
  const { after } = await store.observations.around(0, { subagents: true }, within);
  return { native: session, messages: items, observations: after };
}

/** The message at a place, and all after it until a person speaks again. */
function turnFrom(messages, from) {
  const next = messages.findIndex(({ role }, at) => at > from && role === "human");
  return messages.slice(from, next < 0 ? messages.length : next);
}

function judge(types, found) {
  const count = (test) => found.filter(test).length;
  const confusion = {};
  const perType = {};
  for (const type of types) {
    const labelled = count(({ label }) => label.type === type);
    const given = count((one) => one.type === type);
    const right = count((one) => one.type === type && one.label.type === type);
    if (labelled + given === 0) continue;
    perType[type] = { labelled, given, right, precision: percent(right, given), recall: percent(right, labelled) };
    confusion[type] = {};
    for (const other of types) {
      const times = count((one) => one.label.type === type && one.type === other);
      if (times > 0) confusion[type][other] = times;
    }
  }
  const largest = Math.max(0, ...Object.values(perType).map(({ labelled }) => labelled));
  const right = count((one) => one.type === one.label.type);
  return {
    turns: found.length,
    accuracy: percent(right, found.length),
    majority: percent(largest, found.length),
    types: perType,
    confusion,
    decisions: judgeDecisions(count),
  };
}

function judgeDecisions(count) {
  const given = count(({ decides }) => decides);
  const right = count(({ label, decides }) => decides && label.decision !== "none");
  const recall = {};
  for (const kind of ["stated", "answered"]) {
    const labelled = count(({ label }) => label.decision === kind);
    const hit = count(({ label, decides }) => decides && label.decision === kind);
    recall[kind] = { labelled, found: hit, recall: percent(hit, labelled) };
  }
  const labelled = recall.stated.labelled + recall.answered.labelled;
  return { labelled, given, right, precision: percent(right, given), recall: percent(right, labelled), kinds: recall };
}

/** One decimal; undefined, and so absent, of nothing. */
function percent(part, whole) {
  return whole === 0 ? undefined : Math.round((1000 * part) / whole) / 10;
}

function describe({ turns, missing, halves }) {
  const lines = [`${turns} turns${missing === 0 ? "" : `, ${missing} labelled ones are not in the data`}`];
  for (const [half, judged] of Object.entries(halves)) {
    lines.push(
      "",
      `${half}: ${judged.turns} turns, ${show(judged.accuracy)} right; the most frequent type alone: ${show(judged.majority)}`,
      "type        labelled  given  right  precision  recall  given as",
    );
    for (const [type, one] of Object.entries(judged.types)) {
      const given = Object.entries(judged.confusion[type]).map(([other, times]) => `${other} ${times}`);
      lines.push(
        `${type.padEnd(12)}${cell(one.labelled, 8)}${cell(one.given, 7)}${cell(one.right, 7)}${cell(show(one.precision), 11)}${cell(show(one.recall), 8)}  ${given.join(", ")}`,
      );
    }
    const { decisions } = judged;
    const kinds = Object.entries(decisions.kinds).map(([kind, one]) => `${kind} ${one.found} of ${one.labelled}`);
    lines.push(
      `decisions: ${decisions.right} right of ${decisions.given} found (${show(decisions.precision)}), of ${decisions.labelled} labelled (${show(decisions.recall)}): ${kinds.join(", ")}`,
    );
  }
  return lines.join("\n");
}

function show(value) {
  return value === undefined ? "–" : `${value} %`;
}

function cell(value, width) {
  return String(value).padStart(width);
}
