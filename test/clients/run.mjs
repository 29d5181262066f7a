// `npm run test:clients`: drives the built server with real clients, each in a home of its own and without a network.
// The model is a script on the loopback interface. With YORE_TEST_RESULTS=<file> the counts are written there as well.
import { writeFileSync } from "node:fs";
import { createReport } from "./checks.mjs";
import { checkClaudeCode } from "./claude-code.mjs";
import { checkCodexCalls, checkCodexCode } from "./codex.mjs";
import { createHome } from "./home.mjs";
import { checkInspector } from "./inspector.mjs";
import { AGENTS, checkInstalled } from "./installed.mjs";
import { buildYore, reasonToSkip } from "./installs.mjs";
import { checkPlugins } from "./plugins.mjs";
import { installClients, PROGRAMS } from "./programs.mjs";

const CLIENTS = {
  inspector: checkInspector,
  "claude-code": checkClaudeCode,
  codex: checkCodexCalls,
  "codex-code": checkCodexCode,
  plugins: checkPlugins,
};

const INSTALLED = Object.keys(AGENTS).map((name) => [`installed ${name}`, (stage) => checkInstalled(stage, name)]);
/** With names, only these: `node test/clients/run.mjs "installed codex"`. */
const wanted = process.argv.slice(2);
const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);

const report = createReport(print);
const reason = reasonToSkip();
if (reason === undefined) await checkAll();
else print(`skipped: ${reason}`);
finish();

async function checkAll() {
  await report.check("setup: clients are installed", installClients);
  await report.check("setup: Yore is built", buildYore);
  if (report.counts.failed > 0) return;
  for (const [name, checkClient] of Object.entries(CLIENTS).filter(isWanted)) await checkInHome(name, checkClient);
  // Most of their time they wait, so that two go on at once.
  const waiting = INSTALLED.filter(isWanted).values();
  const work = async () => {
    for (const [name, checkClient] of waiting) await checkInHome(name, checkClient, {});
  };
  await Promise.all([work(), work()]);
}

async function checkInHome(name, checkClient, files) {
  const home = createHome(PROGRAMS.yore, files);
  const failedBefore = report.counts.failed;
  const check = (claim, body) => report.check(`${name}: ${claim}`, body, home.evidence);
  await checkClient({ home, check, programs: PROGRAMS });
  if (report.counts.failed === failedBefore) home.remove();
  else print(`kept for a look: ${home.path}`);
}

function finish() {
  const { passed, failed } = report.counts;
  const results = process.env.YORE_TEST_RESULTS;
  if (results !== undefined) {
    const counts = { numPassedTests: passed, numFailedTests: failed, numFailedTestSuites: 0 };
    writeFileSync(results, `${JSON.stringify(counts)}\n`);
  }
  print(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
