import { type Command, Option } from "commander";
import { addExamples, type Context } from "../command.ts";

export function defineMcp(command: Command, context: Context): void {
  command
    .description(
      "Serve the memory to an agent over MCP, on standard input and output. The agent starts this by itself.",
    )
    .addOption(new Option("--toolset <set>", "which tools to offer (default: all)").choices(["all", "core"]))
    .option("--read-only", "offer nothing that writes");
  addExamples(command, [
    ["claude mcp add --scope user yore -- yore mcp", "connect Claude Code"],
    ["codex mcp add yore -- yore mcp", "connect Codex"],
  ]);
  command.action(() => context.io.runMcp(context.rest));
}
