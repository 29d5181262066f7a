import type { AgentCase } from "../agent-cases.ts";

const SESSION = "6f0c2c1e-5b9a-4b9e-8f55-0c9b1f6a0001";

/** A session of Continue. Its entries have no ids: their place in the session names them. */
export const continueDev: AgentCase = {
  agent: "continue",
  format: "session",
  unit: "document",
  session: SESSION,
  path: `.continue/sessions/${SESSION}.json`,
  twin: ".continue/sessions/restored.json",
  variables: [{ name: "CONTINUE_GLOBAL_DIR", folder: ".continue" }],
  head: [{ sessionId: SESSION, title: "Tides", workspaceDirectory: "file:///home/ana/code/tide", mode: "chat" }],
  turn: (word) => [
    { message: { role: "user", content: word }, contextItems: [], editorState: word },
    {
      message: { role: "assistant", content: `${word} it is` },
      contextItems: [],
      promptLogs: [{ modelTitle: "Claude 4.5 Opus" }],
    },
  ],
  document: (session, history) => ({ ...session, history }),
  hasNoIds: true,
};
