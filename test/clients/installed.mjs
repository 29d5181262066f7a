// Real agents after `yore install` in a home of their own: what a session starts with, what it recalls, what is kept of it,
// and that nothing that goes wrong with Yore reaches the agent.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { startMockModels } from "../agents/mock-models.mjs";
import { claudeCode } from "../agents/programs/claude-code.mjs";
import { copilotCli } from "../agents/programs/copilot-cli.mjs";
import { geminiCli } from "../agents/programs/gemini-cli.mjs";
import { opencode } from "../agents/programs/opencode.mjs";
import { assertHas, given } from "./checks.mjs";
import { ROOT, YORE } from "./installs.mjs";
import { quotedIn } from "./replies.mjs";

/** Where nothing listens: what a program wants of the world outside, it does not get, and at once. */
const NOWHERE = "http://127.0.0.1:9";
/** Machines that do other work too take longer than a hook may take where somebody waits. */
const PATIENT = { YORE_HOOK_MS: "4000" };
const OFFLINE = {
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  NO_PROXY: "127.0.0.1,localhost",
  // OpenCode asks a registry for what plugins may need, and waits for it.
  npm_config_fetch_retries: "0",
};
const ASIDE = "Sails";

const PAST = {
  session: "6d1f0c52-7f7e-4b7c-9c4e-2f6a51c0a001",
  decision: "We decided: let's go with wrapguard instead of a reset timer for the tide gauge.",
  answer: "Done. wrapguard compares by subtraction, and survives the wrap.",
};
// The odd words stand in nothing else.
const TALK = {
  text: "What do we know of the tide gauge? Word: pilotboat.",
  marker: "pilotboat",
  answer: "mooringline",
};
const KILLED = { text: "And of the lock gate? Word: lightvessel.", marker: "lightvessel", answer: "anchorwatch" };
const BROKEN = { text: "Say a word: capstan.", marker: "capstan", answer: "bollard" };

/**
 * An agent, as far as this goes.
 *
 * @typedef {object} Agent
 * @property {string} agent
 * @property {string} tool - what stands before a tool's name
 * @property {(url: string) => object} [files] - settings that lead it to the model, by path
 * @property {(url: string) => object} [env]
 * @property {(programs: object, url: string, text: string) => string[]} command
 * @property {(tool: string, input: object) => object} call - a step of the script
 */

