import { closeSync, mkdirSync, openSync, rmSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeCodeSession, uuidOf } from "./corpus/claude-code.mjs";
import { codexSession } from "./corpus/codex.mjs";
import { random, zipf } from "./corpus/random.mjs";
import { turn } from "./corpus/session.mjs";
import { topic, writer } from "./corpus/text.mjs";
import { vocabulary } from "./corpus/words.mjs";

/** Raised when the same shape would give other bytes, so that cached corpora are made anew. */
export const CORPUS_VERSION = 1;

/** The moment every corpus ends, and the `now` of every search in it. */
export const CORPUS_END = Date.UTC(2026, 5, 1);
const SPAN_MS = 400 * 86_400_000;
const FLUSH_BYTES = 4_000_000;
const SAMPLES = 600;

/**
 * What to write. Give `bytes` or `turns`; the other one follows.
 *
 * @typedef {object} Shape
 * @property {string} seed
 * @property {number} files
 * @property {number} [bytes] Of all files together, about.
 * @property {number} [turns] Of all files together.
 * @property {number} spread How unequal the files are; 0 makes them alike.
 * @property {import("./corpus/session.mjs").Manner} manner
 * @property {number} codexShare Of the files.
 * @property {number} projects
 */

/**
 * What was written.
 *
 * @typedef {object} Facts
 * @property {number} files
 * @property {number} bytes
 * @property {number} turns
 * @property {readonly Sample[]} samples Some of the turns, for making queries that find something.
 *
 * @typedef {{ project: string, at: number, prompt: string, answer: string, names: readonly string[], paths: readonly string[], words: readonly string[] }} Sample
 */

/**
 * Writes the history of agents below a folder that then serves as HOME. The same shape gives the same bytes.
 *
 * @param {string} home
 * @param {Shape} shape
 * @param {(filesDone: number) => void} [onProgress]
 * @returns {Facts}
 */
export function writeCorpus(home, shape, onProgress = () => {}) {
  const words = vocabulary();
  const chance = random(`${shape.seed} corpus`);
  const shares = sharesOf(random(`${shape.seed} shares`), shape.files, shape.spread);
  const projects = Array.from({ length: shape.projects }, () => `${words.rare(chance)}-${words.trade(chance)}`);
  const projectRank = zipf(projects.length, 0.9);
  const instructions = writer(chance, words, topic(chance, words)).prose(14_000);
  const sampleEvery = Math.max(1, Math.floor(shape.files / SAMPLES));
  const samples = [];
  let bytes = 0;
  let turns = 0;
  for (let index = 0; index < shape.files; index++) {
    const own = random(`${shape.seed} ${index}`);
    const about = topic(own, words);
    const project = projects[projectRank(own)];
    const written = writeSession(home, {
      chance: own,
      write: writer(own, words, about),
      shape,
      project,
      instructions,
      // Files come into being in the order of their sessions.
      startedAt: CORPUS_END - SPAN_MS + Math.floor((SPAN_MS * 0.99 * index) / shape.files),
      limit: shares[index] * (shape.bytes ?? shape.turns ?? 0),
      isCodex: own.chance(shape.codexShare),
    });
    bytes += written.bytes;
    turns += written.turns;
    if (index % sampleEvery === 0) samples.push({ project, ...written.sample, ...about });
    onProgress(index + 1);
  }
  return { files: shape.files, bytes, turns, samples };
}

/**
 * Lines that could follow in a file of Claude Code, each with the newline: a prompt and an answer in turn.
 *
 * @param {string} file
 * @param {string} seed
 * @param {number} count
 */
export function furtherLines(file, seed, count) {
  const words = vocabulary();
  const chance = random(`${seed} further`);
  const write = writer(chance, words, topic(chance, words));
  const session = claudeCodeSession(chance, {
    session: file.replace(/^.*[\\/]|\.jsonl$/g, ""),
    cwd: "/home/dev/work/further",
    branch: "main",
    startedAt: CORPUS_END,
    signature: [100, 0, 100],
  });
  const lines = [];
  while (lines.length < count) {
    const said = { prompt: write.prose(120), steps: [], answer: write.prose(300) };
    lines.push(...session.turn(said).filter((line) => /"type":"(user|assistant)"/.test(line)));
  }
  return lines.slice(0, count).map((line) => `${line}\n`);
}

function writeSession(home, { chance, write, shape, project, instructions, startedAt, limit, isCodex }) {
  const facts = {
    session: uuidOf(chance),
    cwd: `/home/dev/work/${project}`,
    branch: chance.pick(["main", "main", "main", `feature/${write.topical()}`]),
    startedAt,
    instructions,
    signature: shape.manner.signature,
  };
  const path = isCodex ? codexPath(home, facts) : claudePath(home, facts);
  mkdirSync(dirname(path), { recursive: true });
  const session = isCodex ? codexSession(chance, facts) : claudeCodeSession(chance, facts);
  const file = openSync(path, "w");
  let pending = [];
  let pendingBytes = 0;
  let bytes = 0;
  const flush = () => {
    if (pending.length > 0) writeSync(file, `${pending.join("\n")}\n`);
    pending = [];
    pendingBytes = 0;
  };
  const add = (lines) => {
    for (const line of lines) {
      pending.push(line);
      pendingBytes += Buffer.byteLength(line) + 1;
      bytes += Buffer.byteLength(line) + 1;
    }
    if (pendingBytes >= FLUSH_BYTES) flush();
  };
  let sample;
  let turns = 0;
  add(session.opening());
  do {
    const said = turn(chance, write, shape.manner);
    const at = session.endedAt();
    add(session.turn(said));
    turns += 1;
    // One turn from somewhere in the session, whatever its length.
    if (sample === undefined || chance.chance(1 / turns)) sample = { at, prompt: said.prompt, answer: said.answer };
  } while ((shape.bytes === undefined ? turns : bytes) < limit - 0.5);
  add(session.closing());
  flush();
  closeSync(file);
  const endedAt = session.endedAt() / 1_000;
  utimesSync(path, endedAt, endedAt);
  return { bytes, turns, sample };
}

function claudePath(home, { cwd, session }) {
  return join(home, ".claude", "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"), `${session}.jsonl`);
}

function codexPath(home, { session, startedAt }) {
  const day = new Date(startedAt).toISOString();
  const folder = join(home, ".codex", "sessions", ...day.slice(0, 10).split("-"));
  return join(folder, `rollout-${day.slice(0, 19).replaceAll(":", "-")}-${session}.jsonl`);
}

/** Parts of 1, as unequal as files of a history are. */
function sharesOf(chance, count, spread) {
  const weights = Array.from({ length: count }, () => chance.size(1_000_000, spread));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** @param {string} home */
export function removeCorpus(home) {
  rmSync(home, { recursive: true, force: true });
}
