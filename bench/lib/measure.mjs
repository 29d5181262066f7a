import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}

/**
 * @param {readonly number[]} values
 * @param {number} share
 */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * How long something takes, in milliseconds.
 *
 * @param {() => unknown} work
 */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Measures several things in turn, so that whatever else the machine does meanwhile meets all of them alike.
 *
 * @template {string} Name
 * @param {Readonly<Record<Name, () => number | Promise<number>>>} things Each returns what it measured.
 * @param {number} rounds
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function interleaved(things, rounds) {
  const taken = Object.fromEntries(Object.keys(things).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(things)) taken[name].push(await measure());
  }
  return taken;
}

/**
 * A whole process, from its start to its end, in milliseconds. Throws when it ends otherwise than expected.
 *
 * @param {readonly string[]} args Of node.
 * @param {{ env?: NodeJS.ProcessEnv, codes?: readonly number[] }} [options]
 */
export function wholeProcess(args, { env = process.env, codes = [0] } = {}) {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const took = performance.now() - started;
  if (!codes.includes(run.status ?? -1))
    throw new Error(`node ${args.join(" ")} ended with ${run.status}: ${run.stderr}`);
  return took;
}

/**
 * What a process of its own reports on its last line of output, as JSON, and its peak memory in bytes.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function childReport(script, args, env = process.env) {
  const run = spawnSync(process.execPath, [script, ...args], { env, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${script} ended with ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout.trim().split("\n").at(-1));
}

/**
 * A server that speaks JSON lines: started, asked, its replies timed from its start, then ended.
 *
 * @param {readonly string[]} args Of node.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly object[]} requests Sent one after the reply to the other; without `id`, none is awaited.
 * @param {number} idleMs How long it is left alone before its memory is looked at.
 * @returns {Promise<{ repliesMs: number[], residentBytes: number | undefined }>}
 */
export async function converse(args, env, requests, idleMs = 0) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const repliesMs = [];
  let buffered = "";
  let answered = () => {};
  child.stdout.setEncoding("utf8").on("data", (part) => {
    buffered += part;
    for (let at = buffered.indexOf("\n"); at !== -1; at = buffered.indexOf("\n")) {
      const message = JSON.parse(buffered.slice(0, at));
      buffered = buffered.slice(at + 1);
      if (message.id !== undefined) answered(message);
    }
  });
  for (const request of requests) {
    const reply = new Promise((resolve, reject) => {
      answered = resolve;
      child.once("exit", (code) => reject(new Error(`node ${args.join(" ")} ended with ${code} before it answered`)));
    });
    child.stdin.write(`${JSON.stringify(request)}\n`);
    if (!("id" in request)) {
      reply.catch(() => {});
      continue;
    }
    const message = await reply;
    if (message.error !== undefined) throw new Error(`${JSON.stringify(request)}: ${JSON.stringify(message.error)}`);
    repliesMs.push(performance.now() - started);
  }
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const residentBytes = residentOf(child.pid);
  child.stdin.end();
  await ended;
  return { repliesMs, residentBytes };
}

// Only Linux says it without help.
function residentOf(pid) {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

/**
 * Files below a folder, with what a look at each costs at least.
 *
 * @param {string} folder
 * @returns {{ path: string, size: number }[]}
 */
export function walk(folder) {
  const found = [];
  for (const entry of listed(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...walk(path));
    else if (entry.isFile()) found.push({ path, size: statSync(path).size });
  }
  return found;
}

function listed(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