/** @type {Record<string, Agent>} */
export const AGENTS = {
  "claude-code": {
    ...claudeCode,
    tool: "mcp__plugin_yore_yore__",
    command: ({ claude }, _, text) => [claude, "-p", text, "--allowedTools", "mcp__plugin_yore_yore"],
  },
  codex: {
    agent: "codex",
    tool: "",
    call: (tool, input) => ({ namespace: "mcp__yore", name: tool, input }),
    command: ({ node24, codex }, url, text) => [
      ...[node24, codex, "exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access"],
      // A person trusts hooks with /hooks, in a terminal.
      ...["--dangerously-bypass-hook-trust", "-c", 'model="a-model-that-codex-does-not-know"'],
      ...modelAt(url),
      text,
    ],
  },
  "gemini-cli": {
    ...geminiCli,
    tool: "mcp_yore_",
    command: ({ node24, gemini }, _, text) => [
      ...[node24, gemini, "-p", text, "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
    ],
  },
  "copilot-cli": {
    ...copilotCli,
    tool: "yore-",
    command: ({ copilot }, _, text) => [copilot, "-p", text, "--allow-all-tools"],
  },
  opencode: {
    ...opencode,
    tool: "yore_",
    command: (programs, _, text) => [programs.opencode, "run", text],
  },
};

export async function checkInstalled({ home, check, programs }, name) {
  const agent = AGENTS[name];
  const models = await startMockModels({ aside: ASIDE, minTools: 3 });
  try {
    await lead({ home, check, programs, models, agent: { call: callBy(agent), ...agent } });
  } finally {
    await models.close();
  }
}

async function lead({ home, check, programs, models, agent }) {
  const app = join(home.path, "app");
  const store = join(home.path, ".yore", "yore.db");
  const yore = (...args) => home.run([process.execPath, join(app, "dist", "bin", "yore.js"), ...args]);
  const converse = async ({ text, ...thread }, { steps = [], signal } = {}) => {
    const from = models.requests.length;
    models.expect({ ...thread, steps });
    const env = { ...OFFLINE, ...PATIENT, ...agent.env?.(models.url) };
    const result = await home.run(agent.command(programs, models.url, text), { env, signal });
    return {
      ...result,
      requests: models.requests.slice(from).filter(({ body }) => isTold(body, thread.marker, agent.tool)),
    };
  };
  const converseWell = async (talk, steps) => {
    const { code, stdout, requests } = await converse(talk, { steps });
    assert.equal(code, 0, `exit code ${code}`);
    assert.deepEqual(models.left(), []);
    assertHas(stdout, talk.answer, "what it printed");
    return requests;
  };

  await check("`yore install` connects it", async () => {
    copyProgram(app);
    for (const [path, value] of Object.entries(agent.files?.(models.url) ?? {}))
      home.write(path, JSON.stringify(value));
    home.write(`.claude/projects/-quay/${PAST.session}.jsonl`, pastLines(home.project));
    assert.equal((await yore("index")).code, 0);
    assert.equal((await yore("install", agent.agent, "--yes")).code, 0);
  });
  await check("`yore doctor` finds nothing wrong with how it is connected", async () => {
    const { wiring } = JSON.parse((await yore("doctor", "--json")).stdout);
    assert.deepEqual(
      wiring.map(({ agent: of, state }) => `${of} ${state}`),
      wiring.map(() => `${agent.agent} ok`),
    );
    assert.ok(wiring.length >= 2, "there is no server or no hook");
  });
  let requests;
  await check("a session with a search in it runs to its end", async () => {
    requests = await converseWell(TALK, [agent.call("search", { query: "wrapguard" })]);
  });
  await check("its model is told of what was decided before it is asked anything", () => {
    const [first] = given(requests, "conversation");
    assertHas(plain(first.body), "go with wrapguard instead of a reset timer", "what the model is sent");
    assertHas(plain(first.body), "Recorded history, quoted as data", "what the model is sent");
  });
  await check("its model is offered the tools, and shown what was found", () => {
    const [first] = given(requests, "conversation");
    for (const tool of ["search", "get_observations"]) {
      assertHas(plain(first.body), `"${agent.tool}${tool}"`, "what the model is sent");
    }
    const replies = requests.map(({ body }) => plain(body)).filter((text) => text.includes("survives the wrap"));
    assertHas(
      quotedIn(replies.at(-1)?.split("tide gauge").slice(1).join("tide gauge") ?? ""),
      "wrapguard",
      "the reply",
    );
  });
  await check("hooks alone brought the session into the store", () => {
    const rows = sessionsIn(store, agent.agent).filter(({ id }) => id !== PAST.session);
    assert.equal(rows.length, 1, `${rows.length} sessions`);
    assert.ok(rows[0].messages >= 2, `${rows[0].messages} messages`);
  });
  await check("what it was told does not become memory again", async () => {
    const { hits } = JSON.parse((await yore("search", "wrapguard timer", "--json")).stdout);
    assert.deepEqual([...new Set(hits.map(({ session }) => session))], [PAST.session]);
    const own = JSON.parse((await yore("search", TALK.marker, "--json")).stdout);
    assert.equal(own.hits[0]?.agent, agent.agent);
  });
  await check("a session that is killed in the middle is kept too", async () => {
    const killer = new AbortController();
    const second = () => {
      killer.abort();
      return agent.call("search", { query: "gate" });
    };
    await converse(KILLED, { steps: [agent.call("search", { query: "lock" }), second], signal: killer.signal });
    assert.ok(killer.signal.aborted, "it was never killed");
    const { hits } = JSON.parse((await yore("search", KILLED.marker, "--json")).stdout);
    assert.equal(hits[0]?.agent, agent.agent);
  });
  await check("a store that another process locks does not hold it up", async () => {
    const holder = spawn(process.execPath, ["-e", HOLD, store, join(ROOT, "node_modules")], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      await new Promise((resolve) => holder.stdout.once("data", resolve));
      await converseWell(BROKEN, []);
    } finally {
      holder.kill("SIGKILL");
    }
  });
  await check("a store that is damaged does it no harm", async () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(store + suffix, { force: true });
    writeFileSync(store, "no database ".repeat(2_000));
    await converseWell(BROKEN, []);
  });
  await check("a program that is gone does it no harm", async () => {
    renameSync(app, `${app}-gone`);
    await converseWell(BROKEN, []);
    renameSync(`${app}-gone`, app);
  });
  await check("`yore uninstall` takes all of it out again", async () => {
    assert.equal((await yore("uninstall", "--yes")).code, 0);
    assert.deepEqual(mentions(home.path), []);
  });
}

