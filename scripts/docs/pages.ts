import { renderCli } from "./cli.ts";
import { renderSettings } from "./settings.ts";
import { renderTools } from "./tools.ts";

/** Text of every page that derives from the code, by its path from the root. */
export async function renderPages(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/reference/cli.md": await renderCli(),
    "docs/reference/mcp-tools.md": renderTools(),
    "docs/reference/settings.md": renderSettings(),
  };
}
