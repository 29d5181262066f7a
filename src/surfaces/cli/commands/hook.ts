import type { Command } from "commander";
import { addExamples, type Context } from "../command.ts";

export function defineHook(command: Command, context: Context): void {
  command
    .description(
      "Answer an event of an agent's session. The agent calls this by itself, with JSON on standard input. Ends with 0, whatever happens.",
    )
    .argument("<event>", "SessionStart, UserPromptSubmit, PreToolUse, Stop and others, or the agent's own name")
    .requiredOption(
      "--agent <agent>",
      "which agent calls: claude-code, codex, gemini-cli, copilot-cli, opencode, cursor or qwen-code",
    )
    .option("--tool-recall", "tell what is known before a tool is used, as YORE_TOOL_RECALL=1 does");
  addExamples(command, [["yore hook SessionStart --agent claude-code < event.json", "what a session would be told"]]);
  command.action(() => context.io.runHook(context.rest));
}
