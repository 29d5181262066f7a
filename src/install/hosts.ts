import type { Host } from "./host.ts";
import { claudeCode } from "./hosts/claude-code.ts";
import { codex } from "./hosts/codex.ts";
import { copilotCli } from "./hosts/copilot-cli.ts";
import { cursor } from "./hosts/cursor.ts";
import { claudeDesktop, vscode, windsurf, zed } from "./hosts/editors.ts";
import { geminiCli } from "./hosts/gemini-cli.ts";
import { goose } from "./hosts/goose.ts";
import { opencode } from "./hosts/opencode.ts";
import { qwenCode } from "./hosts/qwen-code.ts";

/** Every agent that can be connected, in the order in which people are told of them. */
export const hosts: readonly Host[] = [
  claudeCode,
  codex,
  geminiCli,
  copilotCli,
  opencode,
  qwenCode,
  goose,
  cursor,
  vscode,
  windsurf,
  zed,
  claudeDesktop,
];
