import { SETTING_VARIABLES } from "../../src/config/settings.ts";
import { GENERATED, page, table } from "./markdown.ts";

/** Every variable of the environment that has an effect, ours first. */
export function renderSettings(): string {
  return page(
    "# Settings",
    GENERATED,
    "Yore is set up by variables of the environment. There is no configuration file, and none of them has to be set.",
    "## Yore's own",
    table(
      ["variable", "meaning"],
      SETTING_VARIABLES.map(({ name, help }) => [`\`${name}\``, help]),
    ),
    `A value that cannot be used, such as a time zone that does not exist, counts as not set. A relative \`YORE_HOME\` starts
at the current folder. An agent that is no longer read keeps the sessions that were read before.`,
    "## Of other programs",
    table(
      ["variable", "meaning"],
      FOREIGN.map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    `An MCP server gets the environment that its agent gives it, which may be less than that of your shell. Where a variable
has to reach \`yore mcp\`, set it in the agent's entry for the server; [connect](../guides/connect.md) shows how.`,
  );
}

const FOREIGN: readonly (readonly [name: string, meaning: string])[] = [
  ["HOME", "Home folder, below which agents keep their history and Yore its store."],
  ["USERPROFILE", "The same on Windows, where `HOME` is not set."],
  [
    "CLAUDE_CONFIG_DIR",
    "Claude Code's folder in place of `~/.claude` and `~/.config/claude`; several, separated by commas.",
  ],
  ["CODEX_HOME", "Codex's folder in place of `~/.codex`."],
  [
    "CLAUDE_CODE_SESSION_ID",
    "Set by Claude Code for its servers: the session that asks, which `search` then leaves out.",
  ],
  ["COPILOT_AGENT_SESSION_ID", "The same, as Copilot sets it."],
  ["NO_COLOR", "Set to anything to print without colours."],
  ["FORCE_COLOR", "Set to print colours also where output goes to no terminal; `0` or `false` means none."],
  ["TERM", "`dumb` means no colours."],
];
