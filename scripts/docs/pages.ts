import manifest from "../../package.json" with { type: "json" };
import { renderPlugins } from "../../src/install/plugins.ts";
import { renderAgents } from "./agents.ts";
import { renderCli } from "./cli.ts";
import { renderSettings } from "./settings.ts";
import { renderTools } from "./tools.ts";

/** Text of every page and plugin that derives from the code, by its path from `root`, the project's folder. */
export async function renderPages(root: string): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/agents.md": renderAgents(root),
    "docs/reference/cli.md": await renderCli(),
    "docs/reference/mcp-tools.md": renderTools(),
    "docs/reference/settings.md": renderSettings(),
    ...renderPlugins(manifest.version),
  };
}
