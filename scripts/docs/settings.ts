import { SETTING_VARIABLES } from "../../src/config/settings.ts";
import { GENERATED, page, table } from "./markdown.ts";

/** Every variable of the environment that has an effect, ours first. */
export function renderSettings(): string {
  return page(
    "# Settings",
    GENERATED,
    "Yore is set up by variables of the environment, and none of them has to be set.",
    "## Yore's own",
    table(
      ["variable", "meaning"],
      SETTING_VARIABLES.map(({ name, help }) => [`\`${name}\``, help]),
    ),
    `A value that cannot be used, such as a time zone that does not exist, counts as not set. A relative \`YORE_HOME\` starts
at the current folder. An agent that is no longer read keeps the sessions that were read before.`,
    "## config.json",
    `What is excluded can also stand in \`config.json\` of Yore's folder, where it holds for every shell and every agent's server.
\`yore projects exclude\` and \`include\` edit it, and every process looks at it before it reads or answers:`,
    `\`\`\`json
{ "excludeProjects": ["~/clients/*", "github.com/acme/shop"] }
\`\`\``,
    `A place is a folder with all that is below it, or a repository by its remote. \`*\` stands for any part of a name and \`**\`
for any number of names. A file that makes no sense is an error, and nothing is read until it is put right.`,
    `What hooks do can stand there too, where no variable says otherwise: \`hooks\`, \`contextTokens\`, \`promptRecall\` and
\`toolRecall\`; [what hooks do](../guides/hooks.md#settings) has their meaning.`,
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
  ["GEMINI_CLI_HOME", "Folder in place of the home folder, below which Gemini CLI has its `.gemini`."],
  ["COPILOT_HOME", "GitHub Copilot CLI's folder in place of `~/.copilot`."],
  ["XDG_STATE_HOME", "Folder in which older versions of GitHub Copilot CLI have their `.copilot`; looked in as well."],
  ["QWEN_RUNTIME_DIR", "Qwen Code's folder in place of `~/.qwen`."],
  ["QWEN_HOME", "The same, where `QWEN_RUNTIME_DIR` is not set."],
  ["PI_CODING_AGENT_DIR", "Folder of Pi and omp in place of `~/.pi/agent` and `~/.omp/agent`."],
  ["PI_CODING_AGENT_SESSION_DIR", "Pi's folder of sessions; looked in as well."],
  ["PI_CONFIG_DIR", "Name of omp's folder in the home folder, in place of `.omp`."],
  [
    "XDG_DATA_HOME",
    "Folder in place of `~/.local/share`, in which OpenCode and its forks, Crush, Goose, Zed and Amp have theirs. Of omp, looked in as well.",
  ],
  [
    "XDG_CONFIG_HOME",
    "Folder in place of `~/.config`, in which editors, Goose and Cursor's agents have theirs; on Linux.",
  ],
  ["APPDATA", "Folder in which editors and Goose have theirs on Windows, in place of `~/AppData/Roaming`."],
  ["LOCALAPPDATA", "Folder in which Crush and Zed have theirs on Windows, in place of `~/AppData/Local`."],
  ["FLATPAK_XDG_DATA_HOME", "Folder in place of `~/.local/share` for Zed from Flathub."],
  ["VSCODE_APPDATA", "Folder in which editors have theirs, on every system, in place of the usual one."],
  ["VSCODE_PORTABLE", "Folder of a portable VS Code; looked in as well."],
  ["VSCODE_AGENT_FOLDER", "Folder of VS Code's server on this machine; looked in as well."],
  ["CURSOR_CONFIG_DIR", "Folder of Cursor's agents in place of `~/.cursor`."],
  ["OPENCODE_DB", "OpenCode's database in place of `opencode.db`."],
  ["KILO_DB", "Kilo's database in place of `kilo.db`."],
  ["MIMOCODE_DB", "MiMo Code's database in place of `mimocode.db`."],
  ["MIMOCODE_HOME", "MiMo Code's folder in place of the one for its data."],
  ["CLINE_DIR", "Cline's own folder in place of `~/.cline`."],
  ["CLINE_DATA_DIR", "Cline's folder of data in place of `~/.cline/data`."],
  ["CLINE_SESSION_DATA_DIR", "Cline's folder of sessions in place of `~/.cline/data/sessions`."],
  ["CRUSH_GLOBAL_DATA", "Crush's folder of data, with the list of its projects."],
  ["GOOSE_PATH_ROOT", "Folder below which Goose has `data/sessions`."],
  ["CONTINUE_GLOBAL_DIR", "Continue's folder in place of `~/.continue`."],
  ["AIDER_CHAT_HISTORY_FILE", "Name or path of Aider's chat history in place of `.aider.chat.history.md`."],
  ["OPENCLAW_STATE_DIR", "OpenClaw's folder in place of `~/.openclaw` and of those with its older names."],
  ["CLAWDBOT_STATE_DIR", "The same, where `OPENCLAW_STATE_DIR` is not set."],
  ["OPENCLAW_HOME", "Folder in place of the home folder, below which OpenClaw has its folder."],
  ["KIMI_SHARE_DIR", "Kimi CLI's folder in place of `~/.kimi`."],
  ["KIMI_CODE_HOME", "Kimi Code's folder in place of `~/.kimi-code`."],
  ["FACTORY_HOME_OVERRIDE", "Folder in place of the home folder, below which Droid has its `.factory`."],
  [
    "CLAUDE_CODE_SESSION_ID",
    "Set by Claude Code for its servers: the session that asks, which `search` then leaves out.",
  ],
  ["COPILOT_AGENT_SESSION_ID", "The same, as Copilot sets it."],
  ["ANTHROPIC_API_KEY", "Key for `yore enrich --engine anthropic`, unless `--key-env` names another variable."],
  ["ANTHROPIC_BASE_URL", "Address of that API, unless `--url` gives one."],
  [
    "OPENAI_API_KEY",
    "Key for `--engine openai-compatible` of `yore enrich` and `yore vectors`, sent to `openai.com` only unless `--key-env` names it.",
  ],
  [
    "OPENCODE_CONFIG_DIR",
    "Folder in which `yore install` looks for OpenCode's settings, in place of `~/.config/opencode`.",
  ],
  ["PATH", "Where `yore install` looks for agents' programs; `Path` on Windows."],
  ["Path", "The same, as Windows spells it."],
  ["TMPDIR", "Folder for temporary files: `yore install` warns where Yore itself runs from there."],
  ["TEMP", "The same on Windows."],
  ["TMP", "The same on Windows."],
  ["VISUAL", "The editor for `yore note --edit`."],
  ["EDITOR", "The same, where `VISUAL` is not set."],
  ["NO_COLOR", "Set to anything to print without colours."],
  ["FORCE_COLOR", "Set to print colours also where output goes to no terminal; `0` or `false` means none."],
  ["TERM", "`dumb` means no colours."],
];
