import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { hooksOf, isHookOf } from "../hook-tables.ts";
import type { Host, Machine, Wish } from "../host.ts";
import { GONE, serverEntry } from "../server-entry.ts";

const AGENT = "cursor";

const EVENTS = {
  SessionStart: "sessionStart",
  UserPromptSubmit: "beforeSubmitPrompt",
  PreCompact: "preCompact",
  Stop: "stop",
  SessionEnd: "sessionEnd",
} as const;

export const cursor: Host = {
  agent: AGENT,
  name: "Cursor",
  programs: ["cursor", "cursor-agent"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Allow the server in Cursor's settings, under Tools, if it is listed as disabled."],
  files: (wish) => [
    {
      name: "servers",
      path: join(configFolder(wish.machine), "mcp.json"),
      edit: jsonEdit({ values: [{ at: ["mcpServers", "yore"], value: serverEntry(wish.program), gone: GONE }] }),
    },
    {
      name: "hooks",
      path: join(configFolder(wish.machine), "hooks.json"),
      edit: jsonEdit({
        start: { version: 1 },
        hooks: cursorHooks(wish).map(({ name, hook }) => ({ at: ["hooks", name], isNested: false, hook })),
        hookLists: Object.values(EVENTS).map((name) => ({ at: ["hooks", name], isNested: false })),
        isOurs: isHookOf(AGENT),
      }),
    },
  ],
  wiring: (machine) => [
    { path: join(configFolder(machine), "mcp.json"), format: "json", server: ["mcpServers", "yore"] },
    { path: join(configFolder(machine), "hooks.json"), format: "json", hooks: ["hooks"] },
  ],
};

export function cursorHooks(wish: Wish) {
  const shell = wish.machine.platform === "win32" ? "words" : "posix";
  return hooksOf({ events: EVENTS, agent: AGENT, shell }, wish).map(({ name, line, seconds }) => ({
    name,
    hook: { command: line, timeout: seconds },
  }));
}

/** The editor keeps to it whatever `CURSOR_CONFIG_DIR` says, which is for its agents. */
function configFolder({ home }: Machine): string {
  return join(home, ".cursor");
}
