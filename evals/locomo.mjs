import { projectWord } from "./lib/claude-home.mjs";
import { NoData, readJsonWith } from "./lib/find-data.mjs";
import { hitAt, ndcgAt, recallAt } from "./lib/metrics.mjs";
import { retrieval } from "./lib/retrieval.mjs";

/** What the numbers of its categories mean. */
const CATEGORIES = ["", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"];
/** The other five are for testing. */
const DEVELOPMENT = ["conv-26", "conv-30", "conv-41", "conv-42", "conv-43"];
const BETWEEN_TURNS_MS = 60_000;

/**
 * Whether a question about a long friendship is led to the turns, and the days, that answer it.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function locomo(context) {
  const samples = findSamples(context.data, context.half);
  const collection = readLocomo(samples);
  const sessionOf = new Map(
    collection.conversations.flatMap(({ id, entries }) => entries.map((entry) => [entry.id, id])),
  );
  return retrieval(context, collection, {
    sought: "messages",
    measure({ messages, sessions }, { gold }) {
      const days = new Set([...gold].map((turn) => sessionOf.get(turn)));
      return {
        "sessions/hit@1": hitAt(sessions, days, 1),
        "sessions/hit@5": hitAt(sessions, days, 5),
        "sessions/hit@10": hitAt(sessions, days, 10),
        "sessions/recall@5": recallAt(sessions, days, 5),
        "sessions/recall@10": recallAt(sessions, days, 10),
        "turns/recall@5": recallAt(messages, gold, 5),
        "turns/recall@10": recallAt(messages, gold, 10),
        "turns/recall@20": recallAt(messages, gold, 20),
        "turns/ndcg@10": ndcgAt(messages, gold, 10),
      };
    },
  });
}

export function findSamples(path, half) {
  const samples = readJsonWith(path, /"sample_id"/)
    .flatMap(({ json }) => (Array.isArray(json) ? json : [json]))
    .filter((one) => Array.isArray(one?.qa) && typeof one.conversation === "object")
    .filter(({ sample_id }) => half === undefined || (half === "development") === DEVELOPMENT.includes(sample_id));
  if (samples.length === 0)
    throw new NoData(`There are no conversations of LoCoMo${half ? ` of that half` : ""} there.`);
  return samples;
}

/**
 * Each conversation is a project, each of its dated sessions a session. Both who speak are people, so every turn is a
 * prompt, with the name of its speaker and what is said of the picture that was sent.
 *
 * @param {readonly any[]} samples
 * @returns {import("./lib/retrieval.mjs").Collection}
 */
export function readLocomo(samples) {
  const conversations = [];
  const questions = [];
  let leftOut = 0;
  for (const { sample_id, conversation, qa } of samples) {
    const project = projectWord("locomo", sample_id);
    const own = sessionsOf(conversation).map(({ name, startedAt, turns }) => ({
      id: `${sample_id}/${name}`,
      project,
      entries: turns.map((turn, at) => ({
        id: `${sample_id}/${turn.dia_id}`,
        kind: "prompt",
        text: textOf(turn),
        at: startedAt + at * BETWEEN_TURNS_MS,
      })),
    }));
    conversations.push(...own);
    const known = new Set(own.flatMap(({ entries }) => entries.map(({ id }) => id)));
    for (const { question, evidence, category } of qa) {
      const gold = turnsNamed(evidence).map((turn) => `${sample_id}/${turn}`);
      const there = new Set(gold.filter((id) => known.has(id)));
      if (there.size === 0) leftOut += 1;
      else
        questions.push({ text: question, project, gold: there, group: CATEGORIES[category] ?? `category ${category}` });
    }
  }
  return { conversations, questions, leftOut };
}

function sessionsOf(conversation) {
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .map((name) => ({
      name,
      startedAt: parseDay(conversation[`${name}_date_time`]),
      turns: conversation[name],
    }))
    .toSorted((a, b) => a.startedAt - b.startedAt);
}

/** `1:56 pm on 8 May, 2023` */
function parseDay(text) {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text.trim()) ?? [];
  const at = Date.parse(`${day} ${month} ${year} 00:00 UTC`);
  if (Number.isNaN(at)) throw new NoData(`A session of LoCoMo has no date: ${text}`);
  return at + (((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}

function textOf({ speaker, text, blip_caption, query }) {
  const shown = [blip_caption, query].filter(Boolean);
  return `${speaker}: ${text}${shown.length === 0 ? "" : ` [shares ${shown.join("; ")}]`}`;
}

/** `D8:6; D9:17` names two, `D:11:26` is a slip of the pen, and some name none. */
function turnsNamed(evidence = []) {
  return evidence.flatMap((named) =>
    [...String(named).matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
  );
}
