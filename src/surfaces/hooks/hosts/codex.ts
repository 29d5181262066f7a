import type { Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";
import { hookSpecific } from "./claude-code.ts";

/** Codex cuts what is longer than about 2,500 tokens. */
export const codex: Host = {
  agent: "codex",
  events: {},
  takes: ["SessionStart", "UserPromptSubmit", "PreToolUse"],
  maxChars: 9_000,
  maxTokens: 2_400,
  read: (fields) => inputOf(fields, SNAKE),
  answer: hookSpecific,
};
