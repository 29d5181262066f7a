import { withoutRecall } from "../../../core/fence.ts";
import type { HookEvent, HookInput, Host } from "../event.ts";
import { inputOf, SNAKE } from "../fields.ts";

/** Gemini CLI takes nothing but JSON on standard output. Before a tool it takes no context. */
export const geminiCli: Host = {
  agent: "gemini-cli",
  events: {
    beforeagent: "UserPromptSubmit",
    afteragent: "Stop",
    beforetool: "PreToolUse",
    aftertool: "PostToolUse",
    precompress: "PreCompact",
  },
  takes: ["SessionStart", "UserPromptSubmit"],
  maxChars: 9_500,
  read: (fields) => typedOnly(inputOf(fields, SNAKE)),
  answer: (event, additionalContext) => ({
    hookSpecificOutput: { hookEventName: OWN[event] ?? event, additionalContext },
  }),
  silence: {},
};

const OWN: Partial<Record<HookEvent, string>> = { UserPromptSubmit: "BeforeAgent" };

/** What was handed over at the start stands before the first prompt. */
function typedOnly(input: HookInput): HookInput {
  if (input.prompt === undefined) return input;
  const prompt = withoutRecall(input.prompt).replace(HOOK_CONTEXT, "").trim();
  const { prompt: _, ...rest } = input;
  return prompt === "" ? rest : { ...rest, prompt };
}

const HOOK_CONTEXT = /<hook_context>[\s\S]*?<\/hook_context>/g;
