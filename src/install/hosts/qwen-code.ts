import { isAbsolute, join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { CLAUDE_EVENTS, hooksOf, isHookOf } from "../hook-tables.ts";
import { given, type Host, type Machine } from "../host.ts";
import { GONE, serverEntry } from "../server-entry.ts";

const AGENT = "qwen-code";
const MILLISECONDS = 1000;

/** Its own names of tools whose use recall may be asked for. */
const TOOL_MATCHER = "edit|write_file|run_shell_command";

export const qwenCode: Host = {
  agent: AGENT,
  name: "Qwen Code",
  programs: ["qwen"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Sessions that are open take it up when they are started anew."],
  files: (wish) => {
    const shell = wish.machine.platform === "win32" ? "powershell" : "posix";
    const hooks = hooksOf({ events: CLAUDE_EVENTS, agent: AGENT, shell }, wish);
    return [
      {
        name: "settings",
        path: settingsFile(wish.machine),
        edit: jsonEdit({
          values: [{ at: ["mcpServers", "yore"], value: serverEntry(wish.program), gone: GONE }],
          hooks: hooks.map(({ event, name, line, seconds }) => ({
            at: ["hooks", name],
            isNested: true,
            hook: { type: "command", command: line, timeout: seconds * MILLISECONDS },
            ...(event === "PreToolUse" && { matcher: TOOL_MATCHER }),
          })),
          hookLists: Object.values(CLAUDE_EVENTS).map((name) => ({ at: ["hooks", name], isNested: true })),
          isOurs: isHookOf(AGENT),
        }),
      },
    ];
  },
  wiring: (machine) => [
    { path: settingsFile(machine), format: "json", server: ["mcpServers", "yore"], hooks: ["hooks"] },
  ],
};

function settingsFile(machine: Machine): string {
  return join(configFolder(machine), "settings.json");
}

function configFolder(machine: Machine): string {
  const moved = given(machine, "QWEN_HOME");
  return moved !== undefined && isAbsolute(moved) ? moved : join(machine.home, ".qwen");
}
