import type { Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";

/** OpenCode has no hooks of its own kind: Yore's plugin in it calls, in Claude Code's terms, and adds the context it gets. */
export const openCode: Host = {
  agent: "opencode",
  events: {
    "session.created": "SessionStart",
    "chat.message": "UserPromptSubmit",
    "tool.execute.before": "PreToolUse",
    "tool.execute.after": "PostToolUse",
    "session.idle": "Stop",
    "session.compacting": "PreCompact",
    "session.deleted": "SessionEnd",
  },
  takes: ["SessionStart", "UserPromptSubmit", "PreToolUse"],
  maxChars: 9_500,
  read: (fields) =>
    inputOf(fields, {
      ...SNAKE,
      session: ["session_id", "sessionID"],
      folder: ["cwd", "directory"],
      tool: ["tool_name", "tool"],
      toolInput: ["tool_input", "args"],
    }),
  answer: (_, additionalContext) => ({ additionalContext }),
  silence: {},
};
