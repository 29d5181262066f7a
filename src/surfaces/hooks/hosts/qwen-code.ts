import type { Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";
import { hookSpecific } from "./claude-code.ts";

export const qwenCode: Host = {
  agent: "qwen-code",
  events: {},
  takes: ["SessionStart", "UserPromptSubmit", "PreToolUse"],
  maxChars: 9_500,
  read: (fields) => inputOf(fields, SNAKE),
  answer: hookSpecific,
};
