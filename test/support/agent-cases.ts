import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FoundFile } from "../../src/sources/source.ts";
import { aider } from "./cases/aider.ts";
import { amp } from "./cases/amp.ts";
import { antigravity } from "./cases/antigravity.ts";
import { clineSession, clineTask } from "./cases/cline.ts";
import { continueDev } from "./cases/continue.ts";
import { crush } from "./cases/crush.ts";
import { cursorState, cursorTranscript } from "./cases/cursor.ts";
import { goose, gooseTranscript } from "./cases/goose.ts";
import { kiloLog, kiloTask } from "./cases/kilo-code.ts";
import { openCodeCases } from "./cases/opencode.ts";
import { rooSecondVersion, rooTask } from "./cases/roo-code.ts";
import { specstory } from "./cases/specstory.ts";
import { vscodeCopilotCases } from "./cases/vscode-copilot.ts";
import { zed, zedText } from "./cases/zed.ts";

/** How one of an agent's formats is written: a home with one session in it, as small as is valid. */
export interface AgentCase {
  readonly agent: string;
  /** Tells several formats of an agent apart. */
  readonly format: string;
  readonly unit: FoundFile["unit"];
  /** Native id of the session. */
  readonly session: string;
  /** The session's file below the home folder. */
  readonly path: string;
  /** Another file below the home folder that is of the same session. */
  readonly twin: string;
  /** The project below the home folder that has the file in it, where the history is in the project. */
  readonly workFolder?: string;
  /** Variables that say where the history is. */
  readonly variables: readonly Variable[];
  /** What stands before the first turn; in a document, beside the turns. */
  readonly head: readonly object[];
  /** One turn: a person asks `word`, the agent says `<word> it is`. `n` tells turns apart. */
  turn(word: string, n: number): readonly object[];
  /** Writes a container that holds these records, in place of one that is there: its head, then the turns. */
  save?(path: string, records: readonly object[]): void;
  /** Makes a document of its head and its turns. */
  document?(head: object, records: readonly object[]): object;
  /** The format is text for people: its records have no types that could be unknown, and no numbers. */
  readonly isProse?: boolean;
  /** The format has no ids, so that what is written twice was said twice. */
  readonly hasNoIds?: boolean;
}

export interface Variable {
  readonly name: string;
  /** What it stands for: the beginning of `path`. */
  readonly folder: string;
  /** The folder is looked in besides the usual one, not in its place. */
  readonly isFurther?: boolean;
}

/** Writes the session's file with these records, its folder too. */
export function saveRecords(agentCase: AgentCase, path: string, records: readonly object[]): string {
  mkdirSync(dirname(path), { recursive: true });
  if (agentCase.save === undefined) writeFileSync(path, textOf(agentCase, records));
  else agentCase.save(path, records);
  return path;
}

/** Text of the session's file. Turns are in the order of `words`, the first with number `from`. */
export function transcript(agentCase: AgentCase, words: readonly string[], from = 0): string {
  return textOf(agentCase, recordsOf(agentCase, words, from));
}

/** The same as records; of a document, those of its turns behind its head. */
export function recordsOf({ head, turn }: AgentCase, words: readonly string[], from = 0): readonly object[] {
  return [...head, ...words.flatMap((word, index) => turn(word, from + index))];
}

export function textOf({ document }: AgentCase, records: readonly object[]): string {
  const [head = {}, ...turns] = records;
  if (document !== undefined) return JSON.stringify(document(head, turns));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const DAY = "2026-03-02";
const CWD = "/home/ana/code/tide";

function at(n: number, second = 0): string {
  return new Date(Date.parse(`${DAY}T09:00:00Z`) + n * 60_000 + second * 1_000).toISOString();
}

function uuid(n: number, part: number): string {
  return `0a1b2c3d-0000-4000-8000-${String(n * 10 + part).padStart(12, "0")}`;
}

const UUID = "5e550000-1b2c-4d3e-8f40-000000000001";

function claudeTurn(word: string, n: number): object[] {
  const common = { sessionId: UUID, cwd: CWD, gitBranch: "main", version: "2.1.49", isSidechain: false };
  const usage = { input_tokens: 3, output_tokens: 7 };
  return [
    {
      ...common,
      type: "user",
      uuid: uuid(n, 1),
      parentUuid: null,
      timestamp: at(n),
      message: { role: "user", content: word },
    },
    {
      ...common,
      type: "assistant",
      uuid: uuid(n, 2),
      parentUuid: uuid(n, 1),
      timestamp: at(n, 1),
      requestId: `req_${n}`,
      message: {
        id: `msg_${n}`,
        role: "assistant",
        model: "claude-opus-4-5",
        content: [{ type: "text", text: `${word} it is` }],
        usage,
      },
    },
  ];
}

const claudeCode: AgentCase = {
  agent: "claude-code",
  format: "transcript",
  unit: "lines",
  session: UUID,
  path: `.claude/projects/-home-ana-code-tide/${UUID}.jsonl`,
  twin: `.claude/projects/-home-ana-code-shop/${UUID}.jsonl`,
  variables: [{ name: "CLAUDE_CONFIG_DIR", folder: ".claude" }],
  head: [{ type: "custom-title", customTitle: "Tides", sessionId: UUID }],
  turn: claudeTurn,
};

const CODEX_ID = "019cadf0-0000-7001-8001-000000000001";

function codexSays(role: "user" | "assistant", text: string): object {
  return { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] };
}

