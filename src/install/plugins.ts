import { join } from "node:path";
import { ABOUT, GUIDE_SUMMARY, SKILL } from "./guide.ts";
import { CLAUDE_EVENTS, groupedHooks, hooksOf } from "./hook-tables.ts";
import { HOOK_EVENTS, type Wish } from "./host.ts";
import { pluginFiles } from "./hosts/claude-code.ts";
import { PASSED_ON } from "./hosts/codex.ts";
import { copilotHooks, copilotServer } from "./hosts/copilot-cli.ts";
import { cursorHooks } from "./hosts/cursor.ts";
import { extensionFiles } from "./hosts/gemini-cli.ts";
import { openCodePlugin } from "./opencode-plugin.ts";
import { serverEntry } from "./server-entry.ts";

/**
 * What is published for each host, by path: the same that an installation writes, but for a program that is found on the
 * PATH. Where it is not there, nothing happens.
 */
export function renderPlugins(version: string): Readonly<Record<string, string>> {
  const wish: Wish = {
    machine: { home: "", platform: "linux", variables: {}, ownFolder: "", exists: () => false },
    program: { words: ["yore"], variables: {} },
    version,
    events: HOOK_EVENTS.filter((event) => event !== "PreToolUse"),
  };
  const files: Record<string, string> = {};
  for (const { path, text } of pluginFiles(wish)) files[`plugins/claude-code/${slashed(path)}`] = text;
  for (const { path, text } of extensionFiles(wish)) files[`plugins/gemini-cli/${slashed(path)}`] = text;
  const json = (path: string, value: unknown) => {
    files[`plugins/${path}`] = `${JSON.stringify(value, null, 2)}\n`;
  };
  const about = { name: "yore", version, description: ABOUT, author: { name: "Yore" }, license: "MIT" };
  const server = serverEntry(wish.program);

  json("codex/.codex-plugin/plugin.json", {
    ...about,
    skills: "./skills/",
    hooks: "./hooks/hooks.json",
    mcpServers: "./.mcp.json",
  });
  json("codex/.mcp.json", { mcpServers: { yore: { ...server, env_vars: PASSED_ON } } });
  json("codex/hooks/hooks.json", {
    hooks: groupedHooks(hooksOf({ events: CLAUDE_EVENTS, agent: "codex", shell: "posix" }, wish)),
  });
  files["plugins/codex/skills/yore/SKILL.md"] = SKILL;

  json("copilot-cli/plugin.json", { ...about, hooks: "hooks.json", mcpServers: ".mcp.json", skills: "skills/" });
  json("copilot-cli/hooks.json", copilotHooks(wish));
  json("copilot-cli/.mcp.json", { mcpServers: { yore: copilotServer(wish) } });
  files["plugins/copilot-cli/skills/yore/SKILL.md"] = SKILL;

  json("cursor/.cursor-plugin/plugin.json", {
    ...about,
    skills: "./skills/",
    hooks: "./hooks/hooks.json",
    mcpServers: "./mcp.json",
  });
  json("cursor/mcp.json", { mcpServers: { yore: server } });
  json("cursor/hooks/hooks.json", {
    version: 1,
    hooks: Object.fromEntries(cursorHooks(wish).map(({ name, hook }) => [name, [hook]])),
  });
  files["plugins/cursor/skills/yore/SKILL.md"] = SKILL;

  files["plugins/opencode/yore.js"] = openCodePlugin(wish);

  json("claude-desktop/manifest.json", {
    manifest_version: "0.3",
    name: "yore",
    display_name: "Yore",
    version,
    description: ABOUT,
    long_description: GUIDE_SUMMARY,
    author: { name: "Yore" },
    license: "MIT",
    server: { type: "binary", entry_point: "yore", mcp_config: { ...server, env: {} } },
    compatibility: { platforms: ["darwin", "win32", "linux"] },
    keywords: ["memory", "search"],
  });
  return files;
}

function slashed(path: string): string {
  return path.replaceAll(join("a", "b").slice(1, 2), "/");
}
