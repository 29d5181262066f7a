import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { given, type Host, type Machine } from "../host.ts";
import { GONE, serverEntry } from "../server-entry.ts";

const SERVERS = ["mcpServers", "yore"];

export const vscode: Host = {
  agent: "vscode",
  name: "VS Code",
  programs: ["code"],
  folders: (machine) => [codeFolder(machine)],
  notes: ["VS Code asks whether to trust the server when it starts it for the first time."],
  files: (wish) => [
    {
      name: "servers",
      path: join(codeFolder(wish.machine), "mcp.json"),
      edit: jsonEdit({
        values: [{ at: ["servers", "yore"], value: { type: "stdio", ...serverEntry(wish.program) }, gone: GONE }],
      }),
    },
  ],
  wiring: (machine) => [{ path: join(codeFolder(machine), "mcp.json"), format: "json", server: ["servers", "yore"] }],
};

export const windsurf: Host = {
  agent: "windsurf",
  name: "Windsurf",
  programs: ["windsurf"],
  folders: ({ home }) => [join(home, ".codeium", "windsurf")],
  notes: ["Press the button that refreshes the list of MCP servers in Windsurf, or start it anew."],
  files: (wish) => [
    {
      name: "servers",
      path: windsurfFile(wish.machine),
      edit: jsonEdit({ values: [{ at: SERVERS, value: serverEntry(wish.program), gone: GONE }] }),
    },
  ],
  wiring: (machine) => [{ path: windsurfFile(machine), format: "json", server: SERVERS }],
};

export const zed: Host = {
  agent: "zed",
  name: "Zed",
  programs: ["zed", "zeditor"],
  folders: (machine) => [zedFolder(machine)],
  notes: [],
  files: (wish) => [
    {
      name: "settings",
      path: join(zedFolder(wish.machine), "settings.json"),
      edit: jsonEdit({
        values: [{ at: ["context_servers", "yore"], value: serverEntry(wish.program), gone: GONE }],
      }),
    },
  ],
  wiring: (machine) => [
    { path: join(zedFolder(machine), "settings.json"), format: "json", server: ["context_servers", "yore"] },
  ],
};

export const claudeDesktop: Host = {
  agent: "claude-desktop",
  name: "Claude Desktop",
  programs: [],
  folders: (machine) => [applications(machine, "Claude")],
  notes: ["Quit Claude Desktop and start it again."],
  files: (wish) => [
    {
      name: "config",
      path: join(applications(wish.machine, "Claude"), "claude_desktop_config.json"),
      edit: jsonEdit({ values: [{ at: SERVERS, value: serverEntry(wish.program), gone: GONE }] }),
    },
  ],
  wiring: (machine) => [
    { path: join(applications(machine, "Claude"), "claude_desktop_config.json"), format: "json", server: SERVERS },
  ],
};

function windsurfFile({ home }: Machine): string {
  return join(home, ".codeium", "windsurf", "mcp_config.json");
}

function codeFolder(machine: Machine): string {
  const portable = given(machine, "VSCODE_PORTABLE");
  return portable === undefined ? applications(machine, "Code", "User") : join(portable, "user-data", "User");
}

/** On macOS as on Linux. */
function zedFolder(machine: Machine): string {
  if (machine.platform === "win32") return applications(machine, "Zed");
  const config = machine.platform === "darwin" ? undefined : given(machine, "XDG_CONFIG_HOME");
  return join(config ?? join(machine.home, ".config"), "zed");
}

/** Where programs with windows keep their settings. */
function applications(machine: Machine, ...names: readonly string[]): string {
  const { home, platform } = machine;
  if (platform === "darwin") return join(home, "Library", "Application Support", ...names);
  if (platform === "win32") return join(given(machine, "APPDATA") ?? join(home, "AppData", "Roaming"), ...names);
  return join(given(machine, "XDG_CONFIG_HOME") ?? join(home, ".config"), ...names);
}