const codex: AgentCase = {
  agent: "codex",
  format: "rollout",
  unit: "lines",
  session: CODEX_ID,
  path: `.codex/sessions/2026/03/02/rollout-${DAY}T09-00-00-${CODEX_ID}.jsonl`,
  twin: `.codex/archived_sessions/rollout-${DAY}T09-00-00-${CODEX_ID}.jsonl`,
  variables: [{ name: "CODEX_HOME", folder: ".codex" }],
  head: [
    {
      timestamp: at(0),
      type: "session_meta",
      payload: { id: CODEX_ID, timestamp: at(0), cwd: CWD, cli_version: "0.125.0" },
    },
  ],
  turn: (word, n) => [
    { timestamp: at(n), type: "event_msg", payload: { type: "task_started", turn_id: uuid(n, 0) } },
    { timestamp: at(n), type: "response_item", payload: codexSays("user", word) },
    { timestamp: at(n), type: "event_msg", payload: { type: "user_message", message: word } },
    { timestamp: at(n, 1), type: "event_msg", payload: { type: "agent_message", message: `${word} it is` } },
    { timestamp: at(n, 1), type: "response_item", payload: codexSays("assistant", `${word} it is`) },
  ],
  hasNoIds: true,
};

const codexDocument: AgentCase = {
  ...codex,
  format: "document",
  unit: "document",
  path: `.codex/sessions/rollout-${DAY}-${CODEX_ID}.json`,
  twin: `.codex/archived_sessions/rollout-${DAY}-${CODEX_ID}.json`,
  head: [{ id: CODEX_ID, timestamp: at(0), instructions: "" }],
  turn: (word) => [codexSays("user", word), codexSays("assistant", `${word} it is`)],
  document: (session, items) => ({ session, items }),
};

function geminiTurn(word: string, n: number): object[] {
  return [
    { id: uuid(n, 1), timestamp: at(n), type: "user", content: [{ text: word }] },
    {
      id: uuid(n, 2),
      timestamp: at(n, 1),
      type: "gemini",
      content: `${word} it is`,
      tokens: { input: 3, output: 7, cached: 0, thoughts: 0, tool: 0, total: 10 },
      model: "gemini-3-pro",
    },
  ];
}

const geminiCli: AgentCase = {
  agent: "gemini-cli",
  format: "log",
  unit: "log",
  session: UUID,
  path: ".gemini/tmp/tide/chats/session-2026-03-02T09-00-5e550000.jsonl",
  twin: ".gemini/tmp/tide/chats/session-2026-03-02T10-00-5e550000.jsonl",
  variables: [{ name: "GEMINI_CLI_HOME", folder: "" }],
  head: [{ sessionId: UUID, projectHash: "tide", startTime: at(0), lastUpdated: at(0), kind: "main" }],
  turn: geminiTurn,
};

const geminiDocument: AgentCase = {
  ...geminiCli,
  format: "document",
  unit: "document",
  path: ".gemini/tmp/tide/chats/session-2026-03-02T09-00-5e550000.json",
  twin: ".gemini/tmp/tide/chats/session-2026-03-02T10-00-5e550000.json",
  document: (header, messages) => ({ ...header, messages }),
};

