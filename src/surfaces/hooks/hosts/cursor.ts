import type { Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";

/** Cursor takes context at the start of a session only. */
export const cursor: Host = {
  agent: "cursor",
  events: {
    beforesubmitprompt: "UserPromptSubmit",
    beforeshellexecution: "PreToolUse",
    beforemcpexecution: "PreToolUse",
    aftershellexecution: "PostToolUse",
    aftermcpexecution: "PostToolUse",
    afterfileedit: "PostToolUse",
    posttoolusefailure: "PostToolUse",
  },
  takes: ["SessionStart"],
  maxChars: 9_500,
  read: (fields) => {
    const [folder] = Array.isArray(fields.workspace_roots) ? fields.workspace_roots : [];
    const input = inputOf(fields, { ...SNAKE, session: ["conversation_id", "session_id"] });
    return input.folder === undefined && typeof folder === "string" ? { ...input, folder } : input;
  },
  answer: (_, additional_context) => ({ additional_context }),
  silence: {},
};
