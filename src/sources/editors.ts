import { join } from "node:path";
import type { SourceEnvironment } from "./source.ts";

/**
 * Folders in which editors that descend from VS Code keep what belongs to a user, on this machine and on servers: below
 * each there are `globalStorage` and `workspaceStorage`. `names` are those of the editors' own folders.
 */
export function editorFolders(
  { home, platform, variables }: SourceEnvironment,
  names: readonly string[] = EDITORS,
): readonly string[] {
  const base = applicationFolder(home, platform, variables);
  const isLinux = platform !== "darwin" && platform !== "win32";
  const boxes = isLinux ? FLATPAKS.filter(({ editor }) => names.includes(editor)) : [];
  const servers = SERVERS.filter(({ editor }) => names.includes(editor));
  const portable = names.includes("Code") ? given(variables.VSCODE_PORTABLE) : undefined;
  const agent = names.includes("Code") ? given(variables.VSCODE_AGENT_FOLDER) : undefined;
  return [
    ...names.map((name) => join(base, name, USER)),
    ...boxes.map(({ editor, app }) => join(home, ".var", "app", app, "config", editor, USER)),
    ...servers.map(({ folder }) => join(home, folder, "data", USER)),
    ...(portable === undefined ? [] : [join(portable, "user-data", USER)]),
    ...(agent === undefined ? [] : [join(agent, "data", USER)]),
  ];
}

/** By the names of their folders. */
export const EDITORS = [
  "Code",
  "Code - Insiders",
  "Code - Exploration",
  "Code - OSS",
  "VSCodium",
  "VSCodium - Insiders",
  "Cursor",
  "Windsurf",
  "Windsurf - Next",
  "Antigravity",
  "Kiro",
  "Trae",
  "Trae CN",
] as const;

const USER = "User";

/** Below the home folder of the machine that an editor is connected to. */
const SERVERS = [
  { editor: "Code", folder: ".vscode-server" },
  { editor: "Code", folder: ".vscode-remote" },
  { editor: "Code - Insiders", folder: ".vscode-server-insiders" },
  { editor: "Code - OSS", folder: ".openvscode-server" },
  { editor: "VSCodium", folder: ".vscodium-server" },
  { editor: "Cursor", folder: ".cursor-server" },
  { editor: "Windsurf", folder: ".windsurf-server" },
  { editor: "Antigravity", folder: ".antigravity-server" },
  { editor: "Kiro", folder: ".kiro-server" },
  { editor: "Trae", folder: ".trae-server" },
];

/** Flatpak gives each program a folder of its own for settings. */
const FLATPAKS = [
  { editor: "Code", app: "com.visualstudio.code" },
  { editor: "Code - Insiders", app: "com.visualstudio.code.insiders" },
  { editor: "Code - OSS", app: "com.visualstudio.code-oss" },
  { editor: "VSCodium", app: "com.vscodium.codium" },
];

/** Where programs keep their data on this system: of Windows the roaming folder. */
function applicationFolder(home: string, platform: NodeJS.Platform, variables: SourceEnvironment["variables"]): string {
  const moved = given(variables.VSCODE_APPDATA);
  if (moved !== undefined) return moved;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return given(variables.APPDATA) ?? join(home, "AppData", "Roaming");
  return given(variables.XDG_CONFIG_HOME) ?? join(home, ".config");
}

function given(path: string | undefined): string | undefined {
  return path === undefined || path.trim() === "" ? undefined : path;
}
