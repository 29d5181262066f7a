import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { briefing } from "./briefing.mjs";
import { coldIndex } from "./cold-index.mjs";
import { hooks } from "./hooks.mjs";
import { huge } from "./huge.mjs";
import { inside } from "./lib/build.mjs";
import { budgetText, isMissed, ratioOf, show, table } from "./lib/rows.mjs";
import { manyAgents } from "./many-agents.mjs";
import { nothingChanged } from "./nothing-changed.mjs";
import { oneLine } from "./one-line.mjs";
import { recall } from "./recall.mjs";
import { search } from "./search.mjs";
import { startUp } from "./start-up.mjs";
import { throughput } from "./throughput.mjs";
import { vectors } from "./vectors.mjs";

/**
 * What every bench is given.
 *
 * @typedef {object} Context
 * @property {typeof import("./entry.ts")} inside
 * @property {number} rounds How often each thing is measured, at least.
 * @property {number} observations Of the large store.
 * @property {{ fresh: boolean, big: boolean, gigabytes: number, keep: boolean }} options
 * @property {(detail: unknown) => void} detail Takes what is worth a look beside the rows.
 */

const BENCHES = {
  briefing,
  "cold-index": coldIndex,
  hooks,
  "many-agents": manyAgents,
  "nothing-changed": nothingChanged,
  "one-line": oneLine,
  recall,
  search,
  "start-up": startUp,
  throughput,
  vectors,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "string" },
    observations: { type: "string", default: "150000" },
    rounds: { type: "string", default: "3" },
    fresh: { type: "boolean", default: false },
    big: { type: "boolean", default: false },
    huge: { type: "boolean", default: false },
    gigabytes: { type: "string", default: "10" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !(name in BENCHES));
if (values.help || unknown.length > 0) {
  process.stderr.write(
    `${unknown.length > 0 ? `There is no bench called ${unknown.join(", ")}.\n` : ""}usage: npm run bench -- [${Object.keys(BENCHES).join("|")}]… [--observations N] [--rounds N] [--big] [--huge [--gigabytes N] [--keep]] [--fresh] [--json FILE]\n`,
  );
} else if (values.huge) await run([...positionals, "huge"]);
else await run(positionals.length > 0 ? positionals : Object.keys(BENCHES));

async function run(names) {
  const machine = {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? "unknown",
    memoryBytes: totalmem(),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
  const rows = [];
  const details = {};
  const failures = [];
  const context = {
    inside: await inside(),
    rounds: Number(values.rounds),
    observations: Number(values.observations),
    options: { fresh: values.fresh, big: values.big, gigabytes: Number(values.gigabytes), keep: values.keep },
  };
  for (const name of names) {
    process.stderr.write(`${name}\n`);
    try {
      const measured = await (name === "huge" ? huge : BENCHES[name])({
        ...context,
        detail: (detail) => (details[name] = detail),
      });
      rows.push(...measured.map((row) => ({ bench: name, ...row })));
    } catch (error) {
      // The others are worth measuring all the same.
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (details.search !== undefined) process.stderr.write(searchDetail(details.search));
  const missed = rows.filter(isMissed);
  process.stdout.write(
    [
      `${machine.cores} cores (${machine.processor}), ${show(machine.memoryBytes, "bytes")}, ${machine.platform}, Node ${machine.node}`,
      "",
      table(rows),
      "",
      missed.length === 0 ? "No budget was missed." : "Budgets missed:",
      ...missed.map((row) => `- ${row.what}: ${show(row.value, row.unit)}, budget ${budgetText(row)}`),
      ...failures.map((failure) => `Not measured: ${failure}`),
      "",
    ].join("\n"),
  );
  if (values.json !== undefined) {
    const judged = rows.map((row) => ({ ...row, ratio: ratioOf(row), missed: isMissed(row) }));
    writeFileSync(values.json, `${JSON.stringify({ machine, rows: judged, failures, details }, undefined, 2)}\n`);
  }
}

function searchDetail({ size, tiers, kinds, slowest }) {
  const line = (entry) =>
    Object.entries(entry)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
  return [
    line(size),
    `tiers: ${line(tiers)}`,
    ...kinds.map(
      (one) => `${one.kind}: p50 ${one.p50}, p95 ${one.p95}, max ${one.max}; ${line(one.tiers)}; ${line(one.steps)}`,
    ),
    "slowest:",
    ...slowest.map((one) => `${one.ms} ms ${one.tier} [${one.kind}] ${one.text.slice(0, 80)}; ${line(one.steps)}`),
    "",
  ].join("\n");
}
