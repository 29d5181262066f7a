import type { AgentCase } from "../agent-cases.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-000000000001";
const BEGAN = Date.parse("2026-03-02T09:00:00Z");
const WINDOW = ".config/Code/User/workspaceStorage/6f1d0a6f3b7c4b8e9a55f0e1d2c3b4a5";
const OTHER_WINDOW = ".config/Code/User/workspaceStorage/0b6a8c1d2e3f4a5b6c7d8e9f0a1b2c3d";
const SERVER = ".vscode-server/data/User/workspaceStorage/6f1d0a6f";
const CHAT = { version: 3, sessionId: SESSION, creationDate: BEGAN, responderUsername: "GitHub Copilot", requests: [] };

function uuid(n: number, part: number): string {
  return `0a1b2c3d-0000-4000-8000-${String(n * 10 + part).padStart(12, "0")}`;
}

function request(word: string, n: number): object {
  const askedAt = BEGAN + n * 60_000;
  return {
    requestId: `request_${uuid(n, 1)}`,
    timestamp: askedAt,
    message: { text: word, parts: [] },
    variableData: { variables: [] },
    modelId: "copilot/gpt-5.2",
    response: [{ value: `${word} it is`, supportThemeIcons: false }],
    modelState: { value: 1, completedAt: askedAt + 1_000 },
    result: { timings: { totalElapsed: 1_000 }, metadata: { promptTokens: 3, outputTokens: 7 } },
  };
}

const log: AgentCase = {
  agent: "vscode-copilot",
  format: "log",
  unit: "log",
  session: SESSION,
  path: `${WINDOW}/chatSessions/${SESSION}.jsonl`,
  twin: `${OTHER_WINDOW}/chatSessions/${SESSION}.jsonl`,
  variables: [
    { name: "XDG_CONFIG_HOME", folder: ".config" },
    { name: "VSCODE_APPDATA", folder: ".config" },
  ],
  head: [{ kind: 0, v: CHAT }],
  turn: (word, n) => [{ kind: 2, k: ["requests"], v: [request(word, n)] }],
};

const document: AgentCase = {
  ...log,
  format: "document",
  unit: "document",
  path: `${WINDOW}/chatSessions/${SESSION}.json`,
  twin: `${OTHER_WINDOW}/chatSessions/${SESSION}.json`,
  head: [CHAT],
  turn: (word, n) => [request(word, n)],
  document: (chat, requests) => ({ ...chat, requests }),
};

function event(n: number, part: number, type: string, data: object): object {
  const timestamp = new Date(BEGAN + n * 60_000 + part * 1_000).toISOString();
  return { type, data, id: uuid(n, part), timestamp, parentId: null };
}

const transcript: AgentCase = {
  ...log,
  format: "transcript",
  path: `${SERVER}/GitHub.copilot-chat/transcripts/${SESSION}.jsonl`,
  twin: `${SERVER}-2/GitHub.copilot-chat/transcripts/${SESSION}.jsonl`,
  variables: [{ name: "VSCODE_AGENT_FOLDER", folder: ".vscode-server", isFurther: true }],
  head: [
    event(99, 0, "session.start", {
      sessionId: SESSION,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "0.38.0",
      startTime: new Date(BEGAN).toISOString(),
      context: { cwd: "/home/ana/code/tide" },
    }),
  ],
  turn: (word, n) => [
    event(n, 1, "user.message", { content: word, attachments: [] }),
    event(n, 2, "assistant.message", { messageId: uuid(n, 3), content: `${word} it is`, toolRequests: [] }),
  ],
};

export const vscodeCopilotCases: readonly AgentCase[] = [log, document, transcript];