const qwenCode: AgentCase = {
  agent: "qwen-code",
  format: "transcript",
  unit: "lines",
  session: UUID,
  path: `.qwen/projects/-home-ana-code-tide/chats/${UUID}.jsonl`,
  twin: `.qwen/projects/-home-ana-code-tide/chats/archive/${UUID}.jsonl`,
  variables: [
    { name: "QWEN_HOME", folder: ".qwen" },
    { name: "QWEN_RUNTIME_DIR", folder: ".qwen" },
  ],
  head: [
    {
      uuid: uuid(99, 0),
      sessionId: UUID,
      timestamp: at(0),
      type: "system",
      subtype: "session_source",
      systemPayload: { sourceType: "cli" },
    },
  ],
  turn: (word, n) => {
    const common = { sessionId: UUID, cwd: CWD, gitBranch: "main", version: "0.24.7" };
    return [
      {
        ...common,
        uuid: uuid(n, 1),
        timestamp: at(n),
        type: "user",
        provenance: "real_user",
        message: { role: "user", parts: [{ text: word }] },
      },
      {
        ...common,
        uuid: uuid(n, 2),
        parentUuid: uuid(n, 1),
        timestamp: at(n, 1),
        type: "assistant",
        model: "qwen3-coder-plus",
        message: { role: "model", parts: [{ text: `${word} it is` }] },
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 7, totalTokenCount: 10 },
      },
    ];
  },
};

const qwenDocument: AgentCase = {
  ...geminiDocument,
  agent: "qwen-code",
  path: ".qwen/tmp/0123/chats/session-2026-03-02T09-00-5e550000.json",
  twin: ".qwen/tmp/0123/chats/session-2026-03-02T10-00-5e550000.json",
  variables: qwenCode.variables,
};

const copilotCli: AgentCase = {
  agent: "copilot-cli",
  format: "events",
  unit: "lines",
  session: UUID,
  path: `.copilot/session-state/${UUID}/events.jsonl`,
  twin: ".copilot/session-state/restored/events.jsonl",
  variables: [
    { name: "COPILOT_HOME", folder: ".copilot" },
    { name: "XDG_STATE_HOME", folder: "", isFurther: true },
  ],
  head: [
    {
      type: "session.start",
      data: { sessionId: UUID, copilotVersion: "1.0.72", startTime: at(0), context: { cwd: CWD, branch: "main" } },
      id: uuid(99, 0),
      timestamp: at(0),
    },
  ],
  turn: (word, n) => [
    { type: "user.message", data: { content: word }, id: uuid(n, 1), timestamp: at(n) },
    {
      type: "assistant.message",
      data: {
        messageId: uuid(n, 3),
        apiCallId: `call_${n}`,
        model: "gpt-5.6",
        content: `${word} it is`,
        toolRequests: [],
        outputTokens: 7,
      },
      id: uuid(n, 2),
      timestamp: at(n, 1),
    },
  ],
};

const pi: AgentCase = {
  agent: "pi",
  format: "session",
  unit: "lines",
  session: UUID,
  path: `.pi/agent/sessions/--home-ana-code-tide--/${DAY}T09-00-00-000Z_${UUID}.jsonl`,
  twin: `.pi/agent/sessions/--home-ana-code-shop--/${DAY}T09-00-00-000Z_${UUID}.jsonl`,
  variables: [
    { name: "PI_CODING_AGENT_DIR", folder: ".pi/agent" },
    { name: "PI_CODING_AGENT_SESSION_DIR", folder: ".pi/agent/sessions", isFurther: true },
  ],
  head: [{ type: "session", version: 3, id: UUID, timestamp: at(0), cwd: CWD }],
  turn: (word, n) => {
    const time = Date.parse(at(n));
    const usage = { input: 3, output: 7, cacheRead: 0, cacheWrite: 0 };
    const content = [{ type: "text", text: `${word} it is` }];
    return [
      {
        type: "message",
        id: `${n}a`,
        timestamp: at(n),
        message: { role: "user", content: [{ type: "text", text: word }], timestamp: time },
      },
      {
        type: "message",
        id: `${n}b`,
        timestamp: at(n, 1),
        message: { role: "assistant", content, model: "claude-opus-4-5", usage, timestamp: time + 1_000 },
      },
    ];
  },
};

const openClaw: AgentCase = {
  ...pi,
  format: "channel",
  path: `.openclaw/agents/main/sessions/${UUID}.jsonl`,
  twin: `.openclaw/agents/other/sessions/${UUID}.jsonl`,
  variables: [
    { name: "OPENCLAW_STATE_DIR", folder: ".openclaw" },
    { name: "CLAWDBOT_STATE_DIR", folder: ".openclaw" },
    { name: "OPENCLAW_HOME", folder: "" },
  ],
};

const omp: AgentCase = {
  ...pi,
  format: "omp",
  path: `.omp/agent/sessions/-code-tide/${DAY}T09-00-00-000Z_${UUID}.jsonl`,
  twin: `.omp/profiles/work/agent/sessions/-code-tide/${DAY}T09-00-00-000Z_${UUID}.jsonl`,
  variables: [{ name: "PI_CODING_AGENT_DIR", folder: ".omp/agent" }],
};

