import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const FLUSH_CHARS = 1_000_000;

/**
 * Where a session was held, by whom it is named, and when it began.
 *
 * @typedef {{ session: string, cwd: string, branch: string, startedAt: number }} Facts
 *
 * An agent's history below a home folder, session by session.
 *
 * @typedef {object} AgentWriter
 * @property {(facts: Facts, chance: import("./random.mjs").Random, turns: Iterable<import("./session.mjs").Turn>) => void} add
 * @property {() => void} close After the last session.
 */

/**
 * Writes a file piece by piece, so that its length costs no memory.
 *
 * @param {string} path
 */
export function fileStream(path) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  let pieces = [];
  let chars = 0;
  const flush = () => {
    if (pieces.length > 0) writeSync(file, pieces.join(""));
    pieces = [];
    chars = 0;
  };
  return {
    /** @param {string} text */
    write(text) {
      pieces.push(text);
      chars += text.length;
      if (chars >= FLUSH_CHARS) flush();
    },
    /** @param {object} record */
    line(record) {
      this.write(`${JSON.stringify(record)}\n`);
    },
    /** @param {number} endedAt Milliseconds. */
    end(endedAt) {
      flush();
      closeSync(file);
      utimesSync(path, endedAt / 1_000, endedAt / 1_000);
    },
  };
}

/**
 * The time as a session goes on, in milliseconds.
 *
 * @param {import("./random.mjs").Random} chance
 * @param {number} startedAt
 */
export function clockOf(chance, startedAt) {
  let at = startedAt;
  return {
    get now() {
      return at;
    },
    /** Some seconds later. */
    step: () => (at += 20 + chance.below(9_000)),
    /** When the next turn begins. */
    rest: () => (at += chance.size(120_000, 1.2)),
    iso: () => new Date(at).toISOString(),
  };
}

/**
 * A call as agents with one tool a kind name it.
 *
 * @param {import("./session.mjs").Call} call
 */
export function plainCall(call) {
  switch (call.tool) {
    case "Bash":
      return { name: "bash", input: { command: call.command } };
    case "Read":
      return { name: "read", input: { path: call.path } };
    case "Edit":
      return { name: "edit", input: { path: call.path, oldText: call.before, newText: call.after } };
    default:
      return { name: "grep", input: { pattern: call.pattern } };
  }
}
