import type { AgentCase } from "../agent-cases.ts";

const CONVERSATION = "0a1b2c3d-0000-4000-8000-000000000001";
const LOG = `brain/${CONVERSATION}/.system_generated/logs/transcript_full.jsonl`;
const START = Date.parse("2026-03-02T09:00:00Z");

/** A transcript of Antigravity, of the editor and of `agy`. */
export const antigravity: AgentCase = {
  agent: "antigravity",
  format: "transcript",
  unit: "log",
  session: CONVERSATION,
  path: `.gemini/antigravity/${LOG}`,
  twin: `.gemini/antigravity-cli/${LOG}`,
  variables: [],
  head: [
    {
      step_index: 0,
      source: "SYSTEM",
      type: "CONVERSATION_HISTORY",
      status: "DONE",
      created_at: "2026-03-02T09:00:00Z",
    },
  ],
  turn: (word, n) => [
    {
      step_index: 2 * n + 1,
      source: "USER_EXPLICIT",
      type: "USER_INPUT",
      status: "DONE",
      created_at: new Date(START + n * 60_000).toISOString(),
      content: `<USER_REQUEST>\n${word}\n</USER_REQUEST>`,
    },
    {
      step_index: 2 * n + 2,
      source: "MODEL",
      type: "PLANNER_RESPONSE",
      status: "DONE",
      created_at: new Date(START + n * 60_000 + 1_000).toISOString(),
      content: `${word} it is`,
      tool_calls: [],
    },
  ],
};