const KIMI_FOLDER = ".kimi/sessions/ee54472b1384d81104179e30b43a7d6c";

const kimi: AgentCase = {
  agent: "kimi",
  format: "wire log",
  unit: "lines",
  session: UUID,
  path: `${KIMI_FOLDER}/${UUID}/wire.jsonl`,
  twin: `.kimi/sessions/0e54472b1384d81104179e30b43a7d6c/${UUID}/wire.jsonl`,
  variables: [{ name: "KIMI_SHARE_DIR", folder: ".kimi" }],
  head: [{ type: "metadata", protocol_version: "1.2" }],
  turn: (word, n) => {
    const time = Date.parse(at(n)) / 1_000;
    const record = (type: string, payload: object, seconds: number) => ({
      timestamp: time + seconds,
      message: { type, payload },
    });
    return [
      record("TurnBegin", { user_input: word }, 0),
      record("ContentPart", { type: "text", text: `${word} it is` }, 1),
      record("StatusUpdate", { token_usage: { input_other: 3, output: 7 }, message_id: `m${n}` }, 2),
    ];
  },
};

const kimiContext: AgentCase = {
  ...kimi,
  format: "context",
  unit: "log",
  path: `${KIMI_FOLDER}/${UUID}/context.jsonl`,
  twin: `${KIMI_FOLDER}/${UUID}/context_1.jsonl`,
  head: [{ role: "_system_prompt", content: "You are Kimi." }],
  turn: (word) => [
    { role: "user", content: word },
    { role: "assistant", content: [{ type: "text", text: `${word} it is` }] },
  ],
  hasNoIds: true,
};

const kimiCode: AgentCase = {
  ...kimi,
  format: "journal",
  path: `.kimi-code/sessions/wd_tide_0123/${UUID}/agents/main/wire.jsonl`,
  twin: `.kimi-code/sessions/wd_shop_0123/${UUID}/agents/main/wire.jsonl`,
  variables: [{ name: "KIMI_CODE_HOME", folder: ".kimi-code" }],
  head: [{ type: "metadata", protocol_version: "1.4", created_at: Date.parse(at(0)) }],
  turn: (word, n) => {
    const time = Date.parse(at(n));
    const content = [{ type: "text", text: word }];
    const origin = { kind: "user" };
    const part = { type: "text", text: `${word} it is` };
    return [
      { type: "turn.prompt", input: content, origin, time },
      { type: "context.append_message", message: { role: "user", content, origin }, time: time + 1 },
      { type: "context.append_loop_event", event: { type: "content.part", uuid: `p${n}`, part }, time: time + 1_000 },
      { type: "usage.record", model: "kimi-k2.7", usage: { inputOther: 3, output: 7 }, time: time + 1_001 },
      { type: "turn.ended", reason: "completed", time: time + 1_002 },
    ];
  },
};

const droid: AgentCase = {
  agent: "droid",
  format: "session",
  unit: "lines",
  session: UUID,
  path: `.factory/sessions/-home-ana-code-tide/${UUID}.jsonl`,
  twin: `.factory/sessions/-home-ana-code-shop/${UUID}.jsonl`,
  variables: [{ name: "FACTORY_HOME_OVERRIDE", folder: "" }],
  head: [{ type: "session_start", id: UUID, title: "Tides", version: 2, cwd: CWD }],
  turn: (word, n) => [
    {
      type: "message",
      id: uuid(n, 1),
      timestamp: at(n),
      message: { role: "user", content: [{ type: "text", text: word }] },
    },
    {
      type: "message",
      id: uuid(n, 2),
      timestamp: at(n, 1),
      message: { role: "assistant", content: [{ type: "text", text: `${word} it is` }] },
    },
  ],
};

export const AGENT_CASES: readonly AgentCase[] = [
  ...[claudeCode, codex, codexDocument, geminiCli, geminiDocument, qwenCode, qwenDocument, copilotCli],
  ...[pi, omp, openClaw, kimi, kimiContext, kimiCode, droid],
  ...vscodeCopilotCases,
  ...openCodeCases,
  ...[clineTask, clineSession, rooTask, rooSecondVersion, kiloTask, kiloLog],
  ...[amp, continueDev, antigravity, cursorState, cursorTranscript],
  ...[crush, goose, gooseTranscript, zed, zedText],
  ...[aider, specstory],
];

/** How the case is told in names of tests. */
export function nameOf({ agent, format, unit }: AgentCase): string {
  return `${agent} ${format === unit ? unit : `${format} (${unit})`}`;
}
