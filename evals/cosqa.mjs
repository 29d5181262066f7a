import { basename } from "node:path";
import { NoData, readJsonWith } from "./lib/find-data.mjs";
import { hitAt, reciprocalRank } from "./lib/metrics.mjs";
import { retrieval } from "./lib/retrieval.mjs";

const STARTED_AT = Date.parse("2024-01-01T00:00:00Z");
const BETWEEN_MS = 60_000;
const PROJECT = "cosqacode";

/**
 * Whether what someone types into a search box leads to the function that does it.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function cosqa(context) {
  const { functions, asked } = findFunctions(context.data, context.half);
  return retrieval(context, readCosqa(functions, asked), {
    sought: "messages",
    measure: ({ messages }, { gold }) => ({
      "functions/mrr": reciprocalRank(messages, gold),
      "functions/mrr@10": reciprocalRank(messages.slice(0, 10), gold),
      "functions/hit@1": hitAt(messages, gold, 1),
      "functions/hit@10": hitAt(messages, gold, 10),
    }),
  });
}

/** Where there are questions of both halves, their files are told apart by name. */
export function findFunctions(path, half) {
  const files = readJsonWith(path, /"retrieval_idx"|"def /);
  const functions = files.find(({ json }) => isNumbered(json))?.json;
  const all = files.filter(({ json }) => Array.isArray(json) && typeof json[0]?.retrieval_idx === "number");
  const named = all.filter(({ path: file }) => /test/i.test(basename(file)) === (half === "test"));
  const asked = (all.length > 1 && half !== undefined ? named : all).flatMap(({ json }) => json);
  if (functions === undefined || asked.length === 0) {
    throw new NoData("There are no questions of CoSQA there, or not the functions beside them.");
  }
  return { functions, asked };
}

function isNumbered(json) {
  const numbers = Array.isArray(json) ? [] : Object.values(json);
  return numbers.length > 0 && numbers.every((one) => typeof one === "number");
}

/**
 * Each function is a prompt into which someone pasted it, in a session of its own: they are of as many programs.
 *
 * @param {Record<string, number>} functions Number by code.
 * @param {readonly { doc: string, retrieval_idx: number }[]} asked
 * @returns {import("./lib/retrieval.mjs").Collection}
 */
export function readCosqa(functions, asked) {
  const conversations = Object.entries(functions).map(([text, number]) => {
    const id = `function ${number}`;
    const entry = { id, kind: "prompt", text, at: STARTED_AT + number * BETWEEN_MS };
    return { id, project: PROJECT, entries: [entry] };
  });
  const known = new Set(conversations.map(({ id }) => id));
  const questions = asked
    .map(({ doc, retrieval_idx }) => ({ text: doc, project: PROJECT, gold: new Set([`function ${retrieval_idx}`]) }))
    .filter(({ gold }) => [...gold].every((id) => known.has(id)));
  return { conversations, questions, leftOut: asked.length - questions.length };
}
