import type { HookEvent, Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";

/** Of more than 10,000 characters Claude Code shows the model a stub. */
export const claudeCode: Host = {
  agent: "claude-code",
  events: {},
  takes: ["SessionStart", "UserPromptSubmit", "PreToolUse"],
  maxChars: 9_500,
  read: (fields) => inputOf(fields, SNAKE),
  answer: hookSpecific,
};

/** The form that others took over from Claude Code. */
export function hookSpecific(event: HookEvent, additionalContext: string): unknown {
  return { hookSpecificOutput: { hookEventName: event, additionalContext } };
}
