import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CACHE } from "./lib/build.mjs";
import { interleaved, percentile } from "./lib/measure.mjs";
import { builtProgram } from "./lib/program.mjs";
import { indexedStage, large, opened } from "./lib/stage.mjs";

const SESSION = "0197f2c4-5e55-7bbb-8ccc-00000000b000";
const PROMPT = "why did the retry queue time out, and what did we decide about it?";
/** What a hook may take beyond a Node that does nothing. */
const MOST_MS = 60;

/**
 * What an agent does to its transcript between two calls of a hook, and what it tells.
 *
 * @typedef {object} Agent
 * @property {string} agent
 * @property {string} [path] Of the transcript, below the home folder.
 * @property {(turn: number, folder: string) => readonly object[]} lines Of one turn.
 * @property {readonly object[]} [head] Lines that stand first.
 * @property {{ start: string, prompt: string, stop: string }} events
 * @property {(fields: { session: string, path?: string, folder: string }) => object} tells
 */

const snake = ({ session, path, folder }) => ({ session_id: session, transcript_path: path, cwd: folder });
const EVENTS = { start: "SessionStart", prompt: "UserPromptSubmit", stop: "Stop" };
const at = (turn, second = 0) => new Date(Date.UTC(2026, 10, 1) + turn * 60_000 + second * 1_000).toISOString();
const said = (turn) => `Turn ${turn}: the retry queue waits for the lock. ${"It gives up after a while. ".repeat(20)}`;

/** @type {readonly Agent[]} */
const AGENTS = [
  {
    agent: "claude-code",
    path: join(".claude", "projects", "-bench", `${SESSION}.jsonl`),
    lines: (turn, cwd) =>
      ["user", "assistant"].map((type, index) => ({
        type,
        uuid: `${SESSION.slice(0, 24)}${String(turn * 2 + index).padStart(12, "0")}`,
        sessionId: SESSION,
        timestamp: at(turn, index),
        cwd,
        message: { role: type, content: [{ type: "text", text: said(turn) }] },
      })),
    events: EVENTS,
    tells: snake,
  },
  {
    agent: "codex",
    path: join(".codex", "sessions", "2026", "11", "01", `rollout-2026-11-01T00-00-00-${SESSION}.jsonl`),
    head: [{ timestamp: at(0), type: "session_meta", payload: { id: SESSION, timestamp: at(0), cwd: "/bench" } }],
    lines: (turn) =>
      ["user", "assistant"].map((role, index) => ({
        timestamp: at(turn, index),
        type: "response_item",
        payload: {
          type: "message",
          role,
          content: [{ type: role === "user" ? "input_text" : "output_text", text: said(turn) }],
        },
      })),
    events: EVENTS,
    tells: snake,
  },
  {
    agent: "gemini-cli",
    path: join(".gemini", "tmp", "bench", "chats", "session-2026-11-01T00-00-0197f2c4.jsonl"),
    head: [{ sessionId: SESSION, projectHash: "bench", startTime: at(0), lastUpdated: at(0), kind: "main" }],
    lines: (turn) =>
      ["user", "gemini"].map((type, index) => ({
        id: `${SESSION}-${turn}-${index}`,
        timestamp: at(turn, index),
        type,
        content: said(turn),
      })),
    events: { start: "SessionStart", prompt: "BeforeAgent", stop: "AfterAgent" },
    tells: snake,
  },
  {
    agent: "copilot-cli",
    path: join(".copilot", "session-state", SESSION, "events.jsonl"),
    head: [{ type: "session.start", id: "e0", timestamp: at(0), data: { sessionId: SESSION, startTime: at(0) } }],
    lines: (turn) => [
      { type: "user.message", id: `u${turn}`, timestamp: at(turn), data: { content: said(turn) } },
      { type: "assistant.message", id: `a${turn}`, timestamp: at(turn, 1), data: { content: said(turn) } },
    ],
    events: { start: "sessionStart", prompt: "userPromptSubmitted", stop: "agentStop" },
    tells: ({ session, path, folder }) => ({ sessionId: session, transcriptPath: path, cwd: folder, source: "new" }),
  },
  {
    agent: "qwen-code",
    path: join(".qwen", "projects", "-bench", "chats", `${SESSION}.jsonl`),
    lines: (turn, cwd) =>
      ["user", "assistant"].map((type, index) => ({
        uuid: `${turn}-${index}`,
        sessionId: SESSION,
        timestamp: at(turn, index),
        type,
        cwd,
        message: { role: type === "user" ? "user" : "model", parts: [{ text: said(turn) }] },
      })),
    events: EVENTS,
    tells: snake,
  },
  {
    agent: "cursor",
    path: join(".cursor", "projects", "bench", "agent-transcripts", SESSION, `${SESSION}.jsonl`),
    lines: (turn) =>
      ["user", "assistant"].map((role) => ({ role, message: { content: [{ type: "text", text: said(turn) }] } })),
    events: { start: "sessionStart", prompt: "beforeSubmitPrompt", stop: "stop" },
    tells: ({ session, path, folder }) => ({
      ...{ conversation_id: session, cursor_version: "2.4.0", transcript_path: path },
      workspace_roots: [folder],
    }),
  },
  // Its database is read by the next pass.
  { agent: "opencode", lines: () => [], events: EVENTS, tells: snake },
];

