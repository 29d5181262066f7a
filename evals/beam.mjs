import { basename, dirname } from "node:path";
import { projectWord } from "./lib/claude-home.mjs";
import { NoData, readJsonWith } from "./lib/find-data.mjs";
import { hitAt, recallAt } from "./lib/metrics.mjs";
import { retrieval } from "./lib/retrieval.mjs";

/** Chats up to this number are for development, those behind it for testing. */
const LAST_OF_DEVELOPMENT = 10;
const DAY_MS = 86_400_000;
const BETWEEN_MESSAGES_MS = 60_000;
const FIRST_HOUR_MS = 9 * 3_600_000;

/**
 * Whether a question about a long chat with an assistant is led to the messages that answer it.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function beam(context) {
  const collection = readBeam(findChats(context.data, context.half));
  const turnOf = turnsIn(collection.conversations);
  const turns = (messages) => [...new Set([...messages].map((message) => turnOf.get(message)))];
  return retrieval(context, collection, {
    sought: "messages",
    measure({ messages }, { gold }) {
      const found = turns(messages);
      const right = new Set(turns(gold));
      return {
        "messages/recall@5": recallAt(messages, gold, 5),
        "messages/recall@10": recallAt(messages, gold, 10),
        "messages/hit@10": hitAt(messages, gold, 10),
        "turns/recall@5": recallAt(found, right, 5),
        "turns/recall@10": recallAt(found, right, 10),
        "turns/hit@10": hitAt(found, right, 10),
      };
    },
  });
}

/**
 * The prompt that each message is or follows: that is what a hit hands back whole.
 *
 * @param {readonly import("./lib/claude-home.mjs").Conversation[]} conversations
 */
export function turnsIn(conversations) {
  const turnOf = new Map();
  for (const { entries } of conversations) {
    let turn = entries[0]?.id;
    for (const { id, kind } of entries) {
      if (kind === "prompt") turn = id;
      turnOf.set(id, turn);
    }
  }
  return turnOf;
}

/** A chat and its questions are in one folder, which is named by its number. */
export function findChats(path, half) {
  const folders = new Map();
  for (const { folder, json } of readJsonWith(path, /"turns"|"question"/)) {
    const own = folders.get(folder) ?? { name: nameOf(folder) };
    folders.set(folder, own);
    if (Array.isArray(json) && Array.isArray(json[0]?.turns)) own.batches = json;
    else if (isProbing(json)) own.probing = json;
  }
  const chats = [...folders.values()]
    .filter(({ batches, probing }) => batches !== undefined && probing !== undefined)
    .filter(({ name }) => half === undefined || (half === "development") === numberOf(name) <= LAST_OF_DEVELOPMENT);
  if (chats.length === 0) throw new NoData(`There are no chats of BEAM${half ? ` of that half` : ""} there.`);
  return chats;
}

/** `100K/7`: chats of other lengths have the same numbers. */
function nameOf(folder) {
  return `${basename(dirname(folder))}/${basename(folder)}`;
}

function numberOf(name) {
  return Number(basename(name));
}

function isProbing(json) {
  const abilities = Array.isArray(json) ? [] : Object.values(json);
  return abilities.length > 0 && abilities.every((one) => Array.isArray(one) && one.every((asked) => asked?.question));
}

/**
 * Each chat is a project, each batch of it a session that begins on the day it names.
 *
 * @param {readonly { name: string, batches: readonly any[], probing: Record<string, readonly any[]> }[]} chats
 * @returns {import("./lib/retrieval.mjs").Collection}
 */
export function readBeam(chats) {
  const conversations = [];
  const questions = [];
  let leftOut = 0;
  for (const { name, batches, probing } of chats) {
    const project = projectWord("beam", name);
    const known = new Set();
    let startsAt = 0;
    for (const [at, { turns }] of batches.entries()) {
      const messages = turns.flat();
      startsAt = dayOf(messages) ?? startsAt + DAY_MS;
      const entries = messages.map(({ id, role, content }, place) => ({
        id: `${name}/${id}`,
        kind: role === "user" ? "prompt" : "answer",
        text: content,
        at: startsAt + FIRST_HOUR_MS + place * BETWEEN_MESSAGES_MS,
      }));
      for (const { id } of entries) known.add(id);
      conversations.push({ id: `${name}/batch ${at + 1}`, project, entries });
    }
    for (const [ability, asked] of Object.entries(probing)) {
      for (const { question, source_chat_ids } of asked) {
        const gold = new Set(
          idsIn(source_chat_ids)
            .map((id) => `${name}/${id}`)
            .filter((id) => known.has(id)),
        );
        if (gold.size === 0) leftOut += 1;
        else questions.push({ text: question, project, gold, group: ability });
      }
    }
  }
  return { conversations, questions, leftOut };
}

/** `March-15-2024`, on the first message of a batch. */
function dayOf(messages) {
  const anchor = messages.find(({ time_anchor }) => time_anchor)?.time_anchor;
  const at = Date.parse(`${String(anchor).replaceAll("-", " ")} UTC`);
  return Number.isNaN(at) ? undefined : at;
}

/** A list of ids, lists of ids by what they are for, or nothing. */
function idsIn(named) {
  if (typeof named === "number") return [named];
  return typeof named === "object" && named !== null ? Object.values(named).flatMap(idsIn) : [];
}
