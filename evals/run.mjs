import { parseArgs } from "node:util";
import { inside } from "./lib/inside.mjs";
import { prompts } from "./prompts.mjs";
import { types } from "./types.mjs";

/**
 * What a set is given.
 *
 * @typedef {object} Context
 * @property {typeof import("./entry.ts")} inside
 * @property {string} data What `--data` names: a file or a folder. Empty for a set that brings its own.
 *
 * And what it gives back: a report to print as JSON, and the same for people.
 *
 * @typedef {object} Outcome
 * @property {object} report
 * @property {string} text
 */

/** One file each. */
const SETS = { types, prompts };
/** Those that bring all they need. */
const WHOLE = [prompts];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: "string" }, json: { type: "boolean", default: false } },
});
const [name = ""] = positionals;
const set = Object.hasOwn(SETS, name) ? SETS[name] : undefined;
if (set === undefined || positionals.length > 1 || (values.data === undefined && !WHOLE.includes(set))) {
  process.stderr.write(`usage: npm run eval -- <${Object.keys(SETS).join("|")}> [--data <path>] [--json]\n`);
  process.exitCode = 2;
} else {
  const { report, text } = await set({ inside: await inside(), data: values.data ?? "" });
  process.stdout.write(values.json ? `${JSON.stringify({ set: name, ...report })}\n` : `${text}\n`);
}
