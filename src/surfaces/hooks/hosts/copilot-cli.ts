import type { Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";

/** Copilot's command line: its own events with fields like `sessionId`, and Claude Code's with fields like `session_id`. */
export const copilotCli: Host = {
  agent: "copilot-cli",
  events: {
    userpromptsubmitted: "UserPromptSubmit",
    agentstop: "Stop",
  },
  takes: ["SessionStart", "UserPromptSubmit"],
  maxChars: 9_500,
  read: (fields) =>
    inputOf(fields, {
      ...SNAKE,
      session: ["sessionId", "session_id"],
      paths: ["transcriptPath", "transcript_path"],
      tool: ["toolName", "tool_name"],
      toolInput: ["toolArgs", "tool_input"],
    }),
  answer: (_, additionalContext) => ({ additionalContext }),
};
