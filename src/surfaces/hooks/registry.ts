import { HOOK_EVENTS, type HookEvent, type Host } from "./event.ts";
import { claudeCode } from "./hosts/claude-code.ts";
import { codex } from "./hosts/codex.ts";
import { copilotCli } from "./hosts/copilot-cli.ts";
import { cursor } from "./hosts/cursor.ts";
import { geminiCli } from "./hosts/gemini-cli.ts";
import { openCode } from "./hosts/opencode.ts";
import { qwenCode } from "./hosts/qwen-code.ts";

/** Agents that call hooks. */
export const HOSTS: readonly Host[] = [claudeCode, codex, geminiCli, copilotCli, openCode, cursor, qwenCode];

export function hostOf(agent: string | undefined): Host | undefined {
  return HOSTS.find((host) => host.agent === agent?.toLowerCase());
}

/** By Claude Code's name or the agent's own, in any case; undefined for an event that nothing is done at. */
export function eventOf(host: Host, name: string): HookEvent | undefined {
  const asked = name.toLowerCase();
  return HOOK_EVENTS.find((event) => event.toLowerCase() === asked) ?? host.events[asked];
}

/**
 * The agent that really calls. Cursor runs the hooks of Claude Code too where it finds them, and says who it is in what it
 * tells.
 */
export function callerOf(host: Host, fields: Readonly<Record<string, unknown>>): Host {
  return typeof fields.cursor_version === "string" ? cursor : host;
}
