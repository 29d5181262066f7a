import { join } from "node:path";
import { aiderHistory } from "./aider.mjs";
import { claudeCodeSession, uuidOf } from "./claude-code.mjs";
import { clineHistory } from "./cline.mjs";
import { codexSession } from "./codex.mjs";
import { copilotCliHistory } from "./copilot-cli.mjs";
import { cursorHistory } from "./cursor.mjs";
import { geminiCliHistory } from "./gemini-cli.mjs";
import { openCodeHistory } from "./opencode.mjs";
import { piHistory } from "./pi.mjs";
import { random } from "./random.mjs";
import { MEASURED, turn } from "./session.mjs";
import { fileStream } from "./stream.mjs";
import { topic, writer } from "./text.mjs";
import { vocabulary } from "./words.mjs";

/** Raised when the same history would be of other bytes. */
export const AGENTS_VERSION = 1;

const STARTED_AT = Date.UTC(2025, 5, 1);
const SPAN_MS = 300 * 86_400_000;

/** Writers by the agents' names. @type {Readonly<Record<string, (home: string) => import("./stream.mjs").AgentWriter>>} */
export const HISTORIES = {
  "claude-code": (home) =>
    lineHistory((facts) => {
      const folder = facts.cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
      return join(home, ".claude", "projects", folder, `${facts.session}.jsonl`);
    }, claudeCodeSession),
  codex: (home) =>
    lineHistory((facts) => {
      const day = new Date(facts.startedAt).toISOString();
      const folder = join(home, ".codex", "sessions", ...day.slice(0, 10).split("-"));
      return join(folder, `rollout-${day.slice(0, 19).replaceAll(":", "-")}-${facts.session}.jsonl`);
    }, codexSession),
  "gemini-cli": geminiCliHistory,
  "copilot-cli": copilotCliHistory,
  pi: piHistory,
  opencode: openCodeHistory,
  cursor: cursorHistory,
  cline: clineHistory,
  aider: aiderHistory,
};

/**
 * Writes an agent's history below a home folder: sessions of about the same length, of turns as real ones are. The same
 * arguments give the same conversations. Memory does not grow with it.
 *
 * @param {string} home
 * @param {string} agent One of `HISTORIES`.
 * @param {{ sessions: number, bytes: number }} shape Of all sessions together, about, as text.
 */
export function writeHistory(home, agent, { sessions, bytes }) {
  const words = vocabulary();
  const history = HISTORIES[agent](home);
  for (let index = 0; index < sessions; index++) {
    const chance = random(`${agent} ${index}`);
    const write = writer(chance, words, topic(chance, words));
    const facts = {
      session: uuidOf(chance),
      cwd: `/home/dev/work/project-${index % 40}`,
      branch: "main",
      startedAt: STARTED_AT + Math.floor((SPAN_MS * index) / sessions),
    };
    history.add(facts, chance, turns(chance, write, bytes / sessions));
  }
  history.close();
}

function* turns(chance, write, bytes) {
  for (let said = 0; said < bytes; ) {
    const next = turn(chance, write, MEASURED);
    said += JSON.stringify(next).length;
    yield next;
  }
}

/** A history with a file of lines for each session. */
function lineHistory(pathOf, open) {
  return {
    add(facts, chance, turns) {
      const path = pathOf(facts);
      const session = open(chance, { ...facts, instructions: "", signature: MEASURED.signature });
      const file = fileStream(path);
      const write = (lines) => {
        for (const line of lines) file.write(`${line}\n`);
      };
      write(session.opening());
      for (const said of turns) write(session.turn(said));
      write(session.closing());
      file.end(session.endedAt());
    },
    close: () => {},
  };
}
