import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineIdOf, sessionIdOf, writeClaudeHome } from "./claude-home.mjs";
import { NoData } from "./find-data.mjs";
import { messagesOf } from "./messages-of.mjs";

/** As many hits as are looked through. */
export const DEPTH = 100;
/** A question is timed as people ask it. */
const SHOWN = 10;
/** Questions are asked a day after the last message of their project. */
const LATER_MS = 86_400_000;

/**
 * Runs `work` with a memory of conversations: written as an agent's history, indexed and asked by what the product
 * itself has. It is removed afterwards, or stays in the folder `keep`, where a later run finds it.
 *
 * @template T
 * @param {typeof import("../entry.ts")} inside
 * @param {{ conversations: readonly import("./claude-home.mjs").Conversation[], keep?: string, engine?: string }} options
 * @param {(memory: Awaited<ReturnType<typeof openMemory>>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function remembering(inside, { conversations, keep, engine }, work) {
  const folder = keep ?? mkdtempSync(join(tmpdir(), "yore-eval-"));
  try {
    const memory = await openMemory(inside, folder, conversations, engine);
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {typeof import("../entry.ts")} inside
 * @param {string} folder
 * @param {readonly import("./claude-home.mjs").Conversation[]} conversations
 * @param {string} engine Which makes vectors, of those of `yore vectors`, or `off`.
 */
async function openMemory(inside, folder, conversations, engine = "static") {
  const home = join(folder, "home");
  if (!existsSync(home)) {
    // One that was written in part is not taken for a whole one.
    writeClaudeHome(`${home}.part`, conversations);
    renameSync(`${home}.part`, home);
  }
  const ends = latest(conversations);
  let now = Math.max(...ends.values()) + LATER_MS;
  const clock = () => now;
  const yoreHome = join(folder, "yore");
  const storePath = inside.storePathIn(yoreHome);
  const store = await inside.openSqliteStore(storePath, clock);
  const yore = inside.createLocalYore({
    store,
    ...(engine !== "off" && { vectors: new inside.Vectors(store, clock, inside.tokenTable) }),
    vectorSetting: { read: () => ({ engine }), write: () => undefined },
    sources: inside.sources,
    environment: { home, platform: process.platform, variables: {}, workFolders: [] },
    clock,
    timeZone: "UTC",
    yoreHome,
    storePath,
    catchUpMs: 60_000,
    firstPassWhole: true,
  });
  const beforeMb = megabytes(process.memoryUsage.rss());
  const started = performance.now();
  const { sessions, messages, observations } = await yore.index();
  const seconds = Math.round(performance.now() - started) / 1_000;
  const indexedMb = peakMb();
  const vectors = await vectorsBy(yore, engine);
  const names = namesIn(inside, conversations);
  return {
    index: { sessions, messages, observations, seconds },
    vectors,
    /** Of the whole process, which has the data in it: before indexing, and at most until it ended and by now. */
    memory: () => ({ beforeMb, indexedMb, peakMb: peakMb() }),
    /**
     * @param {string} project
     * @param {string} query
     */
    async ask(project, query) {
      now = ends.get(project) + LATER_MS;
      const request = { query, filter: { project } };
      const asked = performance.now();
      await yore.search({ ...request, limit: SHOWN });
      const ms = performance.now() - asked;
      const { hits, tier } = await yore.search({ ...request, limit: DEPTH });
      return {
        ms,
        tier,
        messages: messagesOf(hits).map((id) => known(names.messages, id)),
        sessions: [...new Set(hits.map(({ session }) => known(names.sessions, session.id)))],
      };
    },
    close: () => yore.close(),
  };
}

/** Before anything is asked. @param {import("../../src/service/yore.ts").Yore} yore */
async function vectorsBy(yore, engine) {
  if (engine === "off" || engine === "static") return { engine };
  const started = performance.now();
  const { to, embedded, outcome } = await yore.makeVectors({ engine: { engine } });
  if (outcome !== "done") throw new Error(`Vectors of ${engine}: ${outcome}`);
  return { engine, by: to, embedded, seconds: Math.round(performance.now() - started) / 1_000 };
}

function known(names, id) {
  const name = names.get(id);
  if (name === undefined) throw new NoData("What was kept is of other data: remove the folder.");
  return name;
}

/** When each project's last message was written. */
function latest(conversations) {
  const ends = new Map();
  for (const { project, entries } of conversations) {
    for (const { at } of entries) ends.set(project, Math.max(at, ends.get(project) ?? at));
  }
  return ends;
}

function peakMb() {
  return megabytes(process.resourceUsage().maxRSS * 1_024);
}

function megabytes(bytes) {
  return Math.round(bytes / 1_048_576);
}

/** What the set calls what the product has other ids for. */
function namesIn({ formatUid, messageUid }, conversations) {
  const entries = conversations.flatMap((conversation) => conversation.entries);
  return {
    sessions: new Map(conversations.map((conversation) => [sessionIdOf(conversation), conversation.id])),
    messages: new Map(entries.map((entry) => [formatUid(messageUid("claude-code", lineIdOf(entry))), entry.id])),
  };
}
