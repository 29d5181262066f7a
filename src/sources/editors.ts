import { join } from "node:path";
import type { SourceEnvironment } from "./source.ts";

/** Folders in which editors that descend from VS Code keep what belongs to a user, on this machine and on servers. */
export function editorFolders(
  { home, platform, variables }: SourceEnvironment,
  names: readonly string[] = EDITORS,
): readonly string[] {
  const base = applicationFolder(home, platform, variables);
  const servers = SERVERS.filter(({ editor }) => names.includes(editor));
  const portable = names.includes("Code") ? variables.VSCODE_PORTABLE : undefined;
  return [
    ...names.map((name) => join(base, name, "User")),
    ...servers.map(({ folder }) => join(home, folder, "data", "User")),
    ...(portable === undefined || portable === "" ? [] : [join(portable, "user-data", "User")]),
  ];
}

/** By the names of their folders. */
export const EDITORS = [
  "Code",
  "Code - Insiders",
  "VSCodium",
  "Cursor",
  "Windsurf",
  "Antigravity",
  "Kiro",
  "Trae",
] as const;

const SERVERS = [
  { editor: "Code", folder: ".vscode-server" },
  { editor: "Code - Insiders", folder: ".vscode-server-insiders" },
  { editor: "VSCodium", folder: ".vscodium-server" },
  { editor: "Cursor", folder: ".cursor-server" },
  { editor: "Windsurf", folder: ".windsurf-server" },
];

/** Where programs keep their data on this system: of Windows the roaming folder. */
function applicationFolder(home: string, platform: NodeJS.Platform, variables: SourceEnvironment["variables"]): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return variables.APPDATA || join(home, "AppData", "Roaming");
  return variables.XDG_CONFIG_HOME || join(home, ".config");
}
