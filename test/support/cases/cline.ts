import type { AgentCase } from "../agent-cases.ts";

const TASK = "1772442000000";
const SESSION = "1772442000000_a1b2c";

/** A task of the extension: the history as the model gets it. */
export const clineTask: AgentCase = {
  agent: "cline",
  format: "task",
  unit: "document",
  session: TASK,
  path: `.cline/data/tasks/${TASK}/api_conversation_history.json`,
  twin: `.vscode-server/data/User/globalStorage/saoudrizwan.claude-dev/tasks/${TASK}/api_conversation_history.json`,
  variables: [
    { name: "CLINE_DIR", folder: ".cline" },
    { name: "CLINE_DATA_DIR", folder: ".cline/data" },
  ],
  head: [{}],
  turn: (word) => [
    { role: "user", content: [{ type: "text", text: `<task>\n${word}\n</task>` }] },
    {
      role: "assistant",
      content: [{ type: "text", text: `${word} it is` }],
      modelInfo: { modelId: "claude-opus-4-5", providerId: "anthropic", mode: "act" },
    },
  ],
  document: (_, messages) => messages,
  hasNoIds: true,
};

/** A session of the SDK and the CLI. */
export const clineSession: AgentCase = {
  agent: "cline",
  format: "session",
  unit: "document",
  session: SESSION,
  path: `.cline/data/sessions/${SESSION}/${SESSION}.messages.json`,
  twin: `.cline/data/sessions/restored/${SESSION}.messages.json`,
  variables: [
    { name: "CLINE_DIR", folder: ".cline" },
    { name: "CLINE_DATA_DIR", folder: ".cline/data" },
    { name: "CLINE_SESSION_DATA_DIR", folder: ".cline/data/sessions" },
  ],
  head: [{ version: 1, updated_at: "2026-03-02T09:00:00.000Z", agent: "lead", sessionId: SESSION }],
  turn: (word, n) => {
    const ts = Date.parse("2026-03-02T09:00:00Z") + n * 60_000;
    return [
      {
        id: `V1StGXR8_Z5jdHi6B-${n}a`,
        role: "user",
        content: [{ type: "text", text: `<user_input mode="act">${word}</user_input>` }],
        ts,
      },
      {
        id: `V1StGXR8_Z5jdHi6B-${n}b`,
        role: "assistant",
        content: [{ type: "text", text: `${word} it is` }],
        ts: ts + 1_000,
        modelInfo: { id: "claude-opus-4-5", provider: "anthropic" },
        metrics: { inputTokens: 3, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    ];
  },
  document: (head, messages) => ({ ...head, messages }),
};
