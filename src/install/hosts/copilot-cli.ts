import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { CLAUDE_EVENTS, hooksOf } from "../hook-tables.ts";
import { given, type Host, type Machine, ownJson, type Wish } from "../host.ts";
import { hookLine } from "../program.ts";
import { GONE, serverEntry } from "../server-entry.ts";

const AGENT = "copilot-cli";

/** Before a tool it takes no context. */
const { PreToolUse: _, ...EVENTS } = CLAUDE_EVENTS;

/** A file of hooks that is ours, beside those that a person may have, and an entry in the list of servers. */
export const copilotCli: Host = {
  agent: AGENT,
  name: "GitHub Copilot CLI",
  programs: ["copilot"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Sessions that are open take it up when they are started anew."],
  files: (wish) => [
    {
      name: "servers",
      path: join(configFolder(wish.machine), "mcp-config.json"),
      edit: jsonEdit({
        values: [{ at: ["mcpServers", "yore"], value: copilotServer(wish), gone: GONE }],
      }),
    },
    ownJson("hooks", join(configFolder(wish.machine), "hooks", "yore.json"), copilotHooks(wish)),
  ],
  wiring: (machine) => [
    { path: join(configFolder(machine), "mcp-config.json"), format: "json", server: ["mcpServers", "yore"] },
    { path: join(configFolder(machine), "hooks", "yore.json"), format: "json", hooks: ["hooks"] },
  ],
};

export function copilotServer(wish: Wish) {
  return { type: "local", ...serverEntry(wish.program), tools: ["*"] };
}

/** Each line in both shells: one file serves every system. */
export function copilotHooks(wish: Wish) {
  const hooks = hooksOf({ events: EVENTS, agent: AGENT, shell: "posix" }, wish).map(({ name, line, seconds }) => [
    name,
    [
      {
        type: "command",
        bash: line,
        powershell: hookLine(wish.program, name, AGENT, "powershell"),
        timeoutSec: seconds,
      },
    ],
  ]);
  return { version: 1, hooks: Object.fromEntries(hooks) };
}

function configFolder(machine: Machine): string {
  return given(machine, "COPILOT_HOME") ?? join(machine.home, ".copilot");
}