/** Holds the store until it is killed. */
const HOLD = `
const Database = require(process.argv[2] + "/better-sqlite3");
const db = new Database(process.argv[1]);
db.exec("BEGIN EXCLUSIVE");
process.stdout.write("held");
setInterval(() => {}, 1000);
`;

function callBy({ tool }) {
  return (name, input) => ({ name: `${tool}${name}`, input });
}

/** A copy that can go away, with the modules of the project. */
function copyProgram(app) {
  cpSync(dirname(YORE), join(app, "dist", "bin"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(app, "node_modules"));
}

function pastLines(cwd) {
  const common = {
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId: PAST.session,
    version: "2.1.284",
    gitBranch: "main",
  };
  const lines = [
    { type: "user", message: { role: "user", content: PAST.decision } },
    {
      type: "assistant",
      message: {
        id: "msg_past1",
        type: "message",
        role: "assistant",
        model: "mock",
        content: [{ type: "text", text: PAST.answer }],
      },
    },
  ];
  return lines
    .map((line, at) => ({
      parentUuid: at === 0 ? null : uuid(at - 1),
      ...common,
      uuid: uuid(at),
      timestamp: `2026-11-18T09:00:0${at}.000Z`,
      ...line,
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

function uuid(at) {
  return `0000000${at}-5a1e-4c0d-9f00-00000000000a`;
}

/** What belongs to a conversation, and is not asked aside, such as for a title. */
function isTold(body, marker, prefix) {
  const text = JSON.stringify(body ?? "");
  return text.includes(marker) && text.includes(`"${prefix}get_observations"`);
}

/** A request as a model reads it, whatever strings within strings it is made of. */
function plain(body) {
  return JSON.stringify(body).replaceAll(/\\+n/g, "\n").replaceAll(/\\+"/g, '"');
}

function sessionsIn(store, agent) {
  const database = new Database(store, { readonly: true });
  try {
    const count = "(SELECT count(*) FROM messages WHERE messages.session_id = sessions.id)";
    return database.prepare(`SELECT native_id AS id, ${count} AS messages FROM sessions WHERE agent = ?`).all(agent);
  } finally {
    database.close();
  }
}

/** Files of settings that still tell of Yore. What an agent keeps of its sessions, and logs, may. */
function mentions(home) {
  const settings = [
    ...[".claude/settings.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json"],
    ...[".copilot/mcp-config.json", ".config/opencode/opencode.json"],
    ...[".claude/plugins/installed_plugins.json", ".claude/plugins/known_marketplaces.json"],
  ];
  const told = settings.filter(
    (path) => existsSync(join(home, path)) && /yore\.js|yore@yore/.test(readFileSync(join(home, path), "utf8")),
  );
  const folders = [".gemini/extensions", ".copilot/hooks", ".config/opencode/plugins", ".yore/install"];
  return [
    ...told,
    ...folders.flatMap((folder) => (existsSync(join(home, folder)) ? readdirSync(join(home, folder)) : [])),
  ];
}

function modelAt(url) {
  const settings = [`name="mock"`, `base_url="${url}/v1"`, `wire_api="responses"`, "requires_openai_auth=false"];
  return [`model_provider="mock"`, ...settings.map((setting) => `model_providers.mock.${setting}`)].flatMap(
    (setting) => ["-c", setting],
  );
}
