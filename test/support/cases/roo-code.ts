import type { AgentCase } from "../agent-cases.ts";

const TASK = "5e550000-1b2c-4d3e-8f40-000000000001";

export const rooTask: AgentCase = {
  agent: "roo-code",
  format: "task",
  unit: "document",
  session: TASK,
  path: `.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/${TASK}/api_conversation_history.json`,
  twin: `.cursor-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/${TASK}/api_conversation_history.json`,
  variables: [],
  head: [{}],
  turn: (word, n) => {
    const ts = Date.parse("2026-03-02T09:00:00Z") + n * 60_000;
    return [
      { role: "user", content: [{ type: "text", text: `<user_message>\n${word}\n</user_message>` }], ts },
      { role: "assistant", content: [{ type: "text", text: `${word} it is` }], ts: ts + 1_000 },
    ];
  },
  document: (_, messages) => messages,
  hasNoIds: true,
};

/** The shapes of the AI SDK, in an envelope. */
export const rooSecondVersion: AgentCase = {
  ...rooTask,
  format: "second version",
  head: [{ version: 2 }],
  document: (head, messages) => ({ ...head, messages }),
};
