// `npm run test:agents`: real coding agents, each in a home of its own, talk to a model that is a script on the loopback
// interface; then Yore, as built, reads what they wrote. Names of agents as arguments choose among them.
// With YORE_TEST_RESULTS=<file> the counts are written there as well.
import { writeFileSync } from "node:fs";
import { createReport } from "../clients/checks.mjs";
import { buildYore, reasonToSkip } from "../clients/installs.mjs";
import { checkKept, checkKnown } from "./claims.mjs";
import { closeStage, converse, prepare } from "./drive.mjs";
import { installPrograms, versionOf } from "./installed.mjs";
import { createMemory } from "./memory.mjs";
import { NOT_RUN, PROGRAMS } from "./programs.mjs";

/** Programs that run at the same time: most of theirs is waiting. */
const AT_ONCE = 3;

const wanted = process.argv.slice(2);
const totals = { passed: 0, failed: 0 };
const programs = { ok: 0, failed: 0, "not run": 0 };
const known = new Set([...PROGRAMS.map(({ agent }) => agent), ...Object.keys(NOT_RUN)]);
const unknown = wanted.filter((name) => !known.has(name));
const reason = reasonToSkip();
if (unknown.length > 0) {
  totals.failed += 1;
  print(`no such agent: ${unknown.join(", ")}; there are ${[...known].join(", ")}`);
} else if (reason === undefined) await checkAll();
else print(`skipped: ${reason}`);
finish();

async function checkAll() {
  const setup = createReport((line) => line.startsWith("ok ") || print(line));
  await setup.check("the programs are installed", installPrograms);
  await setup.check("Yore is built", buildYore);
  totals.failed += setup.counts.failed;
  if (setup.counts.failed > 0) return;
  const queue = PROGRAMS.filter(({ agent }) => wanted.length === 0 || wanted.includes(agent));
  await Promise.all(Array.from({ length: AT_ONCE }, () => checkNext(queue)));
  for (const [name, why] of Object.entries(NOT_RUN)) {
    if (wanted.length === 0 || wanted.includes(name)) tell("not run", name, why);
  }
}

async function checkNext(queue) {
  for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
    try {
      await checkProgram(program);
    } catch (error) {
      totals.failed += 1;
      tell("failed", nameOf(program), error instanceof Error ? error.stack : String(error));
    }
  }
}

async function checkProgram(program) {
  const name = nameOf(program);
  const failures = [];
  const report = createReport((line) => line.startsWith("ok ") || failures.push(line));
  const stage = await prepare(program, report.check);
  const memory = createMemory(stage.home, program.agent);
  let read;
  try {
    if (!(await memory.knows())) {
      stage.home.remove();
      return tell("not run", name, "this Yore has no reader for it");
    }
    await converse(stage, async (word) => program.sessionOf?.(stage) ?? (await memory.sessionsWith(word))[0]);
    read = await checkKnown({ ...stage, check: report.check, memory });
    if (read !== undefined) await checkKept({ ...stage, check: report.check, memory }, read);
  } finally {
    await closeStage(stage);
  }
  const { passed, failed } = report.counts;
  totals.passed += passed;
  totals.failed += failed;
  const facts = [
    versionOf(program.package),
    `${passed} of ${passed + failed} claims`,
    ...countsOf(read),
    ...notesOf(program),
  ];
  tell(failed === 0 ? "ok" : "failed", name, facts.join("; "));
  for (const line of failures) print(line.replace(/^/gm, "    "));
  if (failed === 0) stage.home.remove();
  else print(`    kept for a look: ${stage.home.path}`);
}

function countsOf(read) {
  if (read === undefined) return [];
  const messages = read.sessions.reduce((sum, session) => sum + session.messages.length, 0);
  return [`${read.sessions.length} sessions`, `${messages} messages`];
}

function nameOf({ agent, variant }) {
  return [agent, variant].filter(Boolean).join(" ");
}

/** What could not be checked of the program, and why, so that nothing is left out unseen. */
function notesOf({ forks, compact, resumes = true, steps, tells, reasons = {} }) {
  const driven = {
    resuming: resumes,
    forks,
    subagents: steps.delegate !== undefined,
    compaction: compact !== undefined,
  };
  const missing = Object.keys(driven).filter((what) => !driven[what]);
  return [
    ...missing.map((what) => `no ${what}: ${reasons[what]}`),
    ...(tells.exitCodes === "failed" ? ["tells exit codes of failures only"] : []),
    ...(tells.exitCodes === "none" ? ["tells no exit codes"] : []),
    ...(tells.thinking ? [] : ["tells no thoughts"]),
    ...(tells.reads === false ? ["reads files by commands"] : []),
  ];
}

function tell(outcome, name, facts) {
  programs[outcome] += 1;
  print(`${outcome.toUpperCase()} ${name}: ${facts}`);
}

function finish() {
  const { passed, failed } = totals;
  const results = process.env.YORE_TEST_RESULTS;
  if (results !== undefined) {
    const counts = { numPassedTests: passed, numFailedTests: failed, numFailedTestSuites: 0 };
    writeFileSync(results, `${JSON.stringify(counts)}\n`);
  }
  const sums = Object.entries(programs).map(([outcome, count]) => `${count} ${outcome}`);
  print(`${sums.join(", ")}; ${passed} claims passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