/**
 * Hooks as agents call them: whole processes with JSON on standard input, each with a turn to bring in, against a Node
 * that does nothing. The 95th of a hundred calls is what the budget is about.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function hooks({ inside, rounds, observations, options, detail }) {
  const program = builtProgram();
  const filled = await indexedStage(large(observations), inside, options);
  const { store } = await opened(filled, inside);
  const [folder = "/bench"] = await store.files.workFolders();
  await store.close();
  const room = join(CACHE, `hooks-${process.pid}`);
  const rows = [];
  try {
    for (const [name, from] of [
      ["empty store", undefined],
      [`${observations.toLocaleString("en")} observations`, filled.yoreHome],
    ]) {
      const yoreHome = join(room, "yore");
      rmSync(room, { recursive: true, force: true });
      mkdirSync(yoreHome, { recursive: true, mode: 0o700 });
      // A copy, since hooks write into it; without what was compiled and archived.
      if (from !== undefined) cpSync(join(from, "yore.db"), join(yoreHome, "yore.db"));
      rows.push(...(await measure({ program, home: join(room, "home"), yoreHome, folder, name, rounds, detail })));
    }
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
  return rows;
}

async function measure({ program, home, yoreHome, folder, name, rounds, detail }) {
  const env = { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC" };
  const things = { node: () => timed(["-e", "0"], env, "") };
  let calls = 0;
  for (const one of AGENTS) {
    const path = one.path === undefined ? undefined : join(home, one.path);
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    if (path !== undefined) writeFileSync(path, jsonLines([...(one.head ?? []), ...one.lines(0, folder)]));
    let turn = 0;
    const call = (event, fields) => () => {
      turn += 1;
      calls += 1;
      if (path !== undefined) appendFileSync(path, jsonLines(one.lines(turn, folder)));
      const told = { ...one.tells({ session: SESSION, path, folder }), ...fields() };
      return timed([program, "hook", event, "--agent", one.agent], env, JSON.stringify(told));
    };
    const { start, prompt, stop } = one.events;
    // Each start is of another session, which is told something; the transcript stays the same one.
    things[`${one.agent} ${start}`] = call(start, () => ({
      ...renamed(one, `${SESSION}-${calls}`),
      source: "startup",
    }));
    things[`${one.agent} ${prompt}`] = call(prompt, () => ({ prompt: `${PROMPT} ${calls}` }));
    things[`${one.agent} ${stop}`] = call(stop, () => ({}));
  }
  // What is compiled is kept from the first call on.
  for (const thing of Object.values(things)) thing();
  const taken = await interleaved(things, Math.max(20, rounds * 7));
  detail({ [name]: taken });
  const node = (share) => ({ what: "bare Node", value: percentile(taken.node, share), unit: "ms" });
  return Object.entries(taken)
    .filter(([what]) => what !== "node")
    .flatMap(([what, values]) => [
      { what: `${what}, ${name}, p50`, value: percentile(values, 0.5), unit: "ms", against: node(0.5) },
      {
        ...{ what: `${what}, ${name}, p95`, value: percentile(values, 0.95), unit: "ms", against: node(0.95) },
        budget: { kind: "excess", most: MOST_MS },
      },
    ]);
}

function renamed({ tells }, session) {
  return Object.fromEntries(Object.entries(tells({ session, folder: "" })).filter(([, value]) => value === session));
}

function jsonLines(lines) {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A whole process, in milliseconds. Throws when it does not succeed. */
function timed(args, env, input) {
  const started = performance.now();
  const run = spawnSync(process.execPath, args, { env, input, stdio: ["pipe", "pipe", "pipe"], encoding: "utf8" });
  const took = performance.now() - started;
  if (run.status !== 0 || run.stderr !== "")
    throw new Error(`node ${args.join(" ")} ended with ${run.status}: ${run.stderr}`);
  return took;
}
