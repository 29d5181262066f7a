import { parseArgs } from "node:util";
import { beam } from "./beam.mjs";
import { cosqa } from "./cosqa.mjs";
import { NoData } from "./lib/find-data.mjs";
import { inside } from "./lib/inside.mjs";
import { locomo } from "./locomo.mjs";
import { prompts } from "./prompts.mjs";
import { tspec } from "./tspec.mjs";
import { types } from "./types.mjs";

/**
 * What a set is given.
 *
 * @typedef {object} Context
 * @property {typeof import("./entry.ts")} inside
 * @property {string} data What `--data` names: a file or a folder. Empty for a set that brings its own.
 * @property {"development" | "test"} [half] Which half of the data is asked; by default all of it.
 * @property {string} [keep] Where the index stays, for a later run.
 * @property {"off" | "static" | "minilm"} [engine] What makes vectors; by default the table that comes with the program.
 * @property {boolean} each Whether it is told how each question was answered.
 * @property {string} [against] The report of another run, which told that, to compare with.
 * @property {boolean} misses Whether what was not found is told.
 *
 * And what it gives back: a report to print as JSON, and the same for people.
 *
 * @typedef {object} Outcome
 * @property {object} report
 * @property {string} text
 */

/** One file each. */
const SETS = { types, prompts, locomo, beam, cosqa, tspec };
/** Those that bring all they need. */
const WHOLE = [prompts];

const HALVES = ["development", "test"];
const ENGINES = ["off", "static", "minilm"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    half: { type: "string" },
    keep: { type: "string" },
    engine: { type: "string" },
    each: { type: "boolean", default: false },
    against: { type: "string" },
    misses: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [name = ""] = positionals;
const { data, half, keep, engine, each, against, misses, json } = values;
const set = Object.hasOwn(SETS, name) ? SETS[name] : undefined;
const isHalf = half === undefined || HALVES.includes(half);
const isEngine = engine === undefined || ENGINES.includes(engine);
if (
  set === undefined ||
  positionals.length > 1 ||
  (data === undefined && !WHOLE.includes(set)) ||
  !isHalf ||
  !isEngine
) {
  process.stderr.write(
    `usage: npm run eval -- <${Object.keys(SETS).join("|")}> [--data <path>] [--half <${HALVES.join("|")}>] [--keep <folder>] [--engine <${ENGINES.join("|")}>] [--misses] [--each] [--against <report>] [--json]\n`,
  );
  process.exitCode = 2;
} else {
  try {
    const { report, text } = await set({
      inside: await inside(),
      data: data ?? "",
      half,
      keep,
      engine,
      each,
      against,
      misses,
    });
    process.stdout.write(json ? `${JSON.stringify({ set: name, ...report })}\n` : `${text}\n`);
  } catch (error) {
    if (!(error instanceof NoData)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
