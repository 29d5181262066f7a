import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { ABOUT, SKILL } from "../guide.ts";
import { CLAUDE_EVENTS, groupedHooks, hooksOf } from "../hook-tables.ts";
import { given, type Host, type HostFile, type Machine, ownFile, type Wish } from "../host.ts";
import { serverEntry } from "../server-entry.ts";

const NAME = "yore";
/** The plugin, as Claude Code names one of a marketplace. */
const PLUGIN = `${NAME}@${NAME}`;

/**
 * A plugin in a marketplace that is a folder: settings alone enable it, and hooks, server and skill come and go together.
 * Were they written into settings.json and .claude.json as well, each hook would run twice.
 */
export const claudeCode: Host = {
  agent: "claude-code",
  name: "Claude Code",
  programs: ["claude"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Sessions that are open take it up when they are started anew, or by /reload-plugins."],
  files(wish) {
    const folder = configFolder(wish.machine);
    const marketplace = marketplaceFolder(wish.machine);
    return [
      ...pluginFiles(wish).map(({ name, path, text }) => ownFile(name, join(marketplace, path), text)),
      {
        name: "settings",
        path: join(folder, "settings.json"),
        edit: jsonEdit({
          values: [
            {
              at: ["extraKnownMarketplaces", NAME],
              value: { source: { source: "directory", path: marketplace } },
            },
            { at: ["enabledPlugins", PLUGIN], value: true },
          ],
        }),
      },
      trace("installed", join(folder, "plugins", "installed_plugins.json"), ["plugins", PLUGIN]),
      trace("marketplaces", join(folder, "plugins", "known_marketplaces.json"), [NAME]),
    ];
  },
  wiring: (machine) => [
    { path: join(marketplaceFolder(machine), NAME, ".mcp.json"), format: "json", server: ["mcpServers", NAME] },
    { path: join(marketplaceFolder(machine), NAME, "hooks", "hooks.json"), format: "json", hooks: ["hooks"] },
    {
      path: join(configFolder(machine), "settings.json"),
      format: "json",
      isStrict: true,
      hooks: ["hooks"],
      isOther: "Remove the hooks that run `yore hook` from it: the plugin has them.",
      mustSay: [
        { at: ["enabledPlugins", PLUGIN], value: true, otherwise: "does not enable the plugin of Yore" },
        { at: ["disableAllHooks"], value: undefined, otherwise: "has all hooks switched off (disableAllHooks)" },
      ],
    },
    {
      path: userFile(machine),
      format: "json",
      server: ["mcpServers", NAME],
      isOther: "Run `claude mcp remove --scope user yore`: the plugin has the server.",
    },
  ],
};

/** The marketplace with its plugin: paths below its folder, and texts. */
export function pluginFiles(
  wish: Wish,
): readonly { readonly name: string; readonly path: string; readonly text: string }[] {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const hooks = hooksOf({ events: CLAUDE_EVENTS, agent: "claude-code", shell: "posix" }, wish);
  const about = { name: NAME, version: wish.version, description: ABOUT };
  return [
    {
      name: "marketplace",
      path: join(".claude-plugin", "marketplace.json"),
      text: json({
        name: NAME,
        owner: { name: "Yore" },
        description: ABOUT,
        plugins: [{ name: NAME, source: `./${NAME}`, description: ABOUT, version: wish.version }],
      }),
    },
    {
      name: "plugin",
      path: join(NAME, ".claude-plugin", "plugin.json"),
      text: json({ ...about, author: { name: "Yore" }, license: "MIT", keywords: ["memory", "search"] }),
    },
    {
      name: "server",
      path: join(NAME, ".mcp.json"),
      text: json({ mcpServers: { [NAME]: serverEntry(wish.program) } }),
    },
    {
      name: "hooks",
      path: join(NAME, "hooks", "hooks.json"),
      text: json({ hooks: groupedHooks(hooks) }),
    },
    { name: "skill", path: join(NAME, "skills", NAME, "SKILL.md"), text: SKILL },
  ];
}

function trace(name: string, path: string, at: readonly string[]): HostFile {
  return { name, path, edit: jsonEdit({ traces: [at] }), isTrace: true };
}

function marketplaceFolder({ ownFolder }: Machine): string {
  return join(ownFolder, "claude-code");
}

/** Of several, which sources read all of, Claude Code itself takes one. */
function configFolder(machine: Machine): string {
  return given(machine, "CLAUDE_CONFIG_DIR")?.split(",")[0]?.trim() ?? join(machine.home, ".claude");
}

function userFile(machine: Machine): string {
  const moved = given(machine, "CLAUDE_CONFIG_DIR")?.split(",")[0]?.trim();
  return join(moved ?? machine.home, ".claude.json");
}
