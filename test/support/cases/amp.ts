import type { AgentCase } from "../agent-cases.ts";

const THREAD = "T-019c1000-0001-7000-8000-000000000001";
const SENT = Date.parse("2026-03-02T09:00:00Z");

/** A thread of Amp, in its central folder and in that of an editor's extension. */
export const amp: AgentCase = {
  agent: "amp",
  format: "thread",
  unit: "document",
  session: THREAD,
  path: `.local/share/amp/threads/${THREAD}.json`,
  twin: `.config/Code/User/globalStorage/sourcegraph.amp/threads3/${THREAD}.json`,
  variables: [{ name: "XDG_DATA_HOME", folder: ".local/share" }],
  head: [
    {
      id: THREAD,
      created: SENT,
      title: "Tides",
      env: { initial: { trees: [{ displayName: "tide", uri: "file:///home/ana/code/tide" }] } },
    },
  ],
  turn: (word, n) => [
    {
      role: "user",
      messageId: 2 * n,
      content: [{ type: "text", text: word }],
      meta: { sentAt: SENT + n * 60_000 },
    },
    {
      role: "assistant",
      messageId: 2 * n + 1,
      content: [{ type: "text", text: `${word} it is` }],
      state: { type: "complete", stopReason: "end_turn" },
      usage: {
        model: "claude-opus-4-5",
        inputTokens: 3,
        outputTokens: 7,
        cacheCreationInputTokens: 0,
        cacheReadInputTokens: 0,
        timestamp: new Date(SENT + n * 60_000 + 1_000).toISOString(),
      },
    },
  ],
  document: (thread, messages) => ({ ...thread, messages }),
};
