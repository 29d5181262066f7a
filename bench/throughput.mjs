import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/build.mjs";
import { median } from "./lib/measure.mjs";
import { MIXED, stage } from "./lib/stage.mjs";

const SAMPLES = join(ROOT, "..", "shared", "samples", "home");
const MB = 1e6;

/**
 * The steps that every byte passes, one by one, against parsing the same lines.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function throughput({ inside, rounds }) {
  const homes = [["synthetic", stage(MIXED).home]];
  if (existsSync(SAMPLES)) homes.unshift(["real", SAMPLES]);
  return homes.flatMap(([name, home]) => inside.sources.flatMap((source) => steps(name, home, source, inside, rounds)));
}

function steps(name, home, source, inside, rounds) {
  const environment = { home, platform: process.platform, variables: {}, workFolders: [] };
  const files = [...source.find(environment)].filter((file) => file.unit === "lines" && file.compression === undefined);
  if (files.length === 0) return [];
  const passes = Array.from({ length: rounds }, () => pass(files, source, inside));
  const { bytes, textBytes } = passes[0];
  const rate = (step, of) => of / MB / (median(passes.map((one) => one[step])) / 1_000);
  const against = { what: "JSON.parse", value: rate("parse", bytes), unit: "MB/s" };
  const row = (what, value) => ({ what: `${what}, ${source.agent}, ${name}`, value, unit: "MB/s", against });
  return [
    row("lines out of files", rate("lines", bytes)),
    row("reader", rate("read", bytes)),
    row("redaction, of text", rate("redact", textBytes)),
    row("identifier parts, of text", rate("parts", textBytes)),
  ];
}

function pass(files, source, inside) {
  const sum = { bytes: 0, textBytes: 0, lines: 0, parse: 0, read: 0, redact: 0, parts: 0 };
  const clock = (step, work) => {
    const started = performance.now();
    const result = work();
    sum[step] += performance.now() - started;
    return result;
  };
  for (const file of files) {
    sum.bytes += readFileSync(file.path).length;
    clock("lines", () => {
      for (const _ of inside.readLines(file.path, { from: 0 }));
    });
    const lines = readFileSync(file.path, "utf8").split("\n");
    const records = clock("parse", () => lines.flatMap(parsed));
    const reader = source.reader(file);
    const texts = [];
    clock("read", () => {
      for (const record of records) {
        reader.read(record, (item) => {
          if (item.kind === "message") texts.push(item.text);
        });
      }
    });
    sum.textBytes += texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
    const clean = clock("redact", () => texts.map((text) => inside.redact(text).text));
    clock("parts", () => clean.map((text) => inside.identifierParts(inside.indexable(text))));
  }
  return sum;
}

function parsed(line) {
  if (line === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
