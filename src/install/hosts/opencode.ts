import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { firstThere, given, type Host, type Machine, ownFile, type Wish } from "../host.ts";
import { openCodePlugin } from "../opencode-plugin.ts";
import { serverCommand } from "../program.ts";

/** A plugin that is a file of ours, which OpenCode finds by itself, and an entry in the list of servers. */
export const opencode: Host = {
  agent: "opencode",
  name: "OpenCode",
  programs: ["opencode"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Sessions that are open take it up when they are started anew."],
  files: (wish) => [
    {
      name: "config",
      path: configFile(wish.machine),
      edit: jsonEdit({
        values: [{ at: ["mcp", "yore"], value: openCodeServer(wish), gone: [["environment", "YORE_HOME"]] }],
      }),
    },
    ownFile("plugin", pluginFile(wish.machine), openCodePlugin(wish)),
  ],
  wiring: (machine) => [
    { path: configFile(machine), format: "json", server: ["mcp", "yore"] },
    { path: pluginFile(machine), format: "text" },
  ],
};

function openCodeServer({ program }: Wish) {
  const { command, args } = serverCommand(program);
  const { variables } = program;
  return {
    type: "local",
    command: [command, ...args],
    enabled: true,
    ...(Object.keys(variables).length > 0 && { environment: variables }),
  };
}

function configFile(machine: Machine): string {
  const folder = configFolder(machine);
  return firstThere(machine, [
    join(folder, "opencode.json"),
    join(folder, "opencode.jsonc"),
    join(folder, "config.json"),
  ]);
}

function pluginFile(machine: Machine): string {
  return join(configFolder(machine), "plugins", "yore.js");
}

/** By the XDG folders alone on all systems, Windows too. */
function configFolder(machine: Machine): string {
  return (
    given(machine, "OPENCODE_CONFIG_DIR") ??
    join(given(machine, "XDG_CONFIG_HOME") ?? join(machine.home, ".config"), "opencode")
  );
}
