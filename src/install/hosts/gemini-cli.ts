import { join } from "node:path";
import { ABOUT, GUIDE } from "../guide.ts";
import { groupedHooks, hooksOf } from "../hook-tables.ts";
import { given, type Host, type Machine, ownFile, type Wish } from "../host.ts";
import { serverEntry } from "../server-entry.ts";

const AGENT = "gemini-cli";
const MILLISECONDS = 1000;

/** Before a tool it takes no context. */
const EVENTS = {
  SessionStart: "SessionStart",
  UserPromptSubmit: "BeforeAgent",
  PreCompact: "PreCompress",
  Stop: "AfterAgent",
  SessionEnd: "SessionEnd",
} as const;

/** An extension: a folder that is ours, which Gemini CLI finds by itself. */
export const geminiCli: Host = {
  agent: AGENT,
  name: "Gemini CLI",
  programs: ["gemini"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Sessions that are open take it up when they are started anew."],
  files: (wish) =>
    extensionFiles(wish).map(({ name, path, text }) => ownFile(name, join(extensionFolder(wish.machine), path), text)),
  wiring: (machine) => [
    { path: join(extensionFolder(machine), "gemini-extension.json"), format: "json", server: ["mcpServers", "yore"] },
    { path: join(extensionFolder(machine), "hooks", "hooks.json"), format: "json", hooks: ["hooks"] },
    {
      path: join(configFolder(machine), "settings.json"),
      format: "json",
      server: ["mcpServers", "yore"],
      hooks: ["hooks"],
      isOther: "Remove what runs `yore` from it: the extension has it.",
    },
  ],
};

/** Paths below the extension's folder, and texts. */
export function extensionFiles(
  wish: Wish,
): readonly { readonly name: string; readonly path: string; readonly text: string }[] {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const shell = wish.machine.platform === "win32" ? "powershell" : "posix";
  const hooks = hooksOf({ events: EVENTS, agent: AGENT, shell }, wish);
  return [
    {
      name: "extension",
      path: "gemini-extension.json",
      text: json({
        name: "yore",
        version: wish.version,
        description: ABOUT,
        contextFileName: "GEMINI.md",
        mcpServers: { yore: serverEntry(wish.program) },
      }),
    },
    { name: "context", path: "GEMINI.md", text: `# Yore\n\n${GUIDE}` },
    { name: "hooks", path: join("hooks", "hooks.json"), text: json({ hooks: groupedHooks(hooks, MILLISECONDS) }) },
  ];
}

function extensionFolder(machine: Machine): string {
  return join(configFolder(machine), "extensions", "yore");
}

function configFolder(machine: Machine): string {
  return join(given(machine, "GEMINI_CLI_HOME") ?? machine.home, ".gemini");
}
