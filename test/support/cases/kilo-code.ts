import type { AgentCase } from "../agent-cases.ts";

const TASK = "5e550000-1b2c-4d3e-8f40-000000000001";

export const kiloTask: AgentCase = {
  agent: "kilo-code",
  format: "task",
  unit: "document",
  session: TASK,
  path: `.kilocode/cli/global/tasks/${TASK}/api_conversation_history.json`,
  twin: `.vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/${TASK}/api_conversation_history.json`,
  variables: [],
  head: [{}],
  turn: (word, n) => {
    const ts = Date.parse("2026-03-02T09:00:00Z") + n * 60_000;
    return [
      { role: "user", content: [{ type: "text", text: `<task>\n${word}\n</task>` }], ts },
      { role: "assistant", content: [{ type: "text", text: `${word} it is` }], ts: ts + 1_000 },
    ];
  },
  document: (_, messages) => messages,
  hasNoIds: true,
};

/** The log of the interface, where there is no more of the task. */
export const kiloLog: AgentCase = {
  ...kiloTask,
  format: "interface log",
  path: `.kilocode/cli/global/tasks/${TASK}/ui_messages.json`,
  twin: `.vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/${TASK}/ui_messages.json`,
  turn: (word, n) => {
    const ts = Date.parse("2026-03-02T09:00:00Z") + n * 60_000;
    return [
      { ts, type: "say", say: "user_feedback", text: word },
      { ts: ts + 1_000, type: "say", say: "completion_result", text: `${word} it is` },
    ];
  },
};
