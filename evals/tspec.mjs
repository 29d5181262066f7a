import { basename } from "node:path";
import { NoData, readJsonWith } from "./lib/find-data.mjs";
import { hitAt, reciprocalRank } from "./lib/metrics.mjs";
import { retrieval } from "./lib/retrieval.mjs";

const KINDS = { user: "prompt", assistant: "answer", thinking: "thinking", tool_use: "call", tool_result: "result" };
const PROJECT = "tspec";

/**
 * Whether the subject of a commit leads to the session in which it was made.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function tspec(context) {
  return retrieval(context, readTspec(findSessions(context.data, context.half)), {
    sought: "sessions",
    measure: ({ sessions }, { gold }) => ({
      "sessions/hit@1": hitAt(sessions, gold, 1),
      "sessions/hit@5": hitAt(sessions, gold, 5),
      "sessions/hit@10": hitAt(sessions, gold, 10),
      "sessions/mrr": reciprocalRank(sessions, gold),
    }),
  });
}

/** Where there are files of both halves, they are told apart by name. */
export function findSessions(path, half) {
  const all = readJsonWith(path, /"messages"/).filter(
    ({ json }) => typeof json.messages?.[0]?.s === "string" && Array.isArray(json.questions),
  );
  const named = all.filter(({ path: file }) => /test/i.test(basename(file)) === (half === "test"));
  const [found] = all.length > 1 && half !== undefined ? named : all;
  if (found === undefined) throw new NoData("There are no sessions and questions about commits there.");
  return found.json;
}

/**
 * @param {{ messages: readonly { s: string, k: string, t: string, ts: string }[], questions: readonly { q: string, g: readonly string[] }[] }} found
 * @returns {import("./lib/retrieval.mjs").Collection}
 */
export function readTspec({ messages, questions: asked }) {
  const sessions = new Map();
  for (const [at, { s, k, t, ts }] of messages.entries()) {
    const entries = sessions.get(s) ?? [];
    sessions.set(s, entries);
    entries.push({ id: `message ${at}`, kind: KINDS[k] ?? "answer", text: t, at: Date.parse(ts) });
  }
  const conversations = [...sessions].map(([id, entries]) => ({ id, project: PROJECT, entries }));
  const questions = asked
    .map(({ q, g }) => ({ text: q, project: PROJECT, gold: new Set(g.filter((id) => sessions.has(id))) }))
    .filter(({ gold }) => gold.size > 0);
  return { conversations, questions, leftOut: asked.length - questions.length };
}
