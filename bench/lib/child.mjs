/**
 * A process of its own for what needs a memory of its own: `index` reads everything below HOME into the store below
 * YORE_HOME, `parse` only reads the same files and parses their lines. Reports on standard output, as JSON.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { INSIDE } from "./build.mjs";

/** @type {typeof import("../entry.ts")} */
const inside = await import(pathToFileURL(INSIDE).href);
const environment = { home: process.env.HOME, platform: process.platform, variables: {}, workFolders: [] };
const report = process.argv[2] === "index" ? await index() : parse();
process.stdout.write(`${JSON.stringify({ ...report, peakBytes: peak() })}\n`);

async function index() {
  const started = performance.now();
  const used = process.cpuUsage();
  const store = await inside.openSqliteStore(inside.storePathIn(process.env.YORE_HOME), Date.now);
  const { filesRead, bytesRead } = await inside.catchUp({
    store,
    sources: inside.sources,
    environment,
    archive: inside.archivePathIn(process.env.YORE_HOME),
    clock: Date.now,
  });
  await store.close();
  return { ms: performance.now() - started, cpuMs: cpuSince(used), files: filesRead, bytes: bytesRead };
}

function parse() {
  const files = inside.sources.flatMap((source) => [...source.find(environment)]).filter((file) => "unit" in file);
  const started = performance.now();
  const used = process.cpuUsage();
  let records = 0;
  for (const { path, unit, compression } of files) {
    if (unit === "container" || compression !== undefined) continue;
    for (const line of readFileSync(path, "utf8").split("\n")) {
      if (line !== "" && parsed(line) !== undefined) records += 1;
    }
  }
  return { ms: performance.now() - started, cpuMs: cpuSince(used), files: files.length, records };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Of all threads of this process. */
function cpuSince(used) {
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1_000;
}

// A process that was forked off begins with its parent's peak in `maxRSS`; Linux keeps one that does not.
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1_024;
  } catch {
    return process.resourceUsage().maxRSS * 1_024;
  }
}
