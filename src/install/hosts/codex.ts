import { join } from "node:path";
import { jsonEdit } from "../edit/json.ts";
import { tomlEdit } from "../edit/toml.ts";
import { CLAUDE_EVENTS, hooksOf, isHookOf, TOOL_MATCHER } from "../hook-tables.ts";
import { given, type Host, type Machine } from "../host.ts";
import { GONE, serverEntry } from "../server-entry.ts";

const AGENT = "codex";
const SERVER = ["mcp_servers", "yore"];

/** Codex hands a server no variables but those that are named. */
export const PASSED_ON = [
  "YORE_HOME",
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
  "COPILOT_HOME",
  "GEMINI_CLI_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

export const codex: Host = {
  agent: AGENT,
  name: "Codex",
  programs: ["codex"],
  folders: (machine) => [configFolder(machine)],
  notes: ["Codex runs no hook that you have not trusted: type /hooks in a session, and trust those of Yore."],
  files(wish) {
    const folder = configFolder(wish.machine);
    const shell = wish.machine.platform === "win32" ? "words" : "posix";
    const hooks = hooksOf({ events: CLAUDE_EVENTS, agent: AGENT, shell }, wish);
    const { variables } = wish.program;
    const passedOn = PASSED_ON.filter((name) => !(name in variables));
    return [
      {
        name: "config",
        path: join(folder, "config.toml"),
        edit: tomlEdit(SERVER, { ...serverEntry(wish.program), env_vars: passedOn }, GONE),
      },
      {
        name: "hooks",
        path: join(folder, "hooks.json"),
        edit: jsonEdit({
          hooks: hooks.map(({ event, name, line, seconds }) => ({
            at: ["hooks", name],
            isNested: true,
            hook: { type: "command", command: line, timeout: seconds },
            ...(event === "PreToolUse" && { matcher: TOOL_MATCHER }),
          })),
          hookLists: Object.values(CLAUDE_EVENTS).map((name) => ({ at: ["hooks", name], isNested: true })),
          isOurs: isHookOf(AGENT),
        }),
      },
    ];
  },
  wiring: (machine) => [
    { path: join(configFolder(machine), "config.toml"), format: "toml", server: SERVER, hooks: ["hooks"] },
    { path: join(configFolder(machine), "hooks.json"), format: "json", hooks: ["hooks"] },
  ],
};

function configFolder(machine: Machine): string {
  return given(machine, "CODEX_HOME") ?? join(machine.home, ".codex");
}
