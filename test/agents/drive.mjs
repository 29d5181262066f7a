// Leads one program through all its conversations, in a home of its own.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createHome } from "../clients/home.mjs";
import { YORE } from "../clients/installs.mjs";
import { bin } from "./installed.mjs";
import { startMockModels } from "./mock-models.mjs";
import {
  AGAIN,
  ASIDE,
  FILES,
  FIRST,
  FORK,
  familyThreads,
  firstThread,
  PARENT,
  SECOND,
  secondThread,
} from "./story.mjs";

const TIMEOUT_MS = 120_000;
/** Where nothing listens: what a program wants of the world outside, it does not get. */
const NOWHERE = "http://127.0.0.1:9";
const OFFLINE = { HTTP_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE, NO_PROXY: "127.0.0.1,localhost" };

/**
 * Starts the models and sets the home up. `converse` runs the conversations; its checks fail where the program did not
 * do what it was led to.
 */
export async function prepare(program, report) {
  const { minTools, replies } = program;
  const models = await startMockModels({ aside: program.aside?.(ASIDE) ?? ASIDE, minTools, replies });
  const home = createHome(YORE, FILES);
  const check = (claim, body) => report(claim, body, home.evidence);
  const folder = { home: home.path, project: home.project, url: models.url, bin };
  writeFiles(home, program.files?.(models.url));
  const env = { ...OFFLINE, ...program.env?.(models.url) };
  const run = async (request) => {
    const { command, ...options } = request;
    const result = await home.run(command, { env, timeoutMs: TIMEOUT_MS, ...options });
    endLeftovers(home.path);
    return result;
  };
  const runWell = async (request) => {
    const result = await run(request);
    assert.ok(!result.timedOut, "ran out of time");
    assert.equal(result.code, 0, `exit code ${result.code}`);
    return result;
  };
  const ask = (request) => program.ask({ ...folder, ...request });
  const stage = { program, home, models, check, folder, runWell, run, ask };
  if (program.prepare !== undefined) await check("it is set up", () => runWell({ command: program.prepare(folder) }));
  return stage;
}

export async function closeStage({ home, models }) {
  endLeftovers(home.path);
  await models.close();
}

/** Runs the conversations. Returns ids of sessions by what was said in them. */
export async function converse(stage, nameSession) {
  const { program, check, folder } = stage;
  const { steps } = program;
  const ids = {};
  await check("a conversation with tools runs to its end", async () => {
    await lead(stage, { text: FIRST.prompt }, [firstThread(steps, folder.project)]);
    ids.first = await nameSession(FIRST.marker);
  });
  if (program.resumes ?? true) {
    await check("a session is resumed", async () => {
      await lead(stage, { text: SECOND.prompt, session: known(ids.first) }, [secondThread(steps)]);
    });
  }
  if (program.forks) {
    await check("a session is forked", async () => {
      await lead(stage, { text: FORK.prompt, ...(await fork(stage, known(ids.first))) }, [{ ...FORK, steps: [] }]);
    });
  }
  if (steps.delegate !== undefined) {
    await check("a subagent is started", async () => {
      await lead(stage, { text: PARENT.prompt }, familyThreads(steps));
    });
  }
  if (program.compact !== undefined) {
    await check("a session is compacted", async () => {
      const { files, isShort, ...request } = program.compact({
        ...folder,
        ask: stage.ask,
        text: AGAIN.prompt,
        session: known(ids.first),
      });
      writeFiles(stage.home, files);
      stage.models.expect({ ...AGAIN, steps: [], isShort });
      await stage.runWell(request);
    });
  }
  return ids;
}

/** Most programs fork while they ask; others do so before. */
async function fork({ program, folder, runWell }, session) {
  if (program.fork === undefined) return { session, fork: true };
  const { stdout } = await runWell({ command: program.fork({ ...folder, session }) });
  return { session: known(program.forkedSession(stdout)) };
}

async function lead({ models, runWell, ask }, request, threads) {
  models.expect(...threads);
  const result = await runWell({ command: ask(request) });
  assert.deepEqual(models.left(), [], "the program did not ask the model for all steps");
  return result;
}

function writeFiles(home, files = {}) {
  for (const [path, content] of Object.entries(files)) {
    home.write(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

function known(id) {
  assert.ok(id, "the session has no id");
  return id;
}

/** Ends what programs of this home have left running in groups of their own. */
function endLeftovers(home) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (environmentOf(pid).includes(`HOME=${home}`)) process.kill(Number(pid), "SIGKILL");
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}
